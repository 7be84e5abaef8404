import type { BigSerialId, CreatedAt } from '../../db/columns.ts'

export type WalletTables = {
  addresses: {
    id: BigSerialId
    wallet_id: number
    family_id: number
    key: Buffer
    address: string
    derivation_index: number
    path: string
    /** `withheld`: a payer whom a restored database does not know may have it. */
    status: 'open' | 'assigned' | 'withheld'
    customer_id: number | null
    project_id: number | null
    assigned_at: Date | null
    created_at: CreatedAt
    /** Only for listed addresses; others are derived again. */
    mac: Buffer | null
    /** Customers get it from then on; null: at once. */
    usable_at: Date | null
  }
}

/** Columns of other modules that wallets show. */
export type WalletReads = {
  contract_addresses: {
    id: number
    blockchain_id: number
    contract_type: string
    address: string
    tx_id: string
    wallet_id: number | null
    collector: string
    collector_on_chain: string
    owner: string
    pending_collector: string | null
    collector_ready_at: Date | null
  }
}
