import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'
import type { PermissionKind, SweepPermissionState } from '@kassa/contract/sweeps/machine.ts'
import type { ColumnType, Generated, Selectable } from 'kysely'

import type { BigSerialId, Json, UnitsOrNull, UnitsWithDefault } from '../../../db/columns.ts'

type Height = ColumnType<bigint | null, number | null | undefined, number | null>

export type ApprovalState = 'open' | 'signed' | 'lapsed'

export type SweepPermissionTables = {
  sweep_batches: {
    id: BigSerialId
    blockchain_id: number
    asset_id: number
    vault: string
    collector: string
    gas_wallet_id: number | null
    created_by: number | null
    created_at: Date
    expires_at: Date
  }
  sweep_approvals: {
    id: BigSerialId
    batch_id: bigint
    address_id: bigint
    asset_id: number
    kind: PermissionKind
    permission: Json<PermissionJson>
    state: ColumnType<ApprovalState, never, ApprovalState>
    locked_until: Date
    top_up_units: UnitsWithDefault
    top_up_ceiling: UnitsWithDefault
    top_up_send_id: ColumnType<bigint | null, never, bigint | null>
    topped_up_at: ColumnType<Date | null, never, Date | null>
    top_up_entries: Generated<number>
  }
  sweep_permissions: {
    id: BigSerialId
    address_id: bigint
    blockchain_id: number
    asset_id: number | null
    approval_id: bigint | null
    kind: PermissionKind
    state: SweepPermissionState
    vault: string
    collector: string
    permission: Json<PermissionJson>
    signature: ColumnType<object | null, string | null, never>
    digest: Buffer | null
    tx_id: string | null
    raw: Buffer | null
    body: ColumnType<Record<string, string | null> | null, string | null, never>
    sequence: UnitsOrNull
    valid_until: Date | null
    max_fee: UnitsOrNull
    planned_height: Height
    height: Height
    fee_units: ColumnType<string | null, never, bigint | null>
    entries: Generated<number>
    checked_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    created_at: Date
    approved_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
}

/** Columns of other modules: whose address it is, what it holds, and whether a sweep has it. */
export type SweepPermissionReads = {
  addresses: {
    id: bigint
    wallet_id: number
    family_id: number
    address: string
    derivation_index: number
    path: string
    status: 'open' | 'assigned' | 'withheld'
    project_id: number | null
  }
  assets: { id: number; blockchain_id: number; standard: string; address: string }
}

export type BatchRow = Selectable<SweepPermissionTables['sweep_batches']>
export type ApprovalRow = Selectable<SweepPermissionTables['sweep_approvals']>
export type PermissionRow = Selectable<SweepPermissionTables['sweep_permissions']>
