import type { BlockFacts, ChainSession, ChainReader, HeightRange, TransferFilter } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { Context } from '../../../context.ts'
import { openAnother } from '../../blockchains/nodes/service.ts'
import { BLOCKS_ONLY } from '@kassa/chains/chain.ts'

/** Why a block could not be read as a whole, and what of it is missing. */
export type DecodeFailure = {
  readonly error: string
  /** SHA-256 of the node's answer. */
  readonly payloadHash: string
  /** Transactions that nobody could read. */
  readonly transactions: readonly string[]
  /** Some of them names an address of ours. */
  readonly concernsUs: boolean
}

/** A reading of some blocks; `odd` tells of those that are not complete, by the block's hash. */
export type Reading = { readonly facts: readonly BlockFacts[]; readonly odd: ReadonlyMap<string, DecodeFailure> }

/** Reads a range. */
export async function readRange(
  reader: ChainReader,
  chain: ChainSession,
  range: HeightRange,
  want: TransferFilter,
): Promise<Reading> {
  return { facts: await reader.blocks(chain, range, want), odd: new Map() }
}

/** Further nodes that a block is asked from before its transactions are read one by one (money.md 2.7). */
const OTHER_NODES = 2

/**
 * Reads one block that a node's answer cannot be decoded of: whole from up to two other nodes, else transaction by
 * transaction, and what nobody can read is told. Nothing when the chain has no block there any more.
 */
export async function readPartially(
  ctx: Context,
  reader: ChainReader,
  chain: ChainSession,
  { height, want, error }: { height: number; want: TransferFilter; error: unknown },
): Promise<Reading> {
  const whole = await readElsewhere(ctx, reader, chain, { height, want })
  if (whole) return whole
  const saved = await reader.readPartial(chain, height, want)
  if (!saved) return { facts: [], odd: new Map() }
  const { block, transfers, unread, payloadHash } = saved
  const oddity = {
    error: error instanceof Error ? error.message : String(error),
    payloadHash,
    transactions: unread.map(({ txId }) => txId),
    concernsUs: unread.some(({ concernsUs }) => concernsUs),
  }
  return { facts: [{ block, transfers }], odd: new Map([[block.hash, oddity]]) }
}

/** The same block from another node, if one has it and can be understood. */
async function readElsewhere(
  ctx: Context,
  reader: ChainReader,
  chain: ChainSession,
  { height, want }: { height: number; want: TransferFilter },
): Promise<Reading | null> {
  const [ours] = await reader.blocks(chain, { from: height, to: height }, BLOCKS_ONLY)
  for (const node of await otherNodes(ctx, chain)) {
    const facts = await reader.blocks(node, { from: height, to: height }, want).catch((): BlockFacts[] => [])
    if (facts[0] && facts[0].block.hash === ours?.block.hash) return { facts, odd: new Map() }
  }
  return null
}

async function otherNodes(ctx: Context, chain: ChainSession): Promise<ChainSession[]> {
  const nodes: ChainSession[] = []
  while (nodes.length < OTHER_NODES) {
    const asked = [chain, ...nodes].map(({ node }) => node.id)
    const next = await openAnother(ctx, chain.chain.blockchain.id, asked, chain.signal)
    if (!next) break
    nodes.push(next)
  }
  return nodes
}

/** Failures that say something about the node, and nothing about the block. */
const NODE_TROUBLE = new Set(['unreachable', 'timeout', 'limited', 'internal'])

/** Tells whether a failed reading may be the block's own fault: it does not decode, or is out of proportion. */
export function isUndecodable(error: unknown): boolean {
  return !(error instanceof RetryableRpcError && NODE_TROUBLE.has(error.kind))
}
