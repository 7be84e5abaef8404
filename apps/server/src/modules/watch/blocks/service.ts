/** Our branch of each chain: the blocks that were read and not left since. */
import type { Context } from '../../../context.ts'
import { findBlock } from './block-store.ts'
import type { Place } from './branch-rules.ts'

/** Finds the block of our branch at a height; undefined when it has left the window of blocks that are kept, or was never read. */
export function canonicalBlock(ctx: Context, blockchainId: number, height: number): Promise<Place | undefined> {
  return findBlock(ctx, blockchainId, height)
}
