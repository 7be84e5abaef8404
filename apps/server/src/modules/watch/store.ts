import type { BlockRef } from '@kassa/chains/adapter.ts'
import { type Selectable, sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { Place } from './rules.ts'
import type { WatchTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables>()

/** Where reading of a blockchain stands, and on whose behalf. */
export type Cursor = {
  readonly blockchainId: number
  readonly height: number
  readonly hash: string
  readonly finalizedHeight: number
  /** Grows with every new leader; a leader of an older epoch can no longer move the cursor. */
  readonly epoch: bigint
  readonly state: 'running' | 'behind' | 'halted'
}

/** The cursor was moved or taken over by another process: nothing this one does may count. */
export class LostLeadership extends Error {
  constructor(blockchainId: number) {
    super(`Another process reads blockchain ${blockchainId} now`)
    this.name = 'LostLeadership'
  }
}

/** Finds where reading stands, or undefined before the first block. */
export async function findCursor(ctx: Context, blockchainId: number): Promise<Cursor | undefined> {
  const row = await tables(ctx)
    .selectFrom('chain_cursors')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Lists the blockchains whose reading was halted until a person looks. */
export async function listHalted(ctx: Context): Promise<number[]> {
  const rows = await tables(ctx)
    .selectFrom('chain_cursors')
    .select('blockchain_id')
    .where('state', '=', 'halted')
    .execute()
  return rows.map((row) => row.blockchain_id)
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

/** Places the cursor of a new chain on its first block. @throws LostLeadership when another process did */
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
      finalized_hash: null,
      epoch: 1n,
      holder: input.holder,
      state: 'running',
      reason: null,
      updated_at: ctx.now(),
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
  readonly state: 'running' | 'behind'
  readonly addressHigh?: bigint
}

/**
 * Moves the cursor if it still stands where this leader left it: the compare-and-set that keeps two leaders from both
 * committing (money.md 2.2, 2.9). @throws LostLeadership otherwise
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
      state: to.state,
      reason: null,
      updated_at: ctx.now(),
      ...(to.addressHigh !== undefined && { address_high: to.addressHigh }),
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

/** Locks the cursor where this leader left it without moving it. @throws LostLeadership */
export async function holdCursor(ctx: Context, cursor: Cursor): Promise<void> {
  const row = await tables(ctx)
    .selectFrom('chain_cursors')
    .select('height')
    .where('blockchain_id', '=', cursor.blockchainId)
    .where('epoch', '=', cursor.epoch)
    .where('hash', '=', cursor.hash)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new LostLeadership(cursor.blockchainId)
}

/** Notes why reading does not go on; only the leader of the cursor's epoch may. */
export async function updateState(
  ctx: Context,
  cursor: Cursor,
  { state, reason }: { state: 'behind' | 'halted'; reason: string },
): Promise<void> {
  await tables(ctx)
    .updateTable('chain_cursors')
    .set({ state, reason, updated_at: ctx.now() })
    .where('blockchain_id', '=', cursor.blockchainId)
    .where('epoch', '=', cursor.epoch)
    .execute()
}

/** Lists our blocks from a height up, ascending. */
export async function listBlocks(ctx: Context, blockchainId: number, from: number): Promise<BlockRef[]> {
  const rows = await tables(ctx)
    .selectFrom('chain_blocks')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>=', BigInt(from))
    .orderBy('height')
    .execute()
  return rows.map((row) => ({
    height: Number(row.height),
    hash: row.hash,
    parentHash: row.parent_hash,
    minedAt: row.mined_at,
  }))
}

/** Finds our block at a height. */
export async function findBlock(ctx: Context, blockchainId: number, height: number): Promise<Place | undefined> {
  const row = await tables(ctx)
    .selectFrom('chain_blocks')
    .select(['height', 'hash'])
    .where('blockchain_id', '=', blockchainId)
    .where('height', '=', BigInt(height))
    .executeTakeFirst()
  return row && { height: Number(row.height), hash: row.hash }
}

/** Adds blocks to the window of what we know to be canonical, each with how many deposits it holds. */
export async function insertBlocks(
  ctx: Context,
  blockchainId: number,
  blocks: readonly { block: BlockRef; transfers: number }[],
  nodeId: number,
): Promise<void> {
  await sql`
    INSERT INTO chain_blocks (blockchain_id, height, hash, parent_hash, mined_at, node_id, transfers)
    SELECT ${blockchainId}, height, hash, parent_hash, mined_at, ${nodeId}, transfers
    FROM unnest(
      ${blocks.map(({ block }) => block.height)}::bigint[], ${blocks.map(({ block }) => block.hash)}::text[],
      ${blocks.map(({ block }) => block.parentHash)}::text[],
      ${blocks.map(({ block }) => block.minedAt.toISOString())}::timestamptz[],
      ${blocks.map(({ transfers }) => transfers)}::int[]
    ) AS given (height, hash, parent_hash, mined_at, transfers)`.execute(ctx.db)
}

/** Removes the blocks of a height range that hold no deposit and are not quarantined: they have left the window. */
export async function pruneBlocks(
  ctx: Context,
  blockchainId: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await sql`
    DELETE FROM chain_blocks AS block
    WHERE blockchain_id = ${blockchainId} AND height BETWEEN ${from} AND ${to} AND transfers = 0 AND NOT EXISTS (
      SELECT FROM quarantined_blocks AS odd
      WHERE odd.blockchain_id = block.blockchain_id AND odd.height = block.height AND odd.state = 'open'
    )`.execute(ctx.db)
}

/** Forgets our blocks above a height, quarantined ones included: the chain has left them. */
export async function deleteBlocksAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  for (const table of ['chain_blocks', 'quarantined_blocks'] as const) {
    await tables(ctx)
      .deleteFrom(table)
      .where('blockchain_id', '=', blockchainId)
      .where('height', '>', BigInt(height))
      .execute()
  }
}

export type OddBlock = {
  readonly height: number
  readonly hash: string
  readonly tries: number
  readonly firstAt: Date
}

/** Notes a block that could not be read, so that it is tried again while reading goes on. */
export async function insertOddBlock(
  ctx: Context,
  odd: { blockchainId: number; block: BlockRef; nodeId: number; error: string },
): Promise<void> {
  await tables(ctx)
    .insertInto('quarantined_blocks')
    .values({
      blockchain_id: odd.blockchainId,
      height: odd.block.height,
      hash: odd.block.hash,
      node_id: odd.nodeId,
      error: odd.error,
      first_at: ctx.now(),
      solved_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists the blocks of a blockchain that still could not be read, lowest first. */
export async function listOddBlocks(ctx: Context, blockchainId: number): Promise<OddBlock[]> {
  const rows = await tables(ctx)
    .selectFrom('quarantined_blocks')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('state', '=', 'open')
    .orderBy('height')
    .execute()
  return rows.map((row) => ({ height: Number(row.height), hash: row.hash, tries: row.tries, firstAt: row.first_at }))
}

/** Notes another try to read an odd block: solved, or one more failure. */
export async function updateOddBlock(
  ctx: Context,
  blockchainId: number,
  { hash, height }: Place,
  isSolved: boolean,
): Promise<void> {
  await tables(ctx)
    .updateTable('quarantined_blocks')
    .set((eb) => ({
      tries: eb('tries', '+', 1),
      state: isSolved ? 'solved' : 'open',
      solved_at: isSolved ? ctx.now() : null,
    }))
    .where('blockchain_id', '=', blockchainId)
    .where('height', '=', BigInt(height))
    .where('hash', '=', hash)
    .execute()
}

/** Adds deposits found later to the count of their block, so that the window keeps it. */
export async function countTransfers(ctx: Context, blockchainId: number, height: number, found: number): Promise<void> {
  await tables(ctx)
    .updateTable('chain_blocks')
    .set((eb) => ({ transfers: eb('transfers', '+', found) }))
    .where('blockchain_id', '=', blockchainId)
    .where('height', '=', BigInt(height))
    .execute()
}

function fromRow(row: Selectable<WatchTables['chain_cursors']>): Cursor {
  return {
    blockchainId: row.blockchain_id,
    height: Number(row.height),
    hash: row.hash,
    finalizedHeight: Number(row.finalized_height),
    epoch: row.epoch,
    state: row.state,
  }
}
