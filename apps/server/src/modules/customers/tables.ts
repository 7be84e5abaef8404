import type { Generated } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../db/columns.ts'

export type CustomerTables = {
  customers: {
    id: SerialId
    project_id: number
    customer_id: string
    email: string
    name: string
    state: 'active' | 'blocked'
    group_name: Generated<string>
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
}

/** Columns of other nouns that the customer's page sums up. */
export type CustomerReads = {
  payments: { id: bigint; customer_id: number; filled_usd: string }
  deposits: { customer_id: number; asset_id: number; status: string; units: string }
  assets: { id: number; blockchain_id: number; currency_code: string; decimals: number }
  blockchains: { id: number; code: string }
  addresses: { customer_id: number | null; family_id: number; address: string }
}
