import type { Decimal, SerialId } from '../../../db/columns.ts'

export type HotTables = {
  hot_keys: {
    wallet_id: number
    family_id: number
    /** What chain evidence is matched with. */
    key: Buffer
    address: string
    /** Of the vault: the private key, sealed. */
    secret_id: number
    float_limit_usd: Decimal
  }
  wallet_functions: { id: SerialId; wallet_id: number; purpose: 'gas' | 'payout' }
}
