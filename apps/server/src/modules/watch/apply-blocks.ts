import type { BlockFacts, BlockRef, ChainSession } from '@kassa/chains/adapter.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import { type Context, inTransaction } from '../../context.ts'
import { type ReceivedTransfer, takeBack, takeIn } from '../payments/service.ts'
import { type Checks } from './checks.ts'
import { deleteLooksAbove } from './balance-store.ts'
import { deleteUnclaimedAbove } from './claim-store.ts'
import { matchTransfers } from './match-transfers.ts'
import { putAside } from './odd-blocks.ts'
import type { Oddity } from './read-blocks.ts'
import { windowSize } from './rules.ts'
import { deleteBlocksAbove, insertBlocks, pruneBlocks } from './block-store.ts'
import { type Cursor, moveCursor } from './store.ts'

/** One step forward: blocks that continue ours, and what the node says about its head. */
export type Advance = {
  readonly facts: readonly BlockFacts[]
  /** Blocks among them that could not be read as a whole, by hash; some transfers of theirs are missing. */
  readonly odd: ReadonlyMap<string, Oddity>
  readonly headHeight: number
  readonly finalizedHeight: number
  readonly finalizedHash: string | null
  readonly checks: Checks
  readonly state: 'running' | 'behind'
  readonly addressHigh: bigint
}

/**
 * Takes blocks in: deposits, finality, ledger, payments, events, the window and the cursor, all in one transaction.
 * @throws LostLeadership when another process moved the cursor; then nothing of it happened
 */
export async function advance(
  ctx: Context,
  { chain, node }: ChainSession,
  cursor: Cursor,
  { familyId, step }: { familyId: number; step: Advance },
): Promise<{ cursor: Cursor; found: number }> {
  const blockchainId = cursor.blockchainId
  const last = step.facts.at(-1)?.block
  if (!last) throw new Error('There is no block to advance to')
  return inTransaction(ctx, async (tx) => {
    const untracedTo = step.facts.findLast(({ internalTransfers }) => internalTransfers !== 'complete')?.block.height
    const moved = await moveCursor(tx, cursor, { ...step, block: last, untracedTo })
    const matched = await matchTransfers(
      tx,
      { chain, familyId, checks: step.checks },
      step.facts.flatMap(({ transfers }) => transfers),
    )
    const blocks = byBlock(step.facts, matched)
    await takeIn(tx, { blockchainId, blocks, tip: last.height, finalized: step.finalizedHeight })
    const counted = blocks.map(({ block, transfers }) => ({ block, transfers: transfers.length }))
    await insertBlocks(tx, blockchainId, counted, node.id)
    for (const { block } of step.facts) {
      const oddity = step.odd.get(block.hash)
      if (oddity) await putAside(tx, { chain, blockchainId, block, nodeId: node.id, oddity })
    }
    const window = windowSize(reorgLimitOf({ chain }))
    await pruneBlocks(tx, blockchainId, { from: cursor.height - window, to: last.height - window })
    return { cursor: moved, found: matched.length }
  })
}

/** Undoes every effect of the blocks above `to`, newest first, and stands on it; all in one transaction. */
export async function retreatTo(ctx: Context, cursor: Cursor, to: BlockRef, headHeight: number): Promise<Cursor> {
  const { blockchainId } = cursor
  // Only a person sends reading below what was final; then that is not final any more.
  const isBelow = cursor.finalizedHeight > to.height
  const finalizedHeight = isBelow ? to.height : cursor.finalizedHeight
  const finalizedHash = isBelow ? to.hash : cursor.finalizedHash
  return inTransaction(ctx, async (tx) => {
    const moved = await moveCursor(tx, cursor, {
      block: to,
      headHeight,
      finalizedHeight,
      finalizedHash,
      state: 'running',
    })
    await takeBack(tx, { blockchainId, toHeight: to.height })
    await deleteBlocksAbove(tx, blockchainId, to.height)
    await deleteUnclaimedAbove(tx, blockchainId, to.height)
    await deleteLooksAbove(tx, blockchainId, to.height)
    return moved
  })
}

/** Deepest reorganisation of a blockchain that is followed without a person. */
export function reorgLimitOf({ chain }: Pick<ChainSession, 'chain'>): number {
  return confirmationsIn(chain.mode, chain.blockchain).reorgLimit
}

function byBlock(
  facts: readonly BlockFacts[],
  matched: readonly ReceivedTransfer[],
): { block: BlockRef; transfers: ReceivedTransfer[] }[] {
  const groups = Map.groupBy(matched, ({ transfer }) => transfer.block.hash)
  return facts.map(({ block }) => ({ block, transfers: groups.get(block.hash) ?? [] }))
}
