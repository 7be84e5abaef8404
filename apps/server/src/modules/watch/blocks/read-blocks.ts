import type {
  BlockFacts,
  ChainAdapter,
  ChainReader,
  ChainSession,
  HeightRange,
  TransferFilter,
} from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import { BLOCKS_ONLY } from '@kassa/chains/chain.ts'

/** Why a block could not be read completely, and what is missing. */
export type DecodeFailure = {
  readonly error: string
  /** SHA-256 of the node's answer. */
  readonly payloadHash: string
  /** Transactions that no node's answer could be decoded of. */
  readonly transactions: readonly string[]
  /** Some of them name an address of ours. */
  readonly concernsUs: boolean
}

/** A reading of some blocks; `undecodable` holds the failures of those that are not complete, by the block's hash. */
export type Reading = {
  readonly facts: readonly BlockFacts[]
  readonly undecodable: ReadonlyMap<string, DecodeFailure>
}

/** Reads a range. */
export async function readRange(
  reader: ChainReader,
  session: ChainSession,
  range: HeightRange,
  filter: TransferFilter,
): Promise<Reading> {
  return { facts: await reader.blocks(session, range, filter), undecodable: new Map() }
}

/** Other nodes that are asked for a block before its transactions are read one by one (money.md 2.7). */
const OTHER_NODES = 2

/**
 * Reads one block that a node's answer cannot be decoded of: completely from up to two other nodes, else transaction by
 * transaction, and reports what stays undecodable. Returns nothing when the chain has no block there any more.
 * @throws the failure of the complete read where the family has no partial one: reading waits, so that nothing is left out
 */
export async function readPartially(
  { reader, partial: partialReader }: Pick<ChainAdapter, 'reader' | 'partial'>,
  session: ChainSession,
  { height, filter, error }: { height: number; filter: TransferFilter; error: unknown },
): Promise<Reading> {
  const whole = await readElsewhere(reader, session, { height, filter })
  if (whole) return whole
  if (!partialReader) throw error
  const partial = await partialReader.read(session, height, filter)
  if (!partial) return { facts: [], undecodable: new Map() }
  const { unread, payloadHash, ...facts } = partial
  const failure = {
    error: error instanceof Error ? error.message : String(error),
    payloadHash,
    transactions: unread.map(({ txId }) => txId),
    concernsUs: unread.some(({ concernsUs }) => concernsUs),
  }
  return { facts: [facts], undecodable: new Map([[facts.block.hash, failure]]) }
}

/** Reads the same block from another node, if one has it and its answer decodes. */
async function readElsewhere(
  reader: ChainReader,
  session: ChainSession,
  { height, filter }: { height: number; filter: TransferFilter },
): Promise<Reading | null> {
  const [ours] = await reader.blocks(session, { from: height, to: height }, BLOCKS_ONLY)
  let other = await session.another()
  for (let asked = 0; other && asked < OTHER_NODES; asked += 1) {
    const facts = await reader.blocks(other, { from: height, to: height }, filter).catch((): BlockFacts[] => [])
    if (facts[0] && facts[0].block.hash === ours?.block.hash) return { facts, undecodable: new Map() }
    other = await other.another()
  }
  return null
}

/** Failures that say something about the node and nothing about the block. */
const NODE_TROUBLE = new Set(['unreachable', 'timeout', 'limited', 'internal'])

/** Whether a failed read may be the block's own fault: it does not decode, or is out of proportion. */
export function isUndecodable(error: unknown): boolean {
  return !(error instanceof RetryableRpcError && NODE_TROUBLE.has(error.kind))
}
