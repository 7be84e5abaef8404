import type { ChainSession, Identity } from '@kassa/chains/adapter.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { chainIn, sessionAlone } from '@kassa/chains/chain.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { NodeClient } from '@kassa/chains/node/client.ts'
import { fail, ApiError } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'
import type { Context } from '../../../context.ts'
import { paceOf, type NodeState, type NodeUse, operatorOf, orderToTry, stateOf } from './choose-node-rules.ts'
import { hasPassed } from './health-rules.ts'
import {
  candidateOf,
  type Clients,
  clientsOf,
  forgetClient,
  setClients,
  dropOthers,
  nodeOf,
  pauseNode,
  pooled,
  type PooledNode,
  siblingsOf,
} from './pool.ts'
import { clientOptions, type NodeAddress, openAddress } from './node-secrets.ts'
import { addNodeCalls, listNodes, updateNodeIdentity } from './store.ts'
import type { BlockchainRow } from '../chains/rows.ts'
import type { NodeRow } from './node.ts'

/** The signal of calls that are never interrupted. */
const NEVER = new AbortController().signal

/** The timeout where another node can be used: a longer wait would delay a payer. */
const TIMEOUT_AMONG_OTHERS_MS = 10_000

/** Calls are counted in the process and stored this often. */
const SAVE_CALLS_EVERY_MS = 30_000

export type Opening = { readonly signal?: AbortSignal | undefined; readonly use?: NodeUse | undefined }

/**
 * Opens a blockchain through the best usable node, after checking which network it serves if that is not known yet. Null when
 * the blockchain has no active node, or Kassa has no adapter for its family.
 * @throws NODE_WRONG_NETWORK, RetryableRpcError while every node is in backoff or busy, or the failure of the last node that
 * was tried
 */
export async function connectTo(ctx: Context, row: BlockchainRow, opening: Opening = {}): Promise<ChainSession | null> {
  return openBest(ctx, row, () => true, { opening, asked: [] })
}

/** A session through a node; its `another` leaves out this node's operator, and those of the nodes that were asked before. */
export function sessionThrough(
  ctx: Context,
  row: BlockchainRow,
  node: NodeClient,
  { opening, asked }: { readonly opening: Opening; readonly asked: readonly number[] },
): ChainSession {
  const { signal = NEVER } = opening
  const another = () => connectToAnother(ctx, row, [...asked, node.id], opening)
  return { chain: chainIn(ctx.config.network, row.definition), node, signal, another }
}

/** Opens a blockchain through a node of another operator than these nodes'; null when none is usable now. */
export async function connectToAnother(
  ctx: Context,
  row: BlockchainRow,
  notNodeIds: readonly number[],
  opening: Opening = {},
): Promise<ChainSession | null> {
  const asked = (await listNodes(ctx, row.id)).filter(({ id }) => notNodeIds.includes(id))
  const operators = new Set(asked.map(({ url }) => operatorOf(url)))
  const isOther = ({ id, url }: NodeRow) => !notNodeIds.includes(id) && !operators.has(operatorOf(url))
  return openBest(ctx, row, isOther, { opening, asked: notNodeIds }).catch((failure: unknown) => {
    if (opening.signal?.aborted) throw failure
    return null
  })
}

async function openBest(
  ctx: Context,
  row: BlockchainRow,
  isWanted: (node: NodeRow) => boolean,
  from: { readonly opening: Opening; readonly asked: readonly number[] },
): Promise<ChainSession | null> {
  const { signal = NEVER, use = 'head' } = from.opening
  const active = await activeNodes(ctx, row.id)
  const wanted = new Map(active.filter((node) => isWanted(node.row)).map((node) => [node.row.id, node]))
  if (!adapterOf(row.definition.family) || wanted.size === 0) return null
  const question = { ...paceOf(row.definition, ctx.config.network), now: ctx.now().getTime(), use }
  const order = orderToTry(active.map(candidateOf), question).filter((id) => wanted.has(id))
  let failure: unknown = new RetryableRpcError('limited', `No node of ${row.code} can be used right now.`)
  for (const id of order) {
    const node = wanted.get(id)
    if (!node) continue
    try {
      const clients = node.clients ?? (await prove(ctx, row, node, { signal, isAlone: active.length === 1 }))
      await saveCalls(ctx, node)
      return sessionThrough(ctx, row, clients[use], from)
    } catch (error) {
      if (signal.aborted) throw error
      failure = error
    }
  }
  throw failure
}

/** The nodes of a blockchain that are switched on, as this process knows them, the preferred one first. */
export async function activeNodes(ctx: Context, blockchainId: number): Promise<PooledNode[]> {
  const rows = await listNodes(ctx, blockchainId)
  dropOthers(ctx, blockchainId, rows)
  return rows.map((row) => pooled(ctx, row)).filter(({ row }) => row.isActive)
}

/** Identifies a node and stores its clients. @throws EGRESS_NOT_ALLOWED, NODE_WRONG_NETWORK, or the node's failure */
export async function prove(
  ctx: Context,
  row: BlockchainRow,
  node: PooledNode,
  { signal, isAlone }: { readonly signal: AbortSignal; readonly isAlone: boolean },
): Promise<Clients> {
  const address = await openAddress(ctx, node.row)
  const clients = clientsOf(node, openClient(ctx, row, { id: node.row.id, address, isAlone }))
  try {
    const identity = await identify(ctx, row, clients.head, signal)
    setClients(node, clients, identity.completeness)
    await updateNodeIdentity(ctx, { id: node.row.id, ...identity })
    return clients
  } catch (error) {
    if (error instanceof ApiError) node.refused = error.details
    throw error
  }
}

/** Makes a client for an address, stored or not; sends nothing. @throws EGRESS_NOT_ALLOWED */
export function openClient(
  ctx: Context,
  row: BlockchainRow,
  { id, address, isAlone }: { readonly id: number; readonly address: NodeAddress; readonly isAlone: boolean },
): NodeClient {
  ctx.egress.check('node', address.url)
  const options = clientOptions(row.definition.family, address)
  const timeout = isAlone ? {} : { timeoutMs: TIMEOUT_AMONG_OTHERS_MS }
  return ctx.connect({ id, ...options, ...timeout, fetch: ctx.egress.fetch('node') })
}

/** Asks a node which network it serves. @throws NODE_WRONG_NETWORK, or the node's failure */
export async function identify(
  ctx: Context,
  row: BlockchainRow,
  client: NodeClient,
  signal: AbortSignal,
): Promise<Identity> {
  const adapter = adapterOf(row.definition.family)
  if (!adapter) return fail('FAMILY_UNSUPPORTED')
  const chain = chainIn(ctx.config.network, row.definition)
  const identity = await adapter.reader.identify(sessionAlone(chain, client, signal))
  if (identity.isExpected) return identity
  const expected = chain.network.chainId ?? chain.network.name
  const found = foundText(identity, expected)
  return fail('NODE_WRONG_NETWORK', {
    values: { found, expected },
    details: `${client.label} serves ${found}, so it is no node of ${row.definition.name} (${chain.network.name}).`,
  })
}

/** The chain's number alone where numbers differ; with the hash of its first block where the numbers agree. */
function foundText({ chainIdentifier }: Identity, expected: number | string): string {
  const [number = ''] = chainIdentifier.split(':')
  return number === String(expected) ? chainIdentifier : number
}

/**
 * Marks a node after a failed poll: it goes into backoff where there is another node, and must identify itself again.
 */
export function markFailed(client: NodeClient): void {
  const node = nodeOf(client)
  if (!node) return
  forgetClient(node)
  pauseNode(node, node.health.lastError ?? `${client.label} gave inconsistent answers`)
}

/** Whether a node may be used now: it has identified itself, answers, and is neither lagging, ahead of time nor forked. */
export function isUsable(client: NodeClient): boolean {
  const node = nodeOf(client)
  if (!node?.clients || (node.clients.head !== client && node.clients.audit !== client) || !node.row.isActive)
    return false
  return stateOfNode(node) === 'healthy'
}

/** The state of a node among those of its blockchain. */
export function stateOfNode(node: PooledNode): NodeState {
  const definition = findBlockchain(node.row.blockchainId) ?? eth
  return stateOf(candidateOf(node), siblingsOf(node).map(candidateOf), paceOf(definition, node.mode), node.now())
}

/** Stores the calls of a node with a daily budget from time to time, so that other processes and the next start count them. */
export async function saveCalls(ctx: Context, node: PooledNode): Promise<void> {
  const { unsaved } = node
  const now = node.now()
  if (node.row.maxDailyCalls === null || unsaved.calls === 0 || !hasPassed(node.savedAt, SAVE_CALLS_EVERY_MS, now))
    return
  node.savedAt = now
  node.unsaved = { ...unsaved, calls: 0 }
  await addNodeCalls(ctx, node.row.id, unsaved.day, unsaved.calls)
  const saved = node.row.callsDay === unsaved.day ? node.row.callsToday : 0
  node.row = { ...node.row, callsDay: unsaved.day, callsToday: saved + unsaved.calls }
}
