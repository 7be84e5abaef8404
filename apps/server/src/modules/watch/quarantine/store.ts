import type { BlockRef } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import type { DecodeFailure } from '../blocks/read-blocks.ts'
import type { Place } from '../blocks/branch-rules.ts'
import type { WatchTables } from '../blocks/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables>()

export type QuarantinedBlock = {
  readonly height: number
  readonly hash: string
  readonly tries: number
  readonly firstAt: Date
  readonly concernsUs: boolean
}

/** Notes a block that could not be read, so that it is tried again while reading goes on. */
export async function insertQuarantined(
  ctx: Context,
  odd: { blockchainId: number; block: BlockRef; nodeId: number; oddity: DecodeFailure },
): Promise<void> {
  await tables(ctx)
    .insertInto('quarantined_blocks')
    .values({
      blockchain_id: odd.blockchainId,
      height: odd.block.height,
      hash: odd.block.hash,
      node_id: odd.nodeId,
      error: odd.oddity.error,
      payload_hash: odd.oddity.payloadHash,
      transactions: [...odd.oddity.transactions],
      concerns_us: odd.oddity.concernsUs,
      first_at: ctx.now(),
      solved_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists the blocks of a blockchain that still could not be read, lowest first. */
export async function listQuarantined(ctx: Context, blockchainId: number): Promise<QuarantinedBlock[]> {
  const rows = await tables(ctx)
    .selectFrom('quarantined_blocks')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('state', '=', 'open')
    .orderBy('height')
    .execute()
  return rows.map((row) => ({
    height: Number(row.height),
    hash: row.hash,
    tries: row.tries,
    firstAt: row.first_at,
    concernsUs: row.concerns_us,
  }))
}

/** Notes another try to read an odd block: solved, or one more failure; false when the chain has left it meanwhile. */
export async function updateQuarantined(
  ctx: Context,
  blockchainId: number,
  { hash, height }: Place,
  isSolved: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('quarantined_blocks')
    .set((eb) => ({
      tries: eb('tries', '+', 1),
      state: isSolved ? 'solved' : 'open',
      solved_at: isSolved ? ctx.now() : null,
    }))
    .where('blockchain_id', '=', blockchainId)
    .where('height', '=', BigInt(height))
    .where('hash', '=', hash)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
