import type { ColumnType } from 'kysely'

import type { CreatedAt, SerialId, UpdatedAt } from '../../../db/columns.ts'

/** The roles for which a wallet can be the default: `deposit` and `cold` by its type, `gas` and `payout` for hot ones. */
export type DefaultRole = 'deposit' | 'cold' | 'gas' | 'payout'

/** What every kind of wallet is. */
export type WalletRowTables = {
  wallets: {
    id: SerialId
    name: string
    wallet_type: 'deposit_wallet' | 'hot_wallet' | 'cold_wallet'
    wallet_sub_type: 'scw' | 'eoa'
    secret_type: 'create2' | 'xpub' | 'private_key' | 'none'
    created_by: number | null
    status: 'active' | 'inactive'
    created_at: CreatedAt
    updated_at: UpdatedAt
    deleted_at: ColumnType<Date | null, undefined, Date | null>
  }
  wallet_defaults: { family_id: number; role: DefaultRole; wallet_id: number }
}
