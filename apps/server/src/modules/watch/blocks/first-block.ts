import type { BlockRef, ChainReader, ChainSession, Heads } from '@kassa/chains/adapter.ts'
import { BLOCKS_ONLY, reorgLimitOf } from '@kassa/chains/chain.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'

import type { Context } from '../../../context.ts'
import { blocksToGoBack, startHeight } from './branch-rules.ts'

/** Heights below a wanted one that are asked for with it, where a chain may leave heights out. */
const MOST_LEFT_OUT = 8

type NewChain = {
  readonly reader: ChainReader
  readonly session: ChainSession
  readonly heads: Heads
  /** When the chain became active; null when that is not known. */
  readonly since: Date | null
}

/**
 * Finds the block that reading of a new chain starts with: no later than where the chain was when it became active, because
 * customers may have paid to addresses they had, however long no node of it could be read. A node that no longer has blocks so
 * old is read from the newest one that may be the first.
 * @throws RetryableRpcError or NodeRejected when it does not have that one either
 */
export async function findFirstBlock(ctx: Context, { reader, session, heads, since }: NewChain): Promise<BlockRef> {
  const blockAt = async (height: number) => {
    const from = reader.leavesHeightsOut ? Math.max(0, height - MOST_LEFT_OUT) : height
    return (await reader.blocks(session, { from, to: height }, BLOCKS_ONLY)).at(-1)?.block
  }
  const height = startHeight(heads.latest.height, heads.finalized?.height, reorgLimitOf(session))
  const newest = await blockAt(height)
  if (!newest) throw new RetryableRpcError('inconsistent', `${session.node.label} has no block ${height}`)
  if (since === null) return newest
  try {
    return await olderThan(newest, { since, blockAt, blockSeconds: session.chain.blockchain.blockSeconds })
  } catch (error) {
    if (!(error instanceof NodeRejected)) throw error
    ctx.log.warn({ err: error, from: height, since }, 'a node no longer has the blocks since its chain became active')
    return newest
  }
}

type Search = {
  readonly since: Date
  readonly blockAt: (height: number) => Promise<BlockRef | undefined>
  readonly blockSeconds: number
}

/** @throws NodeRejected when the node has no block that is old enough */
async function olderThan(newest: BlockRef, { since, blockAt, blockSeconds }: Search): Promise<BlockRef> {
  let block = newest
  for (let tries = 1; block.height > 0; tries += 1) {
    const back = blocksToGoBack(block, since, blockSeconds)
    if (back === 0) break
    const height = Math.max(0, block.height - back * tries)
    const older = await blockAt(height)
    if (!older) throw new NodeRejected(`It has no block ${height}`)
    block = older
  }
  return block
}
