import type { BlockFacts, BlockRef, ChainAdapter, ChainSession, Heads } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { Context } from '../../../context.ts'
import { reorgLimitOf, BLOCKS_ONLY } from '@kassa/chains/chain.ts'
import { findBlock, listBlocks } from './block-store.ts'
import type { Cursor } from './cursor-store.ts'

/** The node serves another branch than the final one: it is not followed (money.md 2.8). */
export class NodeForked extends Error {
  readonly nodeId: number
  readonly label: string
  readonly height: number

  constructor({ node }: ChainSession, height: number) {
    super(`${node.label} has another block ${height}, which is final`)
    this.name = 'NodeForked'
    this.nodeId = node.id
    this.label = node.label
    this.height = height
  }
}

/** Means "no block is final": chains without a finality signal use depth alone. */
export const NOTHING_FINAL = -1

/** How the nodes of a blockchain are read. */
type BranchReader = { readonly ctx: Context; readonly adapter: Pick<ChainAdapter, 'reader'> }

export type Finality = { readonly finalizedHeight: number; readonly finalizedHash: string | null }

/**
 * Computes what is final once `facts` are applied: what the node reports, limited to what we have read, never lower than
 * before, and only where the node names our own blocks.
 * @throws NodeForked when it calls another block final than we did
 */
export async function finalityAfter(
  ctx: Context,
  session: ChainSession,
  { cursor, heads, facts }: { cursor: Cursor; heads: Heads; facts: readonly BlockFacts[] },
): Promise<Finality> {
  const reported = heads.finalized
  const known = { finalizedHeight: cursor.finalizedHeight, finalizedHash: cursor.finalizedHash }
  if (!reported || (reported.height === known.finalizedHeight && reported.hash === known.finalizedHash)) return known
  const top = facts.at(-1)?.block.height ?? cursor.height
  const height = Math.min(reported.height, top)
  const ours = await hashAt(ctx, cursor, facts, height)
  if (height === reported.height && ours !== null && ours !== reported.hash) {
    if (height <= known.finalizedHeight) throw new NodeForked(session, height)
    throw new RetryableRpcError(
      'inconsistent',
      `${session.node.label} calls a block ${height} final that is not on the branch it serves`,
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
 * Checks, before reading halts, whether the first node is forked: a second node that still has our block below the branch point
 * proves it. Returns when no node contradicts the first one.
 * @throws NodeForked
 */
export async function requireNotForked(
  { ctx, adapter: { reader } }: BranchReader,
  session: ChainSession,
  cursor: Cursor,
  from: number,
) {
  const other = await session.another()
  if (!other) return
  const [oldest] = await listBlocks(ctx, cursor.blockchainId, from)
  const judged =
    cursor.finalizedHeight >= from ? await findBlock(ctx, cursor.blockchainId, cursor.finalizedHeight) : oldest
  if (!judged) return
  const [theirs] = await reader
    .blocks(other, { from: judged.height, to: judged.height }, BLOCKS_ONLY)
    .catch((): BlockFacts[] => [])
  if (theirs?.block.hash === judged.hash) throw new NodeForked(session, judged.height)
}

/**
 * Checks a node that calls blocks of a new branch final. The network needs some minutes to finalize a new branch, so an
 * early claim is suspicious. It counts unless a second node has another block there. A fork is proven only when the
 * second node calls its block final as well; before that the second node may still be on the branch the network left,
 * and the poll is repeated.
 * @throws NodeForked when both call another block final, RetryableRpcError while only the first one does
 */
export async function requireAgreedFinal(
  { adapter: { reader } }: Pick<BranchReader, 'adapter'>,
  session: ChainSession,
  finalized: BlockRef,
) {
  const other = await session.another()
  if (!other) return
  const { height } = finalized
  // Read the head before the block, so that the block is at least as new as what the node calls final.
  const heads = await reader.heads(other).catch(() => null)
  const [theirs] = await reader.blocks(other, { from: height, to: height }, BLOCKS_ONLY).catch((): BlockFacts[] => [])
  if (!theirs || theirs.block.hash === finalized.hash) return
  if (heads?.finalized && heads.finalized.height >= height) throw new NodeForked(session, height)
  throw new RetryableRpcError(
    'inconsistent',
    `${session.node.label} calls a block ${height} final of which ${other.node.label} has another, not final yet`,
  )
}

/**
 * Blocks that have left the window cannot be compared one by one. A node's answer about them counts when the node has the block
 * that we call final, or the oldest stored one.
 * @throws RetryableRpcError when it is on another branch, or has not reached that block
 */
export async function requireSameBranch(
  ctx: Context,
  session: ChainSession,
  { adapter, cursor }: { adapter: Pick<ChainAdapter, 'reader'>; cursor: Cursor },
): Promise<void> {
  const { blockchainId, finalizedHeight, finalizedHash } = cursor
  const [oldest] = await listBlocks(ctx, blockchainId, cursor.height - reorgLimitOf(session))
  const ours = finalizedHash === null ? oldest : { height: finalizedHeight, hash: finalizedHash }
  if (!ours) return
  const [theirs] = await adapter.reader.blocks(session, { from: ours.height, to: ours.height }, BLOCKS_ONLY)
  if (theirs?.block.hash === ours.hash) return
  throw new RetryableRpcError(
    'inconsistent',
    `${session.node.label} is on another branch: block ${ours.height} differs`,
  )
}
