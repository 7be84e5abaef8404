import type { DecimalOrNull, Decimal, UpdatedAt } from '../../db/columns.ts'

export type PriceTables = {
  sandbox_prices: { currency_code: string; price: string; updated_at: UpdatedAt }
  price_readings: {
    currency_code: string
    source: string
    price: string
    source_at: Date
    asked_at: Date
    failure: string | null
  }
  last_prices: {
    currency_code: string
    price: DecimalOrNull
    priced_at: Date | null
    missing_since: Date | null
  }
  price_history: { currency_code: string; at: Date; price: Decimal }
  price_polls: { only_row: boolean; next_at: Date }
}

/** Columns of other modules that define which currencies need a price. */
export type PriceReads = {
  assets: { id: number; blockchain_id: number; currency_code: string; is_stable: boolean }
  blockchains: { id: number; status: string }
  project_assets: { project_id: number; asset_id: number }
}
