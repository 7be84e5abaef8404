import type { ChainContext, HeightRange } from '../adapter.ts'
import { ChainRefused, RetryableRpcError } from '../errors.ts'
import type { RpcClient } from '../rpc/client.ts'
import { toQuantity } from './hex.ts'
import { readTokenMove, type Sight, TRANSFER_TOPIC } from './transfers.ts'
import { list, readPlacedLog, type WireBlock } from './wire.ts'

type PlacedLog = ReturnType<typeof readPlacedLog>

/** Ranges that public nodes accept at first, and the most that any of them serves. */
const FIRST_SPAN = 500
const WIDEST_SPAN = 5_000

/** The span each node last served; it halves on a refusal and doubles on success. */
const spans = new WeakMap<RpcClient, number>()

/** Reads every Transfer log of the wanted tokens in a range (`eth_getLogs`), in pieces of a size the node accepts. */
export async function logsInRange(ctx: ChainContext, sight: Sight, range: HeightRange): Promise<PlacedLog[]> {
  if (sight.tokens.size === 0) return []
  const logs: PlacedLog[] = []
  let from = range.from
  while (from <= range.to) {
    const span = spans.get(ctx.node) ?? FIRST_SPAN
    const to = Math.min(range.to, from + span - 1)
    const piece = await logsOrNothing(ctx, sight, { from, to })
    if (piece) {
      logs.push(...piece)
      from = to + 1
      spans.set(ctx.node, Math.min(WIDEST_SPAN, span * 2))
    } else {
      spans.set(ctx.node, Math.max(1, Math.floor((to - from + 1) / 2)))
    }
  }
  return logs
}

/**
 * Names the transactions with a deposit log, per block hash.
 * @throws RetryableRpcError when a log lies in a block that is not among those read: the chain moved in between
 */
export function txHashesByBlock(
  sight: Sight,
  logs: readonly PlacedLog[],
  blocks: readonly WireBlock[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map(blocks.map(({ hash }) => [hash, new Set<string>()]))
  for (const log of logs.filter((one) => readTokenMove(sight, one))) {
    const hashes = found.get(log.blockHash)
    if (!hashes)
      throw new RetryableRpcError('inconsistent', `A log lies in block ${log.blockHash}, which is not in the range`)
    hashes.add(log.txHash)
  }
  return found
}

/** Gives null when the node finds the range too much to answer; a single block that it cannot answer is a failure. */
async function logsOrNothing(ctx: ChainContext, sight: Sight, { from, to }: HeightRange): Promise<PlacedLog[] | null> {
  const filter = {
    fromBlock: toQuantity(from),
    toBlock: toQuantity(to),
    address: [...sight.tokens.keys()],
    topics: [TRANSFER_TOPIC],
  }
  try {
    const answer = await ctx.node.call({ method: 'eth_getLogs', params: [filter] }, ctx.signal)
    return list(answer, 'logs').map(readPlacedLog)
  } catch (error) {
    if (from < to && isTooMuch(error)) return null
    throw error
  }
}

/** Nodes word it in a dozen ways and codes; a node that cannot be reached at all is the one case where less does not help. */
function isTooMuch(error: unknown): boolean {
  return error instanceof ChainRefused || (error instanceof RetryableRpcError && error.kind !== 'unreachable')
}
