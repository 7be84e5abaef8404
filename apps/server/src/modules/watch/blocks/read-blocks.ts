import type { BlockFacts, ChainContext, ChainReader, HeightRange, Want } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { Context } from '../../../context.ts'
import { openAnother } from '../../blockchains/nodes/service.ts'
import { BLOCKS_ONLY } from '@kassa/chains/chain.ts'

/** Why a block could not be decoded as a whole, and which transactions are missing. */
export type DecodeFailure = {
  readonly error: string
  /** SHA-256 of the node's answer. */
  readonly payloadHash: string
  /** Transactions that no node's answer decoded. */
  readonly transactions: readonly string[]
  /** Some of them names an address of ours. */
  readonly concernsUs: boolean
}

/** The result of reading some blocks; `undecodable` holds the failures of partial blocks, by the block's hash. */
export type Reading = {
  readonly facts: readonly BlockFacts[]
  readonly undecodable: ReadonlyMap<string, DecodeFailure>
}

export async function readRange(
  reader: ChainReader,
  chain: ChainContext,
  range: HeightRange,
  filter: Want,
): Promise<Reading> {
  return { facts: await reader.blocks(chain, range, filter), undecodable: new Map() }
}

/** Further nodes that a block is read from before its transactions are read one by one (money.md 2.7). */
const OTHER_NODES = 2

/**
 * Reads one block that does not decode: whole from up to two other nodes, else transaction by transaction; what no
 * node's answer decodes is reported as a failure. Empty when the chain has no block there any more.
 */
export async function readPartially(
  ctx: Context,
  reader: ChainReader,
  chain: ChainContext,
  { height, filter, error }: { height: number; filter: Want; error: unknown },
): Promise<Reading> {
  const whole = await readElsewhere(ctx, reader, chain, { height, filter })
  if (whole) return whole
  const partial = await reader.salvage(chain, height, filter)
  if (!partial) return { facts: [], undecodable: new Map() }
  const { block, transfers, unread, payloadHash } = partial
  const failure = {
    error: error instanceof Error ? error.message : String(error),
    payloadHash,
    transactions: unread.map(({ txId }) => txId),
    concernsUs: unread.some(({ concernsUs }) => concernsUs),
  }
  return { facts: [{ block, transfers }], undecodable: new Map([[block.hash, failure]]) }
}

/** The same block from another node, if one has it and its answer decodes. */
async function readElsewhere(
  ctx: Context,
  reader: ChainReader,
  chain: ChainContext,
  { height, filter }: { height: number; filter: Want },
): Promise<Reading | null> {
  const [ours] = await reader.blocks(chain, { from: height, to: height }, BLOCKS_ONLY)
  for (const node of await otherNodes(ctx, chain)) {
    const facts = await reader.blocks(node, { from: height, to: height }, filter).catch((): BlockFacts[] => [])
    if (facts[0] && facts[0].block.hash === ours?.block.hash) return { facts, undecodable: new Map() }
  }
  return null
}

async function otherNodes(ctx: Context, chain: ChainContext): Promise<ChainContext[]> {
  const nodes: ChainContext[] = []
  while (nodes.length < OTHER_NODES) {
    const asked = [chain, ...nodes].map(({ node }) => node.id)
    const next = await openAnother(ctx, chain.chain.blockchain.id, asked, chain.signal)
    if (!next) break
    nodes.push(next)
  }
  return nodes
}

/** Failures of the node, which mean nothing about the block. */
const NODE_TROUBLE = new Set(['unreachable', 'timeout', 'limited', 'internal'])

/** Whether a failed read may be caused by the block itself: it does not decode, or is too large. */
export function isUndecodable(error: unknown): boolean {
  return !(error instanceof RetryableRpcError && NODE_TROUBLE.has(error.kind))
}
