import type { BlockFacts, ChainSession } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'

import type { Context } from '../../../context.ts'
import { type ReceivedBlock, creditBlocks, lockForCrediting } from '../../payments/crediting/service.ts'
import { withoutCredited } from '../matching/uncredited-transfers.ts'
import { type Matching, matchTransfers } from '../matching/match-transfers.ts'
import { findBlock, retainBlock } from '../blocks/block-store.ts'
import { type Cursor, lockPosition } from '../blocks/cursor-store.ts'

/** A block of the chain with what was found in it. */
export type FoundBlock = Pick<BlockFacts, 'block' | 'transfers'>

/**
 * Credits blocks that were read again, by the path of the follower and without moving its cursor; deposits that are
 * deep enough become final at once. Runs in the caller's transaction; returns how many deposits were not known before.
 * @throws RetryableRpcError when they are not on our branch, or the follower has not read them yet
 */
export async function creditReread(
  tx: Context,
  { chain, node }: ChainSession,
  { facts, ...matching }: Omit<Matching, 'chain'> & { facts: readonly FoundBlock[] },
): Promise<number> {
  const blockchainId = chain.blockchain.id
  const position = await lockPosition(tx, blockchainId)
  const found: ReceivedBlock[] = []
  for (const { block, transfers } of facts) {
    await requireOurs(tx, position, block)
    const matched = await matchTransfers(tx, { chain, ...matching }, transfers)
    if (matched.length > 0) found.push({ block, transfers: matched })
  }
  if (found.length === 0) return 0
  const place = { blockchainId, tip: position.height, finalized: position.finalizedHeight }
  await lockForCrediting(tx, { ...place, blocks: found })
  const blocks: ReceivedBlock[] = []
  for (const { block, transfers } of found) {
    const fresh = await withoutCredited(tx, { blockchainId, nodeId: node.id }, block, transfers)
    if (fresh.length === 0) continue
    await retainBlock(tx, blockchainId, { block, transfers: fresh.length, nodeId: node.id })
    blocks.push({ block, transfers: fresh })
  }
  if (blocks.length > 0) await creditBlocks(tx, { ...place, blocks })
  return blocks.reduce((found, { transfers }) => found + transfers.length, 0)
}

async function requireOurs(tx: Context, place: Cursor, block: BlockFacts['block']): Promise<void> {
  if (block.height > place.height) {
    throw new RetryableRpcError(
      'inconsistent',
      `Block ${block.height} was not read yet: the reader is at ${place.height}`,
    )
  }
  const ours = await findBlock(tx, place.blockchainId, block.height)
  if (ours && ours.hash !== block.hash) {
    throw new RetryableRpcError('inconsistent', `Block ${block.height} of the node is not the one we read`)
  }
}
