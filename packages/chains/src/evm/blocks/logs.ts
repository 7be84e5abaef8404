import type { BlockRef, ChainSession, HeightRange } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callNode, callAll, jsonCall, type NodeClient } from '../../node/client.ts'
import { mayHold, type Probe, probeOf } from '../encoding/bloom.ts'
import { fromHex, toQuantity } from '../encoding/hex.ts'
import { readSystemMove, readTokenMove, type ReadScope, TRANSFER_TOPIC } from './transfers.ts'
import { list, readPlacedLog, type WireHeader } from '../encoding/wire.ts'

type PlacedLog = ReturnType<typeof readPlacedLog>

/**
 * The result of the node's index; `doubtful` are blocks whose header matches a wanted contract although no log of it was
 * returned.
 */
type LogsFound<Header> = { readonly logs: readonly PlacedLog[]; readonly doubtful: readonly Header[] }

/** The ranges that public nodes accept at first, and the largest that any of them serves. */
const FIRST_SPAN = 500
const WIDEST_SPAN = 5_000

/** The span that each node last served; halved on a refusal and doubled on success. */
const spans = new WeakMap<NodeClient, number>()

/**
 * Reads every Transfer log of the wanted contracts in these contiguous blocks (`eth_getLogs`), in ranges of a size the node
 * accepts. A block whose header matches more than was returned is requested by its hash, without the node's index (W-8). A
 * block that still lacks a log is doubtful: either the filter or the node may be wrong.
 */
export async function logsInRange<Header extends WireHeader>(
  session: ChainSession,
  scope: ReadScope,
  blocks: readonly Header[],
): Promise<LogsFound<Header>> {
  const [first, last] = [blocks[0], blocks.at(-1)]
  const contracts = contractsOf(scope)
  const probes = new Map(contracts.map((address) => [address, probeOf([address, TRANSFER_TOPIC])]))
  if (contracts.length === 0 || !first || !last) return { logs: [], doubtful: [] }
  const logs: PlacedLog[] = []
  let from = first.height
  while (from <= last.height) {
    const span = spans.get(session.node) ?? FIRST_SPAN
    const to = Math.min(last.height, from + span - 1)
    const piece = await logsOrNothing(session, contracts, { from, to })
    if (piece) {
      logs.push(...piece)
      from = to + 1
      spans.set(session.node, Math.min(WIDEST_SPAN, span * 2))
    } else {
      spans.set(session.node, Math.max(1, Math.floor((to - from + 1) / 2)))
    }
  }
  const overlooked = await overlookedLogs(session, probes, blocks, logs)
  if (overlooked.asked === 0) return { logs, doubtful: [] }
  logs.push(...overlooked.logs)
  return { logs, doubtful: unheard(probes, blocks, logs).map(({ block }) => block) }
}

/**
 * Lists the transactions with a wanted log, by block hash.
 * @throws RetryableRpcError when a log is in a block that was not read: the chain moved in between
 */
export function wantedTxsByBlock(
  scope: ReadScope,
  logs: readonly PlacedLog[],
  blocks: readonly BlockRef[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map(blocks.map(({ hash }) => [hash, new Set<string>()]))
  for (const log of logs) {
    const hashes = found.get(log.blockHash)
    if (!hashes)
      throw new RetryableRpcError('inconsistent', `A log lies in block ${log.blockHash}, which is not in the range`)
    if (readTokenMove(scope, log) || readSystemMove(scope, log)) hashes.add(log.txHash)
  }
  return found
}

function contractsOf({ tokens, systemLog }: ReadScope): string[] {
  return [...tokens.keys(), ...(systemLog === null ? [] : [systemLog])]
}

/** For each contract, the bits that a header's filter has when it covers a Transfer of it. */
type Probes = ReadonlyMap<string, Probe>

/** Node indexes have lost logs that blocks contain; the filter in a header shows where that may be so. */
async function overlookedLogs(
  session: ChainSession,
  probes: Probes,
  blocks: readonly WireHeader[],
  logs: readonly PlacedLog[],
): Promise<{ readonly asked: number; readonly logs: readonly PlacedLog[] }> {
  const calls = unheard(probes, blocks, logs).map(({ block, silent }) => callFor(silent, { blockHash: block.hash }))
  const answers = await callAll(session, calls)
  return { asked: calls.length, logs: answers.flatMap((answer) => list(answer, 'logs').map(readPlacedLog)) }
}

/** The blocks whose filter may cover a Transfer of some contracts, although no log of them was returned. */
function unheard<Header extends WireHeader>(
  probes: Probes,
  blocks: readonly Header[],
  logs: readonly PlacedLog[],
): { readonly block: Header; readonly silent: readonly string[] }[] {
  const heard = new Map(blocks.map(({ hash }) => [hash, new Set<string>()]))
  for (const { blockHash, address } of logs) heard.get(blockHash)?.add(address)
  return blocks.flatMap((block) => {
    const missing = [...probes].filter(([address]) => !heard.get(block.hash)?.has(address))
    if (missing.length === 0) return []
    const bloom = fromHex(block.logsBloom)
    const silent = missing.filter(([, probe]) => mayHold(bloom, probe)).map(([address]) => address)
    return silent.length === 0 ? [] : [{ block, silent }]
  })
}

/** Returns null when the node refuses the range as too large; a single block that it cannot answer is a failure. */
async function logsOrNothing(
  session: ChainSession,
  contracts: readonly string[],
  { from, to }: HeightRange,
): Promise<PlacedLog[] | null> {
  const call = callFor(contracts, { fromBlock: toQuantity(from), toBlock: toQuantity(to) })
  try {
    return list(await callNode(session, call), 'logs').map(readPlacedLog)
  } catch (error) {
    if (from < to && isTooMuch(error)) return null
    throw error
  }
}

function callFor(contracts: readonly string[], where: Readonly<Record<string, string>>) {
  return jsonCall('eth_getLogs', { ...where, address: [...contracts], topics: [TRANSFER_TOPIC] })
}

/** Nodes word this in a dozen ways and codes. Only when a node cannot be reached at all does a smaller range not help. */
function isTooMuch(error: unknown): boolean {
  return error instanceof NodeRejected || (error instanceof RetryableRpcError && error.kind !== 'unreachable')
}
