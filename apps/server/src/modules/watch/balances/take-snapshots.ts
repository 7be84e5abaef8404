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
  deleteSnapshotsAbove,
} from './store.ts'
import { findBlock, listBlocks } from '../blocks/block-store.ts'
import { type Cursor, lockPosition } from '../blocks/cursor-store.ts'

/** Addresses read in one pass; the rest follow in the next. */
const AT_ONCE = 500

/** Balances in one request. */
const PAGE = 100

/** How often an address is read: soon enough for a payer who waits, and cheap for a node. */
const EVERY_MS = 3 * 60_000

/**
 * A block carries the second in which its construction began, so it may contain transfers sent after a payment that was created
 * later.
 */
const BEFORE_MS = 60_000

/** Snapshots older than this are deleted; longer than payments count as recent. */
const SNAPSHOT_LIFETIME_MS = 60 * 3_600_000

/**
 * Reads the balances of addresses whose customers may be paying in the blockchain's native coin, at our newest block, because a
 * node may have dropped that block's state by the time it is final. An address without a snapshot is read as of before its
 * payment was created.
 * @throws the node's failure; then the next pass reads it
 */
export async function takeSnapshots(
  ctx: Context,
  source: BalanceSource,
  cursor: Cursor,
  lasting: number,
): Promise<void> {
  const { blockchainId, height } = cursor
  const now = ctx.now().getTime()
  await deleteOldSnapshots(ctx, blockchainId, new Date(now - SNAPSHOT_LIFETIME_MS))
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
    const snapshots = await balancesAt(source, group, block).catch((error: unknown) => {
      if (block === head || source.session.signal.aborted) throw error
      return balancesAt(source, group, head)
    })
    await storeSnapshots(ctx, blockchainId, snapshots)
  }
}

async function balancesAt(
  { session, balances, native }: BalanceSource,
  candidates: readonly Candidate[],
  block: BlockRef,
): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = []
  for (let at = 0; at < candidates.length; at += PAGE) {
    const page = candidates.slice(at, at + PAGE)
    const asks = page.map(({ address }): BalanceAsk => ({ assetId: native.id, address }))
    const facts = await balances.read(session, asks, block)
    for (const [index, { addressId }] of page.entries()) {
      const units = facts[index]?.units
      if (units !== undefined) snapshots.push({ addressId, block, units })
    }
  }
  return snapshots
}

/** Snapshots of blocks that the chain has left meanwhile are not stored. */
async function storeSnapshots(ctx: Context, blockchainId: number, snapshots: readonly Snapshot[]): Promise<void> {
  const [first] = snapshots
  if (!first) return
  await inTransaction(ctx, async (tx) => {
    await lockPosition(tx, blockchainId)
    const ours = await findBlock(tx, blockchainId, first.block.height)
    if (ours?.hash === first.block.hash) await insertSnapshots(tx, blockchainId, snapshots)
  })
}

/** Forgets snapshots above a height: the chain has left those blocks. */
export async function forgetSnapshotsAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await deleteSnapshotsAbove(ctx, blockchainId, height)
}
