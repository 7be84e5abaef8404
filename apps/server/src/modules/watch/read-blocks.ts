import type { BlockFacts, ChainContext, ChainReader, HeightRange, Want } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'

/** A reading of some blocks; `odd` says why a block's transfers are missing, by the block's hash. */
export type Reading = { readonly facts: readonly BlockFacts[]; readonly odd: ReadonlyMap<string, string> }

/** Only the blocks themselves, without looking at what is in them. */
export const BLOCKS_ONLY: Want = { assets: new Set(), matches: () => false }

/** Reads a range. */
export async function readRange(
  reader: ChainReader,
  chain: ChainContext,
  range: HeightRange,
  want: Want,
): Promise<Reading> {
  return { facts: await reader.blocks(chain, range, want), odd: new Map() }
}

/** Reads one block that cannot be decoded for what it is: its place in the chain, and nothing of what it holds. */
export async function readAsOdd(
  reader: ChainReader,
  chain: ChainContext,
  height: number,
  error: unknown,
): Promise<Reading> {
  const facts = await reader.blocks(chain, { from: height, to: height }, BLOCKS_ONLY)
  const why = error instanceof Error ? error.message : String(error)
  return { facts, odd: new Map(facts.map(({ block }) => [block.hash, why])) }
}

/** Failures that say something about the node, and nothing about the block. */
const NODE_TROUBLE = new Set(['unreachable', 'timeout', 'limited', 'internal'])

/** Tells whether a failed reading may be the block's own fault: it does not decode, or is out of proportion. */
export function mayBeOdd(error: unknown): boolean {
  return !(error instanceof RetryableRpcError && NODE_TROUBLE.has(error.kind))
}
