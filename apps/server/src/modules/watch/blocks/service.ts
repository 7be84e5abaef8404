/** Our branch of each chain: the blocks that were read and not rolled back. */
import type { Context } from '../../../context.ts'
import { findBlock } from './block-store.ts'
import { findCursor } from './cursor-store.ts'
import type { Place } from './branch-rules.ts'

/** Finds our canonical block at a height; undefined when it has left the window of stored blocks, or was never read. */
export function canonicalBlock(ctx: Context, blockchainId: number, height: number): Promise<Place | undefined> {
  return findBlock(ctx, blockchainId, height)
}

/** The height up to which a chain was read; null when reading has not begun, or is halted until an operator decides. */
export async function readHeight(ctx: Context, blockchainId: number): Promise<number | null> {
  const cursor = await findCursor(ctx, blockchainId)
  return cursor === undefined || cursor.state === 'halted' ? null : cursor.height
}
