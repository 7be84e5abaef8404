import type { UpdatedAt } from '../../db/columns.ts'

export type PriceTables = {
  sandbox_prices: { currency_code: string; price: string; updated_at: UpdatedAt }
}
