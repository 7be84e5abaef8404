import type { BlockFacts, BlockRef, ChainSession, ChainReader, Heads } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { Context } from '../../../context.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import { openAnother } from '../../blockchains/nodes/service.ts'
import { reorgLimitOf, BLOCKS_ONLY } from '../../../../../../packages/chains/src/chain.ts'
import { findBlock, listBlocks } from './block-store.ts'
import type { Cursor } from './cursor-store.ts'

/** The node serves another branch than the one that is final: it is not followed (money.md 2.8). */
export class NodeForked extends Error {
  readonly nodeId: number

  constructor({ node }: ChainSession, height: number) {
    super(`${node.label} has another block ${height}, which is final`)
    this.name = 'NodeForked'
    this.nodeId = node.id
  }
}

/** Stands for "no block is final": chains without a finality signal go by depth alone. */
export const NOTHING_FINAL = -1

/** A blockchain and how its nodes are read. */
type BranchReader = { readonly ctx: Context; readonly row: BlockchainRow; readonly reader: ChainReader }

export type Finality = { readonly finalizedHeight: number; readonly finalizedHash: string | null }

/**
 * Says what is final once `facts` are taken in: as much as the node says, as far as we have read, never less than before,
 * and only where it means our own blocks.
 * @throws NodeForked when it calls another block final than we did
 */
export async function finalityAfter(
  ctx: Context,
  chain: ChainSession,
  { cursor, heads, facts }: { cursor: Cursor; heads: Heads; facts: readonly BlockFacts[] },
): Promise<Finality> {
  const said = heads.finalized
  const known = { finalizedHeight: cursor.finalizedHeight, finalizedHash: cursor.finalizedHash }
  if (!said || (said.height === known.finalizedHeight && said.hash === known.finalizedHash)) return known
  const top = facts.at(-1)?.block.height ?? cursor.height
  const height = Math.min(said.height, top)
  const ours = await hashAt(ctx, cursor, facts, height)
  if (height === said.height && ours !== null && ours !== said.hash) {
    if (height <= known.finalizedHeight) throw new NodeForked(chain, height)
    throw new RetryableRpcError(
      'inconsistent',
      `${chain.node.label} calls a block ${height} final that is not on the branch it serves`,
    )
  }
  return height > known.finalizedHeight ? { finalizedHeight: height, finalizedHash: ours } : known
}

async function hashAt(
  ctx: Context,
  cursor: Cursor,
  facts: readonly BlockFacts[],
  height: number,
): Promise<string | null> {
  const read = facts.find(({ block }) => block.height === height)
  if (read) return read.block.hash
  if (height === cursor.height) return cursor.hash
  return (await findBlock(ctx, cursor.blockchainId, height))?.hash ?? null
}

/**
 * Before reading halts: a second node that still has our block below the branch point proves that the first one is the odd
 * one out. Returns when nobody contradicts it.
 * @throws NodeForked
 */
export async function requireNotForked(
  { ctx, row, reader }: BranchReader,
  chain: ChainSession,
  cursor: Cursor,
  from: number,
) {
  const other = await openAnother(ctx, row.id, chain.node.id, chain.signal)
  if (!other) return
  const [oldest] = await listBlocks(ctx, row.id, from)
  const judged = cursor.finalizedHeight >= from ? await findBlock(ctx, row.id, cursor.finalizedHeight) : oldest
  if (!judged) return
  const [theirs] = await reader
    .blocks(other, { from: judged.height, to: judged.height }, BLOCKS_ONLY)
    .catch((): BlockFacts[] => [])
  if (theirs?.block.hash === judged.hash) throw new NodeForked(chain, judged.height)
}

/**
 * Whoever leaves our branch seldom calls blocks of the new one final already: that takes the network some minutes. It is
 * believed unless a second node has another block there. Only what that one calls final too proves a fork; before that it
 * may be the one that is late on a branch the network left, and the turn is taken again.
 * @throws NodeForked when both call another block final, RetryableRpcError while only the first one does
 */
export async function requireAgreedFinal({ ctx, row, reader }: BranchReader, chain: ChainSession, finalized: BlockRef) {
  const other = await openAnother(ctx, row.id, chain.node.id, chain.signal)
  if (!other) return
  const { height } = finalized
  // Before its block: what it calls final by now is what it shows afterwards.
  const heads = await reader.heads(other).catch(() => null)
  const [theirs] = await reader.blocks(other, { from: height, to: height }, BLOCKS_ONLY).catch((): BlockFacts[] => [])
  if (!theirs || theirs.block.hash === finalized.hash) return
  if (heads?.finalized && heads.finalized.height >= height) throw new NodeForked(chain, height)
  throw new RetryableRpcError(
    'inconsistent',
    `${chain.node.label} calls a block ${height} final of which ${other.node.label} has another, not final yet`,
  )
}

/**
 * Blocks that have left the window cannot be compared one by one: what a node tells of them counts when it has the block that
 * we call final, or the oldest that we keep.
 * @throws RetryableRpcError when it is on another branch, or has not come so far
 */
export async function requireSameBranch(
  ctx: Context,
  chain: ChainSession,
  { reader, cursor }: { reader: ChainReader; cursor: Cursor },
): Promise<void> {
  const { blockchainId, finalizedHeight, finalizedHash } = cursor
  const [oldest] = await listBlocks(ctx, blockchainId, cursor.height - reorgLimitOf(chain))
  const ours = finalizedHash === null ? oldest : { height: finalizedHeight, hash: finalizedHash }
  if (!ours) return
  const [theirs] = await reader.blocks(chain, { from: ours.height, to: ours.height }, BLOCKS_ONLY)
  if (theirs?.block.hash === ours.hash) return
  throw new RetryableRpcError('inconsistent', `${chain.node.label} is on another branch: block ${ours.height} differs`)
}
