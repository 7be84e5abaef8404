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

/** A block with its number of deposits. */
export type CountedBlock = { readonly block: BlockRef; readonly transfers: number }

/** Adds blocks to the window of canonical blocks. */
export async function insertBlocks(
  ctx: Context,
  blockchainId: number,
  blocks: readonly CountedBlock[],
  nodeId: number,
): Promise<void> {
  await inserting(blockchainId, blocks, nodeId).execute(ctx.db)
}

function inserting(blockchainId: number, blocks: readonly CountedBlock[], nodeId: number) {
  return sql`
    INSERT INTO chain_blocks (blockchain_id, height, hash, parent_hash, mined_at, node_id, transfers)
    SELECT ${blockchainId}::int, height, hash, parent_hash, mined_at, ${nodeId}::int, transfers
    FROM unnest(
      ${blocks.map(({ block }) => block.height)}::bigint[], ${blocks.map(({ block }) => block.hash)}::text[],
      ${blocks.map(({ block }) => block.parentHash)}::text[],
      ${blocks.map(({ block }) => block.minedAt.toISOString())}::timestamptz[],
      ${blocks.map(({ transfers }) => transfers)}::int[]
    ) AS input (height, hash, parent_hash, mined_at, transfers)`
}

/**
 * Adds blocks to the window and deletes those of a height range that have left it: they hold no deposit and are not
 * quarantined.
 */
export async function moveWindow(
  ctx: Context,
  blockchainId: number,
  { blocks, nodeId, left }: { blocks: readonly CountedBlock[]; nodeId: number; left: { from: number; to: number } },
): Promise<void> {
  await sql`
    WITH pruned AS (
      DELETE FROM chain_blocks AS block
      WHERE blockchain_id = ${blockchainId} AND height BETWEEN ${left.from} AND ${left.to} AND transfers = 0
        AND NOT EXISTS (
          SELECT FROM quarantined_blocks AS quarantined WHERE quarantined.blockchain_id = block.blockchain_id
            AND quarantined.height = block.height AND quarantined.state = 'open')
    ) ${inserting(blockchainId, blocks, nodeId)}`.execute(ctx.db)
}

/** Deletes our blocks above a height, quarantined ones included: the chain has left them. */
export async function deleteBlocksAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  const above = BigInt(height)
  const blocks = tables(ctx).deleteFrom('chain_blocks').where('blockchain_id', '=', blockchainId)
  await blocks.where('height', '>', above).execute()
  const quarantined = tables(ctx).deleteFrom('quarantined_blocks').where('blockchain_id', '=', blockchainId)
  await quarantined.where('height', '>', above).execute()
}

/** Adds deposits found later to the count of their block, so that the block stays in the window. */
export async function countTransfers(ctx: Context, blockchainId: number, height: number, found: number): Promise<void> {
  await tables(ctx)
    .updateTable('chain_blocks')
    .set((eb) => ({ transfers: eb('transfers', '+', found) }))
    .where('blockchain_id', '=', blockchainId)
    .where('height', '=', BigInt(height))
    .execute()
}

/** Stores a block whose deposits were found later, even when it has already left the window. */
export async function retainBlock(
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
