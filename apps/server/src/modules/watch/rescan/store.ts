import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WatchTables } from '../blocks/tables.ts'

/** Columns of `deposits` and of the customers who may have been paid. */
type ReadColumns = {
  deposits: { blockchain_id: number; tx_id: string; leg: string; status: string; block_hash: string }
}

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables & ReadColumns>()

/** A rescan of blocks, or of one transaction: who requested it, why, its progress and its result. */
export type Rescan = {
  readonly id: number
  readonly blockchainId: number
  /** What is left to read; null while the block of a single transaction is not known. */
  readonly range: { readonly from: number; readonly to: number } | null
  readonly txId: string | null
  readonly reason: string
  readonly by: string
  readonly isAudit: boolean
  readonly state: 'open' | 'done' | 'failed'
  /** Deposits that were not known before. */
  readonly found: number
  readonly error: string | null
  readonly createdAt: Date
}

export type NewRescan = {
  readonly blockchainId: number
  readonly range: { readonly from: number; readonly to: number } | null
  readonly txId: string | null
  readonly reason: string
  readonly by: string
  readonly auditDay?: string
}

/** Inserts a rescan as open, for any worker; undefined when the audit of that day exists. */
export async function insertRescan(ctx: Context, rescan: NewRescan): Promise<Rescan | undefined> {
  const row = await tables(ctx)
    .insertInto('rescans')
    .values({
      blockchain_id: rescan.blockchainId,
      from_height: rescan.range?.from ?? null,
      to_height: rescan.range?.to ?? null,
      next_height: rescan.range?.from ?? null,
      tx_id: rescan.txId,
      reason: rescan.reason,
      requested_by: rescan.by,
      audit_day: rescan.auditDay ?? null,
      created_at: ctx.now(),
      moved_at: new Date(0),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Finds a rescan. */
export async function findRescan(ctx: Context, id: number): Promise<Rescan | undefined> {
  const row = await tables(ctx).selectFrom('rescans').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** A rescan without progress for this long is taken over; a step with its pause is shorter. */
const IDLE_MS = 25_000

/** Takes an open rescan that no process works on: this one, or the oldest. */
export async function takeRescan(ctx: Context, id: number | null = null): Promise<Rescan | undefined> {
  const now = ctx.now()
  const [idleSince, tooLate] = [-IDLE_MS, IDLE_MS].map((ms) => new Date(now.getTime() + ms))
  // A time further ahead was set by a clock that has been corrected since.
  const { rows } = await sql<Selectable<WatchTables['rescans']>>`
    UPDATE rescans SET moved_at = ${now} WHERE id = (
      SELECT id FROM rescans WHERE state = 'open' AND (moved_at < ${idleSince} OR moved_at > ${tooLate}) AND (${id}::int IS NULL OR id = ${id})
      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING *`.execute(ctx.db)
  return rows[0] && fromRow(rows[0])
}

/** Moves an open rescan forward if it is still at `from`; false when another process did. */
export async function moveRescan(
  ctx: Context,
  id: number,
  step: { from: number; next: number; found: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('rescans')
    .set((eb) => ({ next_height: step.next, found: eb('found', '+', step.found), moved_at: ctx.now() }))
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('next_height', '=', BigInt(step.from))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Stores the block and the found deposits of a rescan of one transaction. */
export async function updateRescanBlock(
  ctx: Context,
  id: number,
  { height, found }: { height: number; found: number },
): Promise<void> {
  await tables(ctx)
    .updateTable('rescans')
    .set({ from_height: height, to_height: height, next_height: height + 1, found })
    .where('id', '=', id)
    .execute()
}

/** Ends a rescan that was read to its end, with a notice for people. */
export async function finishRescan(ctx: Context, id: number, note: string | null): Promise<void> {
  await tables(ctx)
    .updateTable('rescans')
    .set({ state: 'done', error: note, finished_at: ctx.now() })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

/** Ends a rescan that failed. */
export async function failRescan(ctx: Context, id: number, error: string): Promise<void> {
  await tables(ctx)
    .updateTable('rescans')
    .set({ state: 'failed', error, finished_at: ctx.now() })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

/**
 * Lists the keys of addresses of a family whose customers had an open payment after a time: an audit reads only these
 * (money.md W-9).
 */
export async function listKeysPaidSince(ctx: Context, familyId: number, since: Date): Promise<Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    SELECT address.key FROM addresses AS address
    WHERE address.family_id = ${familyId} AND EXISTS (
      SELECT FROM payments AS payment
      WHERE payment.customer_id = address.customer_id AND payment.expires_at >= ${since}
    )`.execute(ctx.db)
  return rows.map(({ key }) => key)
}

function fromRow(row: Selectable<WatchTables['rescans']>): Rescan {
  const { next_height: next, to_height: to } = row
  return {
    id: row.id,
    blockchainId: row.blockchain_id,
    range: next === null || to === null ? null : { from: Number(next), to: Number(to) },
    txId: row.tx_id,
    reason: row.reason,
    by: row.requested_by,
    isAudit: row.audit_day !== null,
    state: row.state,
    found: row.found,
    error: row.error,
    createdAt: row.created_at,
  }
}
