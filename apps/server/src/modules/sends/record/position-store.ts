import type { Context } from '../../../context.ts'
import type { ChainPosition } from './rules.ts'
import type { SendReads } from './tables.ts'

/**
 * Reads how far a blockchain is followed; null while it is not followed, or is halted until an operator decides. With `lock`, a
 * reorganisation waits until the open transaction has ended, and the transaction waits for a reorganisation under way.
 */
export async function readPosition(ctx: Context, blockchainId: number, lock?: 'lock'): Promise<ChainPosition | null> {
  const cursor = ctx.db
    .$extendTables<SendReads>()
    .selectFrom('chain_cursors')
    .select(['height', 'finalized_height', 'state'])
    .where('blockchain_id', '=', blockchainId)
  const row = await (lock ? cursor.forShare() : cursor).executeTakeFirst()
  if (!row || row.state === 'halted') return null
  return { tip: Number(row.height), finalized: Number(row.finalized_height) }
}
