import type { BlockFacts, ChainSession } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'

import type { Context } from '../../../context.ts'
import type { ReceivedBlock } from '../../payments/crediting/service.ts'
import { withoutCredited } from '../matching/uncredited-transfers.ts'
import { type Matched, type Matching, matchTransfers } from '../matching/match-transfers.ts'
import { lockForSettling, settle } from '../settlement/settle.ts'
import { findBlock, retainBlock } from '../blocks/block-store.ts'
import { type Cursor, lockPosition } from '../blocks/cursor-store.ts'

/** A block of the chain with the transfers found in it. */
export type FoundBlock = Pick<BlockFacts, 'block' | 'transfers'>

/**
 * Credits blocks that were read again, by the path of the follower and without moving its cursor; what is deep enough
 * becomes final at once. Runs in the caller's transaction; returns how many deposits and movements were not known before.
 * @throws RetryableRpcError when they are not on our branch, or the follower has not read them yet
 */
export async function creditReread(
  tx: Context,
  { chain, node }: ChainSession,
  { facts, ...matching }: Omit<Matching, 'chain'> & { facts: readonly FoundBlock[] },
): Promise<number> {
  const blockchainId = chain.blockchain.id
  const position = await lockPosition(tx, blockchainId)
  const found: (ReceivedBlock & Pick<Matched, 'moves'>)[] = []
  for (const { block, transfers } of facts) {
    await requireOurs(tx, position, block)
    const { deposits, moves } = await matchTransfers(tx, { chain, ...matching }, transfers)
    if (deposits.length + moves.length > 0) found.push({ block, transfers: deposits, moves })
  }
  if (found.length === 0) return 0
  const place = { blockchainId, tip: position.height, finalized: position.finalizedHeight }
  const moves = found.flatMap((one) => one.moves)
  await lockForSettling(tx, { ...place, moves, blocks: found })
  const blocks: ReceivedBlock[] = []
  for (const { block, transfers, moves: moved } of found) {
    const fresh = await withoutCredited(tx, { blockchainId, nodeId: node.id }, block, transfers)
    if (fresh.length + moved.length > 0) {
      await retainBlock(tx, blockchainId, { block, transfers: fresh.length, nodeId: node.id })
    }
    if (fresh.length > 0) blocks.push({ block, transfers: fresh })
  }
  const recorded = blocks.length + moves.length > 0 ? await settle(tx, { ...place, moves, blocks }) : 0
  return blocks.reduce((total, { transfers }) => total + transfers.length, recorded)
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
