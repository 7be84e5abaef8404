import type { Evidence } from '@kassa/chains/adapter.ts'
import type { ColumnType } from 'kysely'

import type { Json, SerialId, Units } from '../../../db/columns.ts'
import type { NoticeCause, StopCause } from '@kassa/contract/blockchains/reading-reasons.ts'

/** Heights are numbers in the code: block heights stay far below 2^53. */
type Height = ColumnType<bigint, number, number>
type HeightOrNull = ColumnType<bigint | null, number | null, number | null>

export type WatchTables = {
  chain_cursors: {
    blockchain_id: number
    height: Height
    hash: string
    parent_hash: string
    block_time: Date
    head_height: Height
    finalized_height: Height
    finalized_hash: string | null
    epoch: bigint
    holder: string | null
    state: 'running' | 'behind' | 'halted'
    stop_cause: Json<StopCause> | null
    address_high: ColumnType<bigint, bigint | undefined, bigint>
    updated_at: Date
    head_at: ColumnType<Date | null, Date | undefined, Date>
    checked_at: ColumnType<Date | null, Date | undefined, Date>
    finalized_at: ColumnType<Date | null, Date | undefined, Date>
    behind_since: ColumnType<Date | null, never, Date | null>
    notice_cause: ColumnType<NoticeCause | null, never, string | null>
    resume_to: ColumnType<bigint | null, never, number | null>
    untraced_to: ColumnType<bigint, never, number>
  }
  chain_blocks: {
    blockchain_id: number
    height: Height
    hash: string
    parent_hash: string
    mined_at: Date
    node_id: number | null
    transfers: number
  }
  quarantined_blocks: {
    blockchain_id: number
    height: Height
    hash: string
    node_id: number | null
    error: string
    tries: ColumnType<number, number | undefined, number>
    state: ColumnType<'open' | 'solved', 'open' | undefined, 'open' | 'solved'>
    first_at: Date
    solved_at: Date | null
    payload_hash: string | null
    transactions: ColumnType<string[], string[] | undefined, string[]>
    concerns_us: ColumnType<boolean, boolean | undefined, boolean>
  }
  rescans: {
    id: SerialId
    blockchain_id: number
    from_height: HeightOrNull
    to_height: HeightOrNull
    next_height: HeightOrNull
    tx_id: string | null
    reason: string
    requested_by: string
    audit_day: string | null
    state: ColumnType<'open' | 'done' | 'failed', never, 'open' | 'done' | 'failed'>
    found: ColumnType<number, never, number>
    error: ColumnType<string | null, never, string | null>
    created_at: Date
    moved_at: Date
    finished_at: ColumnType<Date | null, never, Date | null>
  }
  address_snapshots: {
    blockchain_id: number
    address_id: bigint
    height: Height
    hash: string
    parent_hash: string
    mined_at: Date
    units: Units
    checked_at: Date
  }
  balance_deposits: {
    deposit_id: bigint
    from_height: Height
  }
  unclaimed_transfers: {
    blockchain_id: number
    tx_id: string
    leg: string
    evidence: Evidence
    address_id: bigint
    asset_id: number
    units: Units
    height: Height
    seen_at: Date
    due_at: Date
  }
}
