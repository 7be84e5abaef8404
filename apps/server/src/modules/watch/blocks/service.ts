/** Our branch of each chain: the blocks that were read and not rolled back. */
import type { Context } from '../../../context.ts'
import { findBlock } from './block-store.ts'
import type { Place } from './branch-rules.ts'

/** Finds our canonical block at a height; undefined when it has left the window of stored blocks, or was never read. */
export function canonicalBlock(ctx: Context, blockchainId: number, height: number): Promise<Place | undefined> {
  return findBlock(ctx, blockchainId, height)
}
