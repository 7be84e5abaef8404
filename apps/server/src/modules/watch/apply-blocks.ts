import type { BlockFacts, BlockRef, ChainContext } from '@kassa/chains/adapter.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import { type Context, inTransaction } from '../../context.ts'
import { type ReceivedTransfer, receiveTransfers, settleFinal, takeBack } from '../payments/service.ts'
import { matchTransfers } from './match-transfers.ts'
import { windowSize } from './rules.ts'
import { type Cursor, deleteBlocksAbove, insertBlocks, insertOddBlock, moveCursor, pruneBlocks } from './store.ts'

/** One step forward: blocks that continue ours, and what the node says about its head. */
export type Advance = {
  readonly facts: readonly BlockFacts[]
  /** Blocks among them that could not be read, with why; their transfers are missing. */
  readonly odd: ReadonlyMap<string, string>
  readonly headHeight: number
  readonly finalizedHeight: number
  readonly state: 'running' | 'behind'
  readonly addressHigh: bigint
}

/**
 * Takes blocks in: deposits, finality, ledger, payments, events, the window and the cursor, all in one transaction.
 * @throws LostLeadership when another process moved the cursor; then nothing of it happened
 */
export async function advance(
  ctx: Context,
  { chain, node }: ChainContext,
  cursor: Cursor,
  { familyId, step }: { familyId: number; step: Advance },
): Promise<{ cursor: Cursor; found: number }> {
  const blockchainId = cursor.blockchainId
  const last = step.facts.at(-1)?.block
  if (!last) throw new Error('There is no block to advance to')
  return inTransaction(ctx, async (tx) => {
    const finalizedHeight = Math.max(cursor.finalizedHeight, Math.min(step.finalizedHeight, last.height))
    const moved = await moveCursor(tx, cursor, { ...step, block: last, finalizedHeight })
    const matched = await matchTransfers(
      tx,
      { chain, familyId },
      step.facts.flatMap(({ transfers }) => transfers),
    )
    for (const { block, transfers } of byBlock(step.facts, matched)) {
      if (transfers.length > 0) await receiveTransfers(tx, { blockchainId, block, transfers })
    }
    await settleFinal(tx, { blockchainId, tip: last.height, finalized: finalizedHeight })
    const counted = byBlock(step.facts, matched).map(({ block, transfers }) => ({ block, transfers: transfers.length }))
    await insertBlocks(tx, blockchainId, counted, node.id)
    for (const { block } of step.facts) {
      const error = step.odd.get(block.hash)
      if (error !== undefined) await insertOddBlock(tx, { blockchainId, block, nodeId: node.id, error })
    }
    const window = windowSize(reorgLimitOf({ chain }))
    await pruneBlocks(tx, blockchainId, { from: cursor.height - window, to: last.height - window })
    return { cursor: moved, found: matched.length }
  })
}

/** Undoes every effect of the blocks above `to`, newest first, and stands on it; all in one transaction. */
export async function retreatTo(ctx: Context, cursor: Cursor, to: BlockRef, headHeight: number): Promise<Cursor> {
  const { blockchainId, finalizedHeight } = cursor
  return inTransaction(ctx, async (tx) => {
    const moved = await moveCursor(tx, cursor, { block: to, headHeight, finalizedHeight, state: 'running' })
    await takeBack(tx, { blockchainId, toHeight: to.height })
    await deleteBlocksAbove(tx, blockchainId, to.height)
    return moved
  })
}

/** Deepest reorganisation of a blockchain that is followed without a person. */
export function reorgLimitOf({ chain }: Pick<ChainContext, 'chain'>): number {
  return confirmationsIn(chain.mode, chain.blockchain).reorgLimit
}

function byBlock(
  facts: readonly BlockFacts[],
  matched: readonly ReceivedTransfer[],
): { block: BlockRef; transfers: ReceivedTransfer[] }[] {
  const groups = Map.groupBy(matched, ({ transfer }) => transfer.block.hash)
  return facts.map(({ block }) => ({ block, transfers: groups.get(block.hash) ?? [] }))
}
