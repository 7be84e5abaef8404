import type { OfflineState } from '@kassa/contract/sweeps/offline-schemas.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import type { SweepRow } from '../record/tables.ts'

/** A sweep that a device signs, with the newest of its transactions. */
export type FoundBatch = Pick<
  SweepRow,
  'id' | 'asset_id' | 'wallet_id' | 'status' | 'collector' | 'created_at' | 'expires_at'
> & {
  readonly tx_id: string
  readonly fee_units: string
  readonly is_signed: boolean
  readonly inputs: number
  readonly units: string
}

type Filter = {
  readonly projectIds: ProjectScope['projectIds']
  readonly id?: bigint
  readonly blockchainId?: number
  readonly status?: OfflineState
}

const FOUND = sql`
  FROM sweeps AS sweep
  JOIN LATERAL (
    SELECT psbt.tx_id, psbt.fee_units::text AS fee_units, psbt.raw IS NOT NULL AS is_signed FROM sweep_psbts AS psbt
    WHERE psbt.sweep_id = sweep.id ORDER BY psbt.n DESC LIMIT 1
  ) AS newest ON true`

/** Lists batches in reading order, newest first. */
export async function listBatches(
  ctx: Context,
  filter: Filter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<FoundBatch[]> {
  const { rows } = await sql<FoundBatch>`
    SELECT sweep.id, sweep.asset_id, sweep.wallet_id, sweep.status, sweep.collector, sweep.created_at, sweep.expires_at, newest.*,
      (SELECT count(*)::int FROM sweep_inputs AS input WHERE input.sweep_id = sweep.id) AS inputs,
      (SELECT sum(units)::text FROM sweep_inputs AS input WHERE input.sweep_id = sweep.id) AS units
    ${FOUND} WHERE ${conditionOf(filter)} ORDER BY sweep.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(ctx.db)
  return rows
}

/** Counts batches. */
export async function countBatches(ctx: Context, filter: Filter): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n ${FOUND} WHERE ${conditionOf(filter)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

const STATES = {
  pending: sql`NOT newest.is_signed AND sweep.status IN ('planned', 'sweep-initiated', 'broadcast')`,
  'in-progress': sql`newest.is_signed AND sweep.status IN ('sweep-initiated', 'broadcast')`,
  done: sql`sweep.status = 'completed'`,
} as const satisfies Record<OfflineState, RawBuilder<unknown>>

/** A caller sees a batch when they may see all of its money, because its transaction cannot be shown or signed in part. */
function conditionOf({ projectIds, id, blockchainId, status }: Filter): RawBuilder<unknown> {
  const conditions = [
    sql`sweep.sent_by = 'device' AND sweep.status NOT IN ('sweep-cancelled', 'failed')`,
    ...(projectIds === 'every'
      ? []
      : [
          sql`NOT EXISTS (SELECT FROM sweep_items AS item WHERE item.sweep_id = sweep.id
            AND (item.project_id = ANY(${[...projectIds]}::int[])) IS NOT TRUE)`,
        ]),
    ...(id === undefined ? [] : [sql`sweep.id = ${id}`]),
    ...(blockchainId === undefined ? [] : [sql`sweep.blockchain_id = ${blockchainId}`]),
    ...(status === undefined ? [] : [STATES[status]]),
  ]
  return sql.join(conditions, sql` AND `)
}

export type UnderWay = Pick<SweepRow, 'id' | 'blockchain_id' | 'tx_id'>

/** Lists batches that wait for a signature; oldest first. */
export async function listWaiting(ctx: Context): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM sweeps WHERE sent_by = 'device' AND status = 'planned' ORDER BY id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Lists sweeps of devices that are signed and not decided; oldest first. */
export async function listUnderWay(ctx: Context): Promise<UnderWay[]> {
  const { rows } = await sql<UnderWay>`
    SELECT id, blockchain_id, tx_id FROM sweeps
    WHERE sent_by = 'device' AND status IN ('sweep-initiated', 'broadcast') AND final_height IS NULL ORDER BY id`.execute(
    ctx.db,
  )
  return rows
}

/**
 * Outputs that a sweep spends and that a reorganisation has taken off our branch. That the address has received as much again
 * does not help: a transaction spends outputs, not balances.
 */
const LOST_INPUTS = sql`
  FROM sweep_inputs AS input JOIN deposits AS lost ON lost.blockchain_id = input.blockchain_id AND lost.tx_id = input.tx_id
    AND lost.leg = 'vout:' || input.vout AND lost.status = 'reverted'
  WHERE input.sweep_id = sweep.id AND NOT EXISTS (
    SELECT FROM deposits AS alive WHERE alive.blockchain_id = lost.blockchain_id AND alive.tx_id = lost.tx_id
      AND alive.leg = lost.leg AND alive.status <> 'reverted')`

/**
 * Lists batches that wait for a signature in vain: somebody else moved money of their addresses meanwhile, or their deposits
 * are gone. A transfer that was seen before the batch and is not booked counts too, because the plan may be older, or its node
 * may lag.
 */
export async function listObsoleteBatches(ctx: Context): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT sweep.id FROM sweeps AS sweep
    WHERE sweep.sent_by = 'device' AND sweep.status = 'planned' AND EXISTS (
      SELECT FROM sweep_items AS item
      LEFT JOIN accounts AS account ON account.kind = 'chain:deposit-addresses' AND account.unit_id = item.asset_id
        AND account.owner_key = 'address:' || item.address_id
      WHERE item.sweep_id = sweep.id AND (
        coalesce(account.debits - account.credits, 0) - coalesce(
          (SELECT sum(move.units) FROM movements AS move WHERE move.from_address_id = item.address_id
            AND move.asset_id = item.asset_id AND move.status = 'seen' AND move.sweep_id IS DISTINCT FROM sweep.id
            AND move.from_address IS DISTINCT FROM move.to_address), 0) < item.units
        OR EXISTS (SELECT FROM movements AS move WHERE move.from_address_id = item.address_id AND move.asset_id = item.asset_id
          AND move.status <> 'reverted' AND move.sweep_id IS DISTINCT FROM sweep.id AND move.seen_at > sweep.created_at))
      UNION ALL SELECT ${LOST_INPUTS}
    ) ORDER BY sweep.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/**
 * Whether coins of a sweep are gone: a final transfer of somebody else took money from one of its addresses that the ledger
 * held there when the sweep was planned (it may have been seen before), an address was released because its deposit was
 * reverted, or a branch without one of the outputs is as deep as final ones are. What the sweep itself moved is not gone.
 */
export async function areCoinsGone(ctx: Context, sweepId: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 AS one WHERE NOT EXISTS (SELECT FROM movements WHERE sweep_id = ${sweepId} AND status <> 'reverted') AND EXISTS (
    SELECT FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
    JOIN movements AS move ON move.from_address_id = item.address_id AND move.asset_id = item.asset_id
    WHERE item.sweep_id = ${sweepId} AND move.sweep_id IS DISTINCT FROM sweep.id
      AND coalesce(move.final_at, 'infinity') > sweep.created_at
      AND move.confirmations_required <= (
        SELECT cursor.height - move.height + 1 FROM chain_cursors AS cursor WHERE cursor.blockchain_id = sweep.blockchain_id)
      AND move.status <> 'reverted'
    UNION ALL
    SELECT FROM sweep_items WHERE sweep_id = ${sweepId} AND state = 'released'
    UNION ALL
    SELECT FROM sweeps AS sweep WHERE sweep.id = ${sweepId} AND EXISTS (SELECT ${LOST_INPUTS} AND lost.confirmations_required <= (
      SELECT cursor.height - lost.height + 1 FROM chain_cursors AS cursor WHERE cursor.blockchain_id = sweep.blockchain_id)))`.execute(
    ctx.db,
  )
  return rows.length > 0
}
