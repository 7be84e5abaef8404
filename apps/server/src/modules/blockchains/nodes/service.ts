/**
 * Nodes of each blockchain: which ones there are, which are usable, and sessions through them. Operators choose nodes and
 * switches; the facts of a blockchain come from its definition.
 */
import type { ChainSession } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { NodeClient } from '@kassa/chains/node/client.ts'
import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { type NodeUse, operatorOf } from './choose-node-rules.ts'
import {
  connectTo,
  connectToAnother,
  isUsable as isClientUsable,
  markFailed as markClientFailed,
  sessionThrough,
} from './connections.ts'
import { versioned } from '../../../db/versioned.ts'
import { listNodes, listSwitches, replaceNodes, type NetworkSwitches } from './store.ts'
import type { NodeRow } from './node.ts'
import type { BlockchainRow, InactiveCause } from '../chains/rows.ts'
import { activateBlockchain, listBlockchainRows, updateBlockchain } from '../chains/store.ts'

export { readHeldNow } from './held-now.ts'
export { startMonitoringNodes } from './monitor-nodes.ts'
export { listNodes, type NetworkSwitches } from './store.ts'

/** The nodes of a blockchain, or of all, with masked secrets; the preferred one first. */
export function nodesOf(ctx: Context, blockchainId?: number): Promise<NodeRow[]> {
  return listNodes(ctx, blockchainId)
}

const switchesOf = versioned((ctx: Context) => listSwitches(ctx))

/** How operators have switched each blockchain and its nodes, by id; their health plays no role. */
export function networkSwitches(ctx: Context): Promise<readonly NetworkSwitches[]> {
  return switchesOf(ctx)
}

/**
 * Opens a blockchain through the best usable node, after checking which network it serves if that is not known yet. Null when
 * it has no active node. `use: 'audit'` gives way to the head when a daily budget runs low.
 * @throws BLOCKCHAIN_NOT_FOUND, NODE_WRONG_NETWORK, RetryableRpcError while no node is usable, or the failure of the last node
 * that was tried
 */
export async function openSession(
  ctx: Context,
  blockchainId: number,
  signal?: AbortSignal,
  use?: NodeUse,
): Promise<ChainSession | null> {
  const [row] = await listBlockchainRows(ctx, blockchainId)
  return connectTo(ctx, row ?? fail('BLOCKCHAIN_NOT_FOUND'), { signal, use })
}

/** Marks a node after a failed poll: the next `openSession` chooses another one, or checks this one again. */
export function markFailed(node: NodeClient): void {
  markClientFailed(node)
}

/** Whether to stay with a node; when not, `openSession` returns a better one. Sends no request. */
export function isUsable(node: NodeClient): boolean {
  return isClientUsable(node)
}

/** How many nodes of a blockchain are switched on. */
export async function nodeCount(ctx: Context, blockchainId: number): Promise<number> {
  return (await listNodes(ctx, blockchainId)).filter((node) => node.isActive).length
}

/**
 * Whether nodes of at least two operators are switched on, healthy or not. A high-value deposit then waits for the cross-check
 * by a second one, however long that node is unreachable.
 */
export async function hasSecondOperator(ctx: Context, blockchainId: number): Promise<boolean> {
  const nodes = (await listNodes(ctx, blockchainId)).filter((node) => node.isActive)
  return new Set(nodes.map(({ url }) => operatorOf(url))).size > 1
}

/**
 * Opens a blockchain through a node of another operator than the given one, for callers without a session through that one;
 * `another` of the new session may lead back to it. Null when none is switched on or none is usable now: `hasSecondOperator`
 * distinguishes the two.
 */
export async function openAnother(
  ctx: Context,
  blockchainId: number,
  notNodeId: number,
  signal?: AbortSignal,
  use?: NodeUse,
): Promise<ChainSession | null> {
  const row = (await listBlockchainRows(ctx, blockchainId))[0] ?? fail('BLOCKCHAIN_NOT_FOUND')
  const other = await connectToAnother(ctx, row, [notNodeId], { signal, use })
  return other && sessionThrough(ctx, row, other.node, { opening: { signal, use }, asked: [] })
}

/** The session of one poll through the present node; sends nothing. */
export function pollSession(ctx: Context, row: BlockchainRow, node: NodeClient, signal: AbortSignal): ChainSession {
  return sessionThrough(ctx, row, node, { opening: { signal }, asked: [] })
}

/** Points a sandbox blockchain at its local chain and activates it. @throws BLOCKCHAIN_NOT_FOUND */
export async function setSandboxNode(ctx: Context, code: string, url: string): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox has local chains')
  const { id: blockchainId } = findDefinition(code) ?? fail('BLOCKCHAIN_NOT_FOUND')
  await inTransaction(ctx, async (tx) => {
    await replaceNodes(tx, { blockchainId, url })
    await activateBlockchain(tx, blockchainId)
  })
}

/**
 * Switches off a sandbox blockchain whose local chain cannot be started, and shows operators why. @throws BLOCKCHAIN_NOT_FOUND
 */
export async function refuseSandboxChain(ctx: Context, code: string, error: string): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox has local chains')
  const { id } = findDefinition(code) ?? fail('BLOCKCHAIN_NOT_FOUND')
  await inTransaction(ctx, async (tx) => {
    const cause: InactiveCause = { code: 'local_chain_failed', params: { error } }
    await updateBlockchain(tx, id, { status: 'inactive', inactive_cause: JSON.stringify(cause) })
    await tx.events.emit(tx, { type: 'blockchain.changed', projectId: null, payload: { blockchain_id: id, code } })
  })
}

/** A person waits for it. */
const ANSWERED_WITHIN_MS = 10_000

/**
 * Asks a node something that a person waits for. Call it outside of transactions.
 * @throws NODE_UNREACHABLE when no node answered, or one refused
 */
export async function askNode<T>(
  ctx: Context,
  { id, name }: BlockchainRow,
  ask: (session: ChainSession) => Promise<T>,
  use?: NodeUse,
): Promise<T> {
  try {
    const session = await openSession(ctx, id, AbortSignal.timeout(ANSWERED_WITHIN_MS), use)
    return await ask(session ?? fail('NODE_UNREACHABLE', { values: { reason: `${name} has no active node.` } }))
  } catch (thrown) {
    const isLate = thrown instanceof Error && (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
    const isOfNode = thrown instanceof RetryableRpcError || thrown instanceof NodeRejected || isUnusableNode(thrown)
    if (!isLate && !isOfNode) throw thrown
    const reason = isLate ? `no answer in ${ANSWERED_WITHIN_MS / 1000} s` : thrown.message
    return fail('NODE_UNREACHABLE', { values: { reason }, cause: thrown })
  }
}

/** A node that serves another network, or that may not be called, counts like one that is silent. */
function isUnusableNode(thrown: unknown): thrown is ApiError {
  return thrown instanceof ApiError && (thrown.code === 'NODE_WRONG_NETWORK' || thrown.code === 'EGRESS_NOT_ALLOWED')
}
