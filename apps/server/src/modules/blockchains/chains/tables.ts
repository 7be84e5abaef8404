import type { CreatedAt, Json, Units, UnitsOrNull, UpdatedAt } from '../../../db/columns.ts'
import type { InactiveCause } from './rows.ts'

export type BlockchainTables = {
  blockchains: {
    id: number
    code: string
    status: 'active' | 'inactive'
    inactive_cause: Json<InactiveCause> | null
    min_confirmations: number
    name: string | null
    explorer_address: string | null
    explorer_transaction: string | null
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
  assets: {
    id: number
    blockchain_id: number
    currency_id: number
    currency_code: string
    address: string
    standard: string
    decimals: number
    is_stable: boolean
    min_deposit_units: Units
    visible: boolean
    deposit_enabled: boolean
    withdrawal_enabled: boolean
    disabled_because: string | null
    deposit_fee_units: UnitsOrNull
    min_collection_units: UnitsOrNull
    withdraw_fee_units: UnitsOrNull
    min_withdraw_units: UnitsOrNull
    withdraw_limit_24h_units: UnitsOrNull
    withdraw_limit_72h_units: UnitsOrNull
    approval_fee_native_units: UnitsOrNull
    min_fees_balance_native_units: UnitsOrNull
    min_sweep_balance_units: UnitsOrNull
    min_sweep_amount_units: UnitsOrNull
    sweep_lock_minutes: number | null
    sweep_batch_size: number | null
    sweep_approval_batch_size: number | null
    sweep_max_wait_minutes: number | null
    created_at: CreatedAt
    updated_at: UpdatedAt
  }
}
