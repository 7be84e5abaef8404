import type { MovementKind, MovementState } from '@kassa/contract/movements/machine.ts'
import type { ColumnType } from 'kysely'
import type { BigSerialId, Units, UnitsWithDefault } from '../../db/columns.ts'
import type { IntendedKind, Role } from './movement.ts'

export type MovementTables = {
  movement_intents: {
    blockchain_id: number
    tx_id: string
    kind: IntendedKind
    send_id: bigint | null
    sweep_id: bigint | null
    created_at: Date
  }
  movements: {
    id: BigSerialId
    blockchain_id: number
    asset_id: number
    kind: MovementKind
    from_address: string | null
    to_address: string
    from_role: Role | null
    to_role: Role | null
    from_address_id: bigint | null
    to_address_id: bigint | null
    from_wallet_id: number | null
    to_wallet_id: number | null
    send_id: bigint | null
    sweep_id: bigint | null
    tx_id: string
    leg: string
    evidence: string
    units: Units
    fee_units: UnitsWithDefault
    height: ColumnType<bigint, number, never>
    block_hash: string
    block_time: Date
    confirmations_required: number
    rule: 'depth' | 'finalized'
    status: ColumnType<MovementState, never, MovementState>
    revision: ColumnType<number, never, number>
    seen_at: Date
    final_at: ColumnType<Date | null, never, Date | null>
    reverted_at: ColumnType<Date | null, never, Date | null>
    booked_at: ColumnType<Date | null, never, Date | null>
    booked_note: ColumnType<string | null, never, string | null>
    acknowledged_at: ColumnType<Date | null, never, Date | null>
  }
}
