import type { SendPurpose, SendState } from '@kassa/contract/sends/machine.ts'
import type { ColumnType, Generated } from 'kysely'

import type { BigSerialId, Units, UnitsOrNull } from '../../../db/columns.ts'

type Height = ColumnType<bigint, number, number>
type HeightOrNull = ColumnType<bigint | null, number | null | undefined, number | null>
type JsonOrNull = ColumnType<unknown, string | null | undefined, string | null>

export type SendTables = {
  send_wallets: {
    wallet_id: number
    blockchain_id: number
    first_sequence: Generated<string>
    lock_code: string | null
    lock_params: JsonOrNull
    locked_at: Date | null
    checked_at: Date | null
  }
  sends: {
    id: BigSerialId
    wallet_id: number
    blockchain_id: number
    purpose: SendPurpose
    project_id: number | null
    from_address: string
    sequence: UnitsOrNull
    asset_id: number | null
    units: Units
    to_address: string | null
    fee_asset_id: number
    fee_ceiling: Units
    ceilings: Generated<number>
    state: ColumnType<SendState, never, SendState>
    decisions: Generated<number>
    decided_attempt: ColumnType<number | null, never, number | null>
    decided_height: ColumnType<bigint | null, never, number | null>
    fee_units: ColumnType<string | null, never, bigint | null>
    failure_code: ColumnType<string | null, never, string | null>
    failure_params: JsonOrNull
    planned_height: Height
    stuck_at: ColumnType<Date | null, never, Date | null>
    created_at: Date
    sent_at: ColumnType<Date | null, never, Date | null>
    decided_at: ColumnType<Date | null, never, Date | null>
  }
  send_items: {
    id: BigSerialId
    send_id: bigint
    withdrawal_id: ColumnType<bigint | null, bigint | null | undefined, never>
    sweep_id: ColumnType<bigint | null, bigint | null | undefined, never>
    permission_id: ColumnType<bigint | null, bigint | null | undefined, never>
  }
  send_attempts: {
    send_id: bigint
    n: number
    tx_id: string
    raw: Buffer
    body: ColumnType<Record<string, string | null>, string, never>
    max_fee: Units
    valid_until: Date | null
    created_at: Date
    first_sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    last_seen_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    refusal: ColumnType<string | null, string | null | undefined, string | null>
    height: HeightOrNull
    block_hash: ColumnType<string | null, never, string | null>
    is_success: ColumnType<boolean | null, never, boolean | null>
    failure_code: ColumnType<string | null, never, string | null>
    fee_units: ColumnType<string | null, never, bigint | null>
  }
}

/** Columns of other modules: whose key signs, and how far the chain is read and final. */
export type SendReads = {
  wallets: { id: number; wallet_type: string; status: string }
  hot_keys: { wallet_id: number; family_id: number; address: string; secret_id: number }
  chain_cursors: {
    blockchain_id: number
    height: bigint
    finalized_height: bigint
    state: 'running' | 'behind' | 'halted'
  }
  chain_blocks: { blockchain_id: number; height: bigint; hash: string }
}
