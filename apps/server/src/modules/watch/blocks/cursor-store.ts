import type { BlockRef } from '@kassa/chains/adapter.ts'
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { NoticeCause, StopCause } from '@kassa/contract/blockchains/reading-reasons.ts'
import type { WatchTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables>()

/** How far a blockchain is read, and by which leader. */
export type Cursor = {
  readonly blockchainId: number
  readonly height: number
  readonly hash: string
  readonly finalizedHeight: number
  /** Our block at that height; null when none is final, or it was never read. */
  readonly finalizedHash: string | null
  /** Grows with every new leader; a leader of an older epoch can no longer move the cursor. */
  readonly epoch: bigint
  readonly state: 'running' | 'behind' | 'halted'
  /** When finality last grew, or when it was first read. */
  readonly finalizedAt: Date | null
  readonly notice: NoticeCause | null
  /** The block to resume from, set by an operator; null when none is set. */
  readonly resumeTo: number | null
  /** The highest block whose internal transfers no node could show; −1 when there was none. */
  readonly untracedTo: number
}

/** Another process moved the cursor or took it over: the current transaction must be rolled back. */
export class LostLeadership extends Error {
  constructor(blockchainId: number) {
    super(`Another process reads blockchain ${blockchainId} now`)
    this.name = 'LostLeadership'
  }
}

/** Finds the cursor, or undefined before the first block. */
export async function findCursor(ctx: Context, blockchainId: number): Promise<Cursor | undefined> {
  const row = await tables(ctx)
    .selectFrom('chain_cursors')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Lists the blockchains whose reading is halted until an operator resumes it. */
export async function listHalted(ctx: Context): Promise<number[]> {
  const rows = await tables(ctx)
    .selectFrom('chain_cursors')
    .select('blockchain_id')
    .where('state', '=', 'halted')
    .execute()
  return rows.map((row) => row.blockchain_id)
}

/** Resumes halted reading, from block `to` when it is given; false when it is not halted. */
export async function updateResumed(ctx: Context, blockchainId: number, to: number | null): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('chain_cursors')
    .set({ state: 'running', stop_cause: null, resume_to: to, updated_at: ctx.now() })
    .where('blockchain_id', '=', blockchainId)
    .where('state', '=', 'halted')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Takes the cursor over under the next epoch; undefined before the first block. */
export async function raiseEpoch(ctx: Context, blockchainId: number, holder: string): Promise<Cursor | undefined> {
  const row = await tables(ctx)
    .updateTable('chain_cursors')
    .set((eb) => ({ epoch: eb('epoch', '+', 1n), holder }))
    .where('blockchain_id', '=', blockchainId)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Inserts the cursor of a new chain at its first block. @throws LostLeadership when another process did */
export async function insertCursor(
  ctx: Context,
  input: { blockchainId: number; block: BlockRef; headHeight: number; finalizedHeight: number; holder: string },
): Promise<Cursor> {
  const { block } = input
  const row = await tables(ctx)
    .insertInto('chain_cursors')
    .values({
      blockchain_id: input.blockchainId,
      height: block.height,
      hash: block.hash,
      parent_hash: block.parentHash,
      block_time: block.minedAt,
      head_height: input.headHeight,
      finalized_height: input.finalizedHeight,
      finalized_hash: input.finalizedHeight < 0 ? null : block.hash,
      epoch: 1n,
      holder: input.holder,
      state: 'running',
      stop_cause: null,
      updated_at: ctx.now(),
      head_at: ctx.now(),
      checked_at: ctx.now(),
      finalized_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new LostLeadership(input.blockchainId)
  return fromRow(row)
}

export type Movement = {
  readonly block: BlockRef
  readonly headHeight: number
  readonly finalizedHeight: number
  readonly finalizedHash: string | null
  readonly state: 'running' | 'behind'
  readonly addressHigh?: bigint
  /** The highest of these blocks whose internal transfers no node could show; absent when all could be traced. */
  readonly untracedTo?: number | undefined
}

/** The chain counts as behind from this many unread blocks on (money.md 2.10). */
const BEHIND_BLOCKS = 5

/**
 * Moves the cursor if it is still where this leader left it: the compare-and-set that stops two leaders from both
 * committing (money.md 2.2, 2.9).
 * @throws LostLeadership otherwise
 */
export async function moveCursor(ctx: Context, cursor: Cursor, to: Movement): Promise<Cursor> {
  const row = await tables(ctx)
    .updateTable('chain_cursors')
    .set({
      height: to.block.height,
      hash: to.block.hash,
      parent_hash: to.block.parentHash,
      block_time: to.block.minedAt,
      head_height: to.headHeight,
      finalized_height: to.finalizedHeight,
      finalized_hash: to.finalizedHash,
      state: to.state,
      stop_cause: null,
      updated_at: ctx.now(),
      ...sinceWhen(ctx.now(), to),
      ...(to.addressHigh !== undefined && { address_high: to.addressHigh }),
      ...(to.untracedTo !== undefined && { untraced_to: sql<number>`greatest(untraced_to, ${to.untracedTo}::bigint)` }),
    })
    .where('blockchain_id', '=', cursor.blockchainId)
    .where('epoch', '=', cursor.epoch)
    .where('hash', '=', cursor.hash)
    .where('state', '<>', 'halted')
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new LostLeadership(cursor.blockchainId)
  return fromRow(row)
}

/** The times that lag alarms use: each stays unchanged until its height grows. */
function sinceWhen(now: Date, to: Movement) {
  const when = sql<Date>`${now}::timestamptz`
  const unchangedUnless = (column: string, isNewer: ReturnType<typeof sql<boolean>>) =>
    sql<Date>`CASE WHEN ${isNewer} THEN ${when} ELSE coalesce(${sql.ref(column)}, ${when}) END`
  return {
    checked_at: now,
    resume_to: null,
    head_at: unchangedUnless('head_at', sql<boolean>`head_height < ${to.headHeight}`),
    finalized_at: unchangedUnless('finalized_at', sql<boolean>`finalized_height < ${to.finalizedHeight}`),
    behind_since: to.headHeight - to.block.height > BEHIND_BLOCKS ? sql<Date>`coalesce(behind_since, ${when})` : null,
  }
}

/** Records that the leader reached the chain although nothing moved; returns the state that others see. */
export async function updateCheckedAt(
  ctx: Context,
  { blockchainId, epoch }: Cursor,
): Promise<Cursor['state'] | undefined> {
  const row = await tables(ctx)
    .updateTable('chain_cursors')
    .set({ checked_at: ctx.now() })
    .where('blockchain_id', '=', blockchainId)
    .where('epoch', '=', epoch)
    .returning('state')
    .executeTakeFirst()
  return row?.state
}

/** Marks a blockchain as behind when its leader has not reached it since a time; payers see that. */
export async function updateUnread(ctx: Context, blockchainId: number, since: Date, cause: StopCause): Promise<void> {
  await tables(ctx)
    .updateTable('chain_cursors')
    .set({ state: 'behind', stop_cause: JSON.stringify(cause) })
    .where('blockchain_id', '=', blockchainId)
    .where('state', '=', 'running')
    .where('checked_at', '<', since)
    .execute()
}

/** Sets the notice for operators while reading continues; null clears it. */
export async function updateNotice(ctx: Context, cursor: Cursor, notice: NoticeCause | null): Promise<void> {
  await tables(ctx)
    .updateTable('chain_cursors')
    .set({ notice_cause: notice && JSON.stringify(notice) })
    .where('blockchain_id', '=', cursor.blockchainId)
    .where('epoch', '=', cursor.epoch)
    .execute()
}

/**
 * Locks the cursor for its leader of this epoch, at whatever position it is by now; for changes besides the polls.
 * @throws LostLeadership when another process leads
 */
export async function lockCursor(ctx: Context, { blockchainId, epoch }: Cursor): Promise<Cursor> {
  const row = await tables(ctx)
    .selectFrom('chain_cursors')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('epoch', '=', epoch)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new LostLeadership(blockchainId)
  return fromRow(row)
}

/** Locks the cursor also where another process leads, for changes by any process. @throws Error before the first block */
export async function lockPosition(ctx: Context, blockchainId: number): Promise<Cursor> {
  const row = await tables(ctx)
    .selectFrom('chain_cursors')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Error(`Blockchain ${blockchainId} is not read yet`)
  return fromRow(row)
}

/** Stores why reading stopped; only the leader of the cursor's epoch may. */
export async function updateState(
  ctx: Context,
  cursor: Cursor,
  { state, cause }: { state: 'behind' | 'halted'; cause: StopCause },
): Promise<void> {
  await tables(ctx)
    .updateTable('chain_cursors')
    .set({ state, stop_cause: JSON.stringify(cause), updated_at: ctx.now() })
    .where('blockchain_id', '=', cursor.blockchainId)
    .where('epoch', '=', cursor.epoch)
    .execute()
}

/** Lists the lag facts of each blockchain, as its leader stored them; by id. */
export async function listLagFacts(
  ctx: Context,
): Promise<Map<number, Omit<LagFacts, 'blockSeconds'> & Pick<Cursor, 'state'>>> {
  const rows = await tables(ctx).selectFrom('chain_cursors').selectAll().execute()
  return new Map(
    rows.map((row) => [
      row.blockchain_id,
      {
        state: row.state,
        height: Number(row.height),
        headHeight: Number(row.head_height),
        behindSince: row.behind_since,
        headAt: row.head_at,
        checkedAt: row.checked_at,
      },
    ]),
  )
}

function fromRow(row: Selectable<WatchTables['chain_cursors']>): Cursor {
  return {
    blockchainId: row.blockchain_id,
    height: Number(row.height),
    hash: row.hash,
    finalizedHeight: Number(row.finalized_height),
    finalizedHash: row.finalized_hash,
    epoch: row.epoch,
    state: row.state,
    finalizedAt: row.finalized_at,
    notice: row.notice_cause,
    resumeTo: row.resume_to === null ? null : Number(row.resume_to),
    untracedTo: Number(row.untraced_to),
  }
}

/** The facts that lag alarms are computed from. */
export type LagFacts = {
  readonly blockSeconds: number
  readonly height: number
  readonly headHeight: number
  /** Since when it is more than five blocks behind; null while it is not. */
  readonly behindSince: Date | null
  /** When the head last grew, and when a leader last reached the chain at all. */
  readonly headAt: Date | null
  readonly checkedAt: Date | null
}
