import type { DepositState } from '@kassa/contract/deposits/machine.ts'
import type { DepositReason, QuarantineReason } from '@kassa/contract/deposits/reasons.ts'
import type { DepositWait } from '@kassa/contract/deposits/waits.ts'
import type { ColumnType } from 'kysely'

import type { BigSerialId, DecimalOrNull, Units, UnitsOrNull } from '../../db/columns.ts'

export type DepositTables = {
  deposits: {
    id: BigSerialId
    blockchain_id: number
    asset_id: number
    address_id: bigint
    tx_id: string
    leg: string
    kind: string
    evidence: string
    from_address: string | null
    to_address: string
    units: Units
    usd_at_seen: DecimalOrNull
    height: ColumnType<bigint, number, never>
    block_hash: string
    block_time: Date
    confirmations_required: number
    rule: 'depth' | 'finalized'
    status: ColumnType<DepositState, never, DepositState>
    reason: DepositReason | null
    revision: ColumnType<number, never, number>
    late: boolean
    counted_units: UnitsOrNull
    counted_usd: DecimalOrNull
    quorum_required: ColumnType<boolean, boolean | undefined, boolean>
    quorum: ColumnType<number, never, number>
    quarantine_reason: ColumnType<QuarantineReason | null, QuarantineReason | null | undefined, QuarantineReason | null>
    refund_committed_units: ColumnType<string, never, never>
    waits: ColumnType<DepositWait | null, never, DepositWait | null>
    payment_id: bigint | null
    customer_id: number
    project_id: number
    seen_at: Date
    final_at: ColumnType<Date | null, never, Date | null>
    reverted_at: ColumnType<Date | null, never, Date | null>
  }
}

/** Columns of other modules that are shown beside a deposit. */
export type DepositReads = {
  payments: { id: bigint; reference_id: string }
  chain_cursors: { blockchain_id: number; height: bigint }
}
