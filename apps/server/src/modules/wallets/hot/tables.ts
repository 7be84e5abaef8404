import type { Decimal, SerialId } from '../../../db/columns.ts'

export type HotTables = {
  hot_keys: {
    wallet_id: number
    family_id: number
    /** The bytes that chain evidence is matched with. */
    key: Buffer
    address: string
    /** The private key, sealed in a vault. */
    secret_id: number
    float_limit_usd: Decimal
  }
  wallet_functions: { id: SerialId; wallet_id: number; purpose: 'gas' | 'payout' }
}
