import type { BigSerialId, CreatedAt, SerialId } from '../../db/columns.ts'

export type WalletTables = {
  wallet_xpubs: {
    wallet_id: number
    family_id: number
    xpub: string
    fingerprint: string
    path: string
    next_index: number
    /** Null until the first start of a version that authenticates keys. */
    mac: Buffer | null
  }
  address_authentication: { id: number; completed_at: Date }
  project_wallets: {
    id: SerialId
    project_id: number
    family_id: number
    wallet_id: number
    created_at: CreatedAt
  }
  addresses: {
    id: BigSerialId
    wallet_id: number
    family_id: number
    key: Buffer
    address: string
    derivation_index: number
    path: string
    /** `withheld`: somebody may have it whom a restored database does not know. */
    status: 'open' | 'assigned' | 'withheld'
    customer_id: number | null
    project_id: number | null
    assigned_at: Date | null
    created_at: CreatedAt
  }
}
