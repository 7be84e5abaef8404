import type { BalanceAsk, BlockRef } from '@kassa/chains/adapter.ts'

import { type Context, inTransaction } from '../../../context.ts'
import type { BalanceSource } from './balance-source.ts'
import {
  type Candidate,
  deleteOldSnapshots,
  findBlockBefore,
  insertSnapshots,
  listCandidates,
  type Snapshot,
} from './store.ts'
import { findBlock, listBlocks } from '../blocks/block-store.ts'
import { type Cursor, lockPlace } from '../blocks/cursor-store.ts'

export { deleteSnapshotsAbove as forgetSnapshotsAbove } from './store.ts'

/** Addresses looked at in one round; the rest follow in the next. */
const AT_ONCE = 500

/** Balances in one request. */
const PAGE = 100

/** An address is looked at this often: soon enough for a payer who waits, and cheap for a node. */
const EVERY_MS = 3 * 60_000

/** A block carries the second in which its making began: what is in it may have been sent after a payment made since. */
const BEFORE_MS = 60_000

/** Looks that nobody needs any more; longer than payments count as recent. */
const KEPT_MS = 60 * 3_600_000

/**
 * Reads what addresses hold whose customers may be paying in the coin of the blockchain, at our newest block: by the time that
 * is final a node may not keep its state any more. One that was never looked at is read as it was before its payment was made.
 * @throws what the node fails with; then it is looked at in the next round
 */
export async function takeSnapshots(
  ctx: Context,
  source: BalanceSource,
  cursor: Cursor,
  lasting: number,
): Promise<void> {
  const { blockchainId, height } = cursor
  const now = ctx.now().getTime()
  await deleteOldSnapshots(ctx, blockchainId, new Date(now - KEPT_MS))
  const [head] = await listBlocks(ctx, blockchainId, height)
  if (!head) return
  const candidates = await listCandidates(ctx, {
    blockchainId,
    assetId: source.native.id,
    lasting,
    before: new Date(now - EVERY_MS),
    limit: AT_ONCE,
  })
  const groups = new Map<string, { block: BlockRef; candidates: Candidate[] }>()
  for (const one of candidates) {
    const before = new Date(one.openedAt.getTime() - BEFORE_MS)
    const block = one.isKnown ? head : ((await findBlockBefore(ctx, blockchainId, before)) ?? head)
    const group = groups.get(block.hash) ?? { block, candidates: [] }
    group.candidates.push(one)
    groups.set(block.hash, group)
  }
  for (const { block, candidates: group } of groups.values()) {
    const looks = await balancesAt(source, group, block).catch((error: unknown) => {
      if (block === head || source.chain.signal.aborted) throw error
      return balancesAt(source, group, head)
    })
    await keep(ctx, blockchainId, looks)
  }
}

async function balancesAt(
  { chain, reader, native }: BalanceSource,
  candidates: readonly Candidate[],
  block: BlockRef,
): Promise<Snapshot[]> {
  const looks: Snapshot[] = []
  for (let at = 0; at < candidates.length; at += PAGE) {
    const page = candidates.slice(at, at + PAGE)
    const asks = page.map(({ address }): BalanceAsk => ({ assetId: native.id, address }))
    const facts = await reader.balances(chain, asks, block)
    for (const [index, { addressId }] of page.entries()) {
      const units = facts[index]?.units
      if (units !== undefined) looks.push({ addressId, block, units })
    }
  }
  return looks
}

/** Looks at blocks that the chain has left meanwhile are worth nothing. */
async function keep(ctx: Context, blockchainId: number, looks: readonly Snapshot[]): Promise<void> {
  const [first] = looks
  if (!first) return
  await inTransaction(ctx, async (tx) => {
    await lockPlace(tx, blockchainId)
    const ours = await findBlock(tx, blockchainId, first.block.height)
    if (ours?.hash === first.block.hash) await insertSnapshots(tx, blockchainId, looks)
  })
}
