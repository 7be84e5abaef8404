import type { BlockFacts, BlockRef, ChainSession } from '@kassa/chains/adapter.ts'
import { type Context, inTransaction } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { reopenSends } from '../../sends/service.ts'
import { reopenPermissions } from '../../sweep-permissions/service.ts'
import type { Checks } from '../verification/transfer-checks.ts'
import { forgetSnapshotsAbove } from '../balances/take-snapshots.ts'
import { forgetUnclaimedAbove } from '../matching/match-transfers.ts'
import { type Matched, matchTransfers } from '../matching/match-transfers.ts'
import { settle, unsettle } from '../settlement/settle.ts'
import { forgetNoticesAbove, noticeUnlisted } from '../matching/match-unlisted.ts'
import { quarantineBlock } from '../quarantine/quarantine-blocks.ts'
import type { DecodeFailure } from '../blocks/read-blocks.ts'
import { windowSize } from '../blocks/branch-rules.ts'
import { deleteBlocksAbove, moveWindow } from '../blocks/block-store.ts'
import { type Cursor, moveCursor } from '../blocks/cursor-store.ts'
import { reorgLimitOf } from '@kassa/chains/chain.ts'

/** Blocks that continue ours, and the node's report about its head. */
export type Advance = {
  readonly facts: readonly BlockFacts[]
  /** Blocks among them that did not decode as a whole, by hash; some of their transfers are missing. */
  readonly undecodable: ReadonlyMap<string, DecodeFailure>
  readonly headHeight: number
  readonly finalizedHeight: number
  readonly finalizedHash: string | null
  /** The assets that can be credited, as they were when the blocks were read. */
  readonly assets: readonly Asset[]
  readonly checks: Checks
  readonly state: 'running' | 'behind'
  readonly addressHigh: bigint
}

/**
 * Applies blocks: deposits, finality, ledger, payments, events, the window and the cursor, all in one transaction.
 * @throws LostLeadership when another process moved the cursor; then everything is rolled back
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
      { chain, familyId, assets: step.assets, checks: step.checks },
      step.facts.flatMap(({ transfers }) => transfers),
    )
    const blocks = byBlock(step.facts, matched)
    const position = { blockchainId, tip: last.height, finalized: step.finalizedHeight }
    await settle(tx, { ...position, blocks, moves: matched.moves })
    await noticeUnlisted(
      tx,
      { chain, familyId },
      step.facts.flatMap(({ unlisted = [] }) => unlisted),
    )
    const counted = blocks.map(({ block, transfers, moved }) => ({ block, transfers: transfers.length + moved }))
    const window = windowSize(reorgLimitOf({ chain }))
    const left = { from: cursor.height - window, to: last.height - window }
    await moveWindow(tx, blockchainId, { blocks: counted, nodeId: node.id, left })
    for (const { block } of step.facts) {
      const failure = step.undecodable.get(block.hash)
      if (failure) await quarantineBlock(tx, { chain, blockchainId, block, nodeId: node.id, failure })
    }
    return { cursor: moved, found: matched.deposits.length }
  })
}

/** Reverts every effect of the blocks above `to`, newest first, and moves the cursor to it; all in one transaction. */
export async function rollBackTo(ctx: Context, cursor: Cursor, to: BlockRef, headHeight: number): Promise<Cursor> {
  const { blockchainId } = cursor
  // An operator alone resumes below what was final; that height is then no longer final.
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
    // Revert what was sent before what it was sent from (money.md 2.3).
    await reopenPermissions(tx, { blockchainId, toHeight: to.height })
    await reopenSends(tx, { blockchainId, toHeight: to.height })
    await unsettle(tx, { blockchainId, toHeight: to.height })
    await deleteBlocksAbove(tx, blockchainId, to.height)
    await forgetUnclaimedAbove(tx, blockchainId, to.height)
    await forgetNoticesAbove(tx, blockchainId, to.height)
    await forgetSnapshotsAbove(tx, blockchainId, to.height)
    return moved
  })
}

/** What each block brought, and how many movements it holds. */
function byBlock(facts: readonly BlockFacts[], { deposits, moves }: Matched) {
  const brought = Map.groupBy(deposits, ({ transfer }) => transfer.block.hash)
  const moved = Map.groupBy(moves, ({ transfer }) => transfer.block.hash)
  return facts.map(({ block }) => ({
    block,
    transfers: brought.get(block.hash) ?? [],
    moved: moved.get(block.hash)?.length ?? 0,
  }))
}
