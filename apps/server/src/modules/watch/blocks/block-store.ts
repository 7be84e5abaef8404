import type { BlockRef } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { Place } from './branch-rules.ts'
import type { WatchTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables>()

/** Finds the node that the newest block was read from. */
export async function newestNodeId(ctx: Context, blockchainId: number): Promise<number | null> {
  const row = await tables(ctx)
    .selectFrom('chain_blocks')
    .select('node_id')
    .where('blockchain_id', '=', blockchainId)
    .orderBy('height', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.node_id ?? null
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
  const above = BigInt(height)
  const blocks = tables(ctx).deleteFrom('chain_blocks').where('blockchain_id', '=', blockchainId)
  await blocks.where('height', '>', above).execute()
  const quarantined = tables(ctx).deleteFrom('quarantined_blocks').where('blockchain_id', '=', blockchainId)
  await quarantined.where('height', '>', above).execute()
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

/** Keeps a block that holds deposits which were found later: it may have left the window. */
export async function keepBlock(
  ctx: Context,
  blockchainId: number,
  { block, transfers, nodeId }: { block: BlockRef; transfers: number; nodeId: number },
): Promise<void> {
  await tables(ctx)
    .insertInto('chain_blocks')
    .values({
      blockchain_id: blockchainId,
      height: block.height,
      hash: block.hash,
      parent_hash: block.parentHash,
      mined_at: block.minedAt,
      node_id: nodeId,
      transfers,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['blockchain_id', 'height'])
        .doUpdateSet((eb) => ({ transfers: eb('chain_blocks.transfers', '+', transfers) })),
    )
    .execute()
}
