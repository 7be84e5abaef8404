import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { NewNode, NodeChange } from '@kassa/contract/blockchains/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction, asSystem } from '../../../context.ts'
import { clearAlarm } from '../../alarms/service.ts'
import { forget } from '../../vaults/service.ts'
import { forkSubject } from './compare-finalized.ts'
import { identify, openClient } from './connections.ts'
import { changedAddress, type NodeAddress, openAddress, sealAddress, shownUrl, splitAddress } from './node-secrets.ts'
import { deleteNode, insertNode, listNodes, preferNoOther, updateNode } from './store.ts'
import type { BlockchainRow } from '../chains/rows.ts'
import type { NodeRow } from './node.ts'
import { activateBlockchain, lockBlockchain } from '../chains/store.ts'
import type { ConnectionTest } from '@kassa/contract/blockchains/schemas.ts'
import { maskUrl } from '@kassa/chains/node/mask.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { healthOf } from './monitor-nodes.ts'
import { meanLatency } from './health-rules.ts'
import { pooled, type PooledNode } from './pool.ts'
import { probeNode, shortcomingOf } from './probe-node.ts'

/** A node that is added while an operator waits must answer within this. */
const TRY_WITHIN_MS = 10_000

/** The id of a node that is not stored yet. */
const NOT_STORED = 0

/** An address that answered as the network it is to serve. */
export type TriedAddress = {
  readonly address: NodeAddress
  readonly identity: Awaited<ReturnType<typeof tryAddress>>
}

/**
 * Asks a node which network it serves, before it is added. Call it before a transaction.
 * @throws NODE_WRONG_NETWORK, NODE_UNREACHABLE, EGRESS_NOT_ALLOWED, FAMILY_UNSUPPORTED
 */
export async function tryNode(ctx: Context, row: BlockchainRow, input: NewAddress): Promise<TriedAddress> {
  const address = changedAddress(input, { url: input.url, apiKey: '', authUsername: '', authPassword: '' })
  return { address, identity: await tryAddress(ctx, row, address) }
}

type NewAddress = Pick<NewNode, 'url' | 'apiKey' | 'authUsername' | 'authPassword'>

/**
 * Adds a node whose network was checked; a blockchain that only lacked a node becomes active.
 * @throws NODE_EXISTS
 */
export async function addNode(
  ctx: Context,
  row: BlockchainRow,
  input: Omit<NewNode, keyof NewAddress>,
  { address, identity }: TriedAddress,
): Promise<NodeRow> {
  return inTransaction(ctx, async (tx) => {
    await refuseTwice(tx, row, address)
    if (input.isPreferred) await preferNoOther(tx, row.id, null)
    const node = await insertNode(tx, {
      blockchain_id: row.id,
      url: shownUrl(address),
      secret_id: await sealAddress(tx, address),
      node_type: input.nodeType ?? 'free',
      is_preferred: input.isPreferred ?? false,
      is_active: true,
      priority: input.priority ?? 0,
      max_daily_calls: input.maxDailyCalls ?? null,
      chain_identifier: identity.chainIdentifier,
      client: identity.client,
      created_at: ctx.now(),
      updated_at: ctx.now(),
    })
    await activateBlockchain(tx, row.id)
    await publishChange(tx, row)
    tx.change(null, shown(row, node))
    return node
  })
}

/**
 * Asks a node at its new address which network it serves; null when the address stays. Call it before a transaction.
 * @throws NODE_NOT_FOUND, NODE_WRONG_NETWORK, NODE_UNREACHABLE, EGRESS_NOT_ALLOWED
 */
export async function tryChange(
  ctx: Context,
  row: BlockchainRow,
  id: number,
  change: NodeChange,
): Promise<TriedAddress | null> {
  const former = await openAddress(ctx, await findNode(ctx, row, id))
  const address = changedAddress(change, former)
  if (JSON.stringify(address) === JSON.stringify(former)) return null
  return { address, identity: await tryAddress(ctx, row, address) }
}

/**
 * Changes a node; `tryChange` has checked a new address. Switching a node on again clears its forked mark, because an operator
 * has checked it.
 * @throws NODE_NOT_FOUND, NODE_EXISTS, LAST_NODE
 */
export async function changeNode(
  ctx: Context,
  row: BlockchainRow,
  id: number,
  { change, tried }: TriedChange,
): Promise<NodeRow> {
  return inTransaction(ctx, async (tx) => {
    await lockBlockchain(tx, row.id)
    const current = await findNode(tx, row, id)
    if (tried) await refuseTwice(tx, row, tried.address, id)
    if (change.isActive === false) await refuseLast(tx, row, current)
    if (change.isPreferred) await preferNoOther(tx, row.id, id)
    const updated = await updateNode(tx, id, {
      ...(tried && {
        chain_identifier: tried.identity.chainIdentifier,
        client: tried.identity.client,
        health: null,
        url: shownUrl(tried.address),
        secret_id: await sealAddress(tx, tried.address),
      }),
      ...(change.nodeType && { node_type: change.nodeType }),
      ...(change.isPreferred !== undefined && { is_preferred: change.isPreferred }),
      ...(change.isActive !== undefined && { is_active: change.isActive }),
      ...(change.isActive && { forked: null }),
      ...(change.priority !== undefined && { priority: change.priority }),
      ...(change.maxDailyCalls !== undefined && { max_daily_calls: change.maxDailyCalls }),
    })
    if (tried && current.secretId !== null) await forget(tx, current.secretId)
    if (change.isActive) await trustAgain(tx, row, current)
    await publishChange(tx, row)
    tx.change(shown(row, current), shown(row, updated))
    return updated
  })
}

/** What the activity log shows of a node: its address without the parts that are secret. */
function shown({ code }: BlockchainRow, { id, url, isActive, isPreferred, priority, maxDailyCalls }: NodeRow) {
  return { blockchainCode: code, id, url, isActive, isPreferred, priority, maxDailyCalls }
}

/** Removes a node with its secrets. @throws NODE_NOT_FOUND, LAST_NODE */
export async function removeNode(ctx: Context, row: BlockchainRow, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockBlockchain(tx, row.id)
    const node = await findNode(tx, row, id)
    await refuseLast(tx, row, node)
    await deleteNode(tx, id)
    tx.change(shown(row, node), null)
    if (node.secretId !== null) await forget(tx, node.secretId)
    await clearAlarm(tx, { kind: 'node_forked', subject: forkSubject(row.code, node) })
    await publishChange(tx, row)
  })
}

/** A change of a node, with its checked new address; null where it keeps its address. */
export type TriedChange = { readonly change: NodeChange; readonly tried: TriedAddress | null }

/** How a node becomes the preferred one: the node with this URL is changed, or a new one added. */
export type TriedPreference =
  | (TriedChange & { readonly id: number })
  | { readonly id: null; readonly tried: TriedAddress }

/** Asks the node that is to be preferred which network it serves. Call it before a transaction. @throws as `tryNode` */
export async function tryPreferred(ctx: Context, row: BlockchainRow, input: NewAddress): Promise<TriedPreference> {
  const { url } = splitAddress({ url: input.url, apiKey: '', authUsername: '', authPassword: '' })
  const known = await findByUrl(ctx, row, url)
  if (!known) return { id: null, tried: await tryNode(ctx, row, input) }
  const change = { ...input, isPreferred: true, isActive: true }
  return { id: known.id, change, tried: await tryChange(ctx, row, known.id, change) }
}

/** Makes a checked node the preferred one. @throws as `addNode` and `changeNode` */
export async function preferNode(ctx: Context, row: BlockchainRow, preferred: TriedPreference): Promise<void> {
  if (preferred.id === null) await addNode(ctx, row, { isPreferred: true }, preferred.tried)
  else await changeNode(ctx, row, preferred.id, preferred)
}

/**
 * Publishes to open screens and the journal that a blockchain or one of its nodes changed. Joins the open transaction.
 */
export async function publishChange(ctx: Context, { id, code }: BlockchainRow): Promise<void> {
  await ctx.events.emit(ctx, { type: 'blockchain.changed', projectId: null, payload: { blockchain_id: id, code } })
}

async function tryAddress(ctx: Context, row: BlockchainRow, address: NodeAddress) {
  // Reads the allowed networks again, because a root operator may have opened one a moment ago.
  await ctx.egress.refresh()
  const client = openClient(ctx, row, { id: NOT_STORED, address, isAlone: false })
  const timeout = AbortSignal.timeout(TRY_WITHIN_MS)
  try {
    return await identify(ctx, row, client, timeout)
  } catch (error) {
    const isSilent = timeout.aborted
    if (!isSilent && !(error instanceof RetryableRpcError) && !(error instanceof NodeRejected)) throw error
    const reason = isSilent ? `no answer in ${TRY_WITHIN_MS / 1000} s` : (error as Error).message
    return fail('NODE_UNREACHABLE', { values: { reason }, cause: error })
  }
}

async function findNode(ctx: Context, row: BlockchainRow, id: number): Promise<NodeRow> {
  return (await listNodes(ctx, row.id)).find((node) => node.id === id) ?? fail('NODE_NOT_FOUND')
}

async function findByUrl(ctx: Context, row: BlockchainRow, url: string): Promise<NodeRow | undefined> {
  const shown = shownUrl({ url, apiKey: '', authUsername: '', authPassword: '' })
  for (const node of await listNodes(ctx, row.id)) {
    if (node.url === shown && (await openAddress(ctx, node)).url === url) return node
  }
  return undefined
}

/** The keys of one provider differ only inside the URL, so this compares whole URLs, one change at a time. */
async function refuseTwice(
  ctx: Context,
  row: BlockchainRow,
  { url }: NodeAddress,
  exceptId = NOT_STORED,
): Promise<void> {
  await lockBlockchain(ctx, row.id)
  const known = await findByUrl(ctx, row, url)
  if (known && known.id !== exceptId) fail('NODE_EXISTS')
}

async function refuseLast(ctx: Context, row: BlockchainRow, node: NodeRow): Promise<void> {
  if (row.status !== 'active' || !node.isActive) return
  const others = (await listNodes(ctx, row.id)).filter(({ id, isActive }) => isActive && id !== node.id)
  if (others.length > 0) return
  fail('LAST_NODE', { details: `Add another node of ${row.name} first, or switch ${row.name} off.` })
}

async function trustAgain(ctx: Context, row: BlockchainRow, node: NodeRow): Promise<void> {
  await clearAlarm(ctx, { kind: 'node_forked', subject: forkSubject(row.code, node) })
  await activateBlockchain(ctx, row.id)
}

/** The signal of calls that are never interrupted; each node has 5 s. */
const NEVER = new AbortController().signal

/** Probes every node of a blockchain now, including those that are switched off. */
export async function testConnection(ctx: Context, row: BlockchainRow): Promise<ConnectionTest> {
  const nodes = (await listNodes(ctx, row.id)).map((node) => pooled(ctx, node))
  const tested = await Promise.all(nodes.map((node) => testNode(asSystem(ctx), row, node)))
  return { success: tested.some(({ connected }) => connected), nodes: tested }
}

async function testNode(ctx: Context, row: BlockchainRow, node: PooledNode): Promise<ConnectionTest['nodes'][number]> {
  const error = adapterOf(row.definition.family)
    ? await probeNode(ctx, row, node, { signal: NEVER, isAlone: false })
    : `Kassa cannot speak to ${row.name} yet.`
  const { head, failuresInRow } = node.health
  const stored = (await listNodes(ctx, row.id)).find(({ id }) => id === node.row.id)
  const chainId = error === null ? Number.parseInt(stored?.chainIdentifier ?? '', 10) : Number.NaN
  return {
    id: node.row.id,
    url: maskUrl(node.row.url),
    connected: error === null,
    error,
    shortcoming: error === null ? await shortcomingOf(ctx, row, node) : null,
    chainId: Number.isNaN(chainId) ? null : chainId,
    healthScore: error === null ? healthOf(row, node).score : 0,
    avgLatencyMs: meanLatency(node.health),
    lastBlockSeen: head?.height ?? null,
    lastBlockTimestamp: head ? new Date(head.minedAt) : null,
    consecutiveFails: failuresInRow,
  }
}
