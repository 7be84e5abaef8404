import type { AddressSweepState, SweepItemState, SweepState } from '@kassa/contract/sweeps/machine.ts'
import type { SweepTrigger } from '@kassa/contract/sweeps/schemas.ts'
import type { ColumnType, Generated, Selectable, Updateable } from 'kysely'

import type { BigSerialId, DecimalOrNull, Units, UnitsOrNull } from '../../../db/columns.ts'

type Fixed<T> = ColumnType<T, T, never>
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>
type Params = ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>

/**
 * How money moves: the contract takes it from its own deposit contracts, by allowance, or from delegated accounts; or the
 * addresses' own keys sign a transaction outside of the server.
 */
export type SweepMethod = 'sweep' | 'pull' | 'delegated' | 'psbt'
export type SentBy = 'hot-wallet' | 'own-wallet' | 'stranger' | 'device'

export type SweepTables = {
  sweeps: {
    id: BigSerialId
    wallet_id: Fixed<number>
    blockchain_id: Fixed<number>
    asset_id: Fixed<number>
    method: Fixed<SweepMethod>
    vault: Fixed<string>
    collector: Fixed<string>
    status: SweepState
    trigger: Fixed<SweepTrigger>
    sent_by: Fixed<SentBy>
    started_by: Fixed<number | null>
    units: Units
    amount_usd: DecimalOrNull
    call_data: Later<string>
    hot_wallet_id: Later<number>
    max_fee: UnitsOrNull
    send_id: Later<bigint>
    tx_id: Later<string>
    final_height: ColumnType<bigint | null, number | null | undefined, number | null>
    fee_units: UnitsOrNull
    wait_code: Later<string>
    wait_params: Params
    due_at: Date
    expires_at: Later<Date>
    sequence: Generated<number>
    created_at: Fixed<Date>
    updated_at: Date
    initiated_at: Later<Date>
    ended_at: Later<Date>
  }
  sweep_items: {
    sweep_id: Fixed<bigint>
    address_id: Fixed<bigint>
    asset_id: Fixed<number>
    project_id: Fixed<number | null>
    item_id: Fixed<string>
    units: Units
    state: Generated<SweepItemState>
    reason_code: Later<string>
    reason_params: Params
    entries: Generated<number>
    movement_id: Later<bigint>
  }
  address_sweeps: {
    address_id: Fixed<bigint>
    asset_id: Fixed<number>
    state: AddressSweepState
    sweep_id: Later<bigint>
    locked_until: Later<Date>
    swept_at: Later<Date>
    updated_at: Date
  }
  sweep_transactions: {
    sweep_id: Fixed<bigint>
    blockchain_id: Fixed<number>
    tx_id: Fixed<string>
    from_address: Later<string>
    sequence: UnitsOrNull
    state: 'sent' | 'replaced' | 'mined' | 'failed'
    block_number: ColumnType<bigint | null, number | null | undefined, number | null>
    recorded_at: Fixed<Date>
  }
  sweep_inputs: {
    sweep_id: Fixed<bigint>
    blockchain_id: Fixed<number>
    tx_id: Fixed<string>
    vout: Fixed<number>
    address_id: Fixed<bigint>
    units: Units
    released_at: Later<Date>
  }
  sweep_psbts: {
    sweep_id: Fixed<bigint>
    n: Fixed<number>
    blockchain_id: Fixed<number>
    tx_id: Fixed<string>
    psbt: Fixed<Buffer>
    fee_units: Units
    created_at: Fixed<Date>
    raw: Later<Buffer>
    signed_at: Later<Date>
    signed_by: Later<string>
  }
  sweep_errors: {
    id: BigSerialId
    sweep_id: Fixed<bigint | null>
    wallet_id: Fixed<number>
    asset_id: Fixed<number>
    code: Fixed<string>
    params: ColumnType<Record<string, unknown>, string, never>
    address: Fixed<string | null>
    tx_id: Fixed<string | null>
    at: Fixed<Date>
  }
}

export type SweepRow = Selectable<SweepTables['sweeps']>
export type SweepChanges = Updateable<SweepTables['sweeps']>
export type ItemRow = Selectable<SweepTables['sweep_items']>
export type ErrorRow = Selectable<SweepTables['sweep_errors']>
export type TransactionRow = Selectable<SweepTables['sweep_transactions']>
export type PsbtRow = Selectable<SweepTables['sweep_psbts']>
