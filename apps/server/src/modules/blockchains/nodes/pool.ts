import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
/** The nodes of this process: the clients of each, and its health by this process's own calls. */
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { NodeClient } from '@kassa/chains/node/client.ts'

import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import { rpcErrors } from '../../../metrics/registry.ts'
import { callsLeft, type Candidate, type NodeUse } from './choose-node-rules.ts'
import {
  type CallOutcome,
  type NodeHealth,
  noteCall,
  openCircuit,
  type SeenHead,
  UNKNOWN_HEALTH,
} from './health-rules.ts'
import type { NodeRow } from './node.ts'

/** A node as this process knows it. */
export type PooledNode = {
  readonly key: string
  /** Every node of this process, including this one. */
  readonly pool: ReadonlyMap<string, PooledNode>
  readonly now: () => number
  readonly mode: NetworkMode
  row: NodeRow
  health: NodeHealth
  /** Its clients, once it was checked which network it serves. */
  clients: Clients | null
  /** It served another network when it was last identified; a sentence. */
  refused: string | null
  /** When its network was last checked, and when its head was last read. */
  provenAt: number
  probedAt: number
  /** The newest height that is final: as the node reports it, or by depth. */
  finalHeight: number
  /** Calls of the UTC day that the database does not count yet. */
  unsaved: { readonly day: string; readonly calls: number }
  savedAt: number
  /** What the other processes were last notified of. */
  notified: { readonly at: number; readonly state: string }
}

const nodes = remembered(() => new Map<string, PooledNode>())

/** The node of this process for a row; created when it is new, or when its address changed. */
export function pooled(ctx: Context, row: NodeRow): PooledNode {
  const pool = nodes(ctx)
  const key = `${row.blockchainId} ${row.id} ${row.url} ${row.secretId ?? ''}`
  const known = pool.get(key)
  if (known) {
    known.row = row
    return known
  }
  const now = () => ctx.now().getTime()
  const made: PooledNode = {
    key,
    pool,
    now,
    mode: ctx.config.network,
    row,
    health: UNKNOWN_HEALTH,
    clients: null,
    refused: null,
    provenAt: Number.NEGATIVE_INFINITY,
    probedAt: Number.NEGATIVE_INFINITY,
    finalHeight: -1,
    unsaved: { day: '', calls: 0 },
    savedAt: Number.NEGATIVE_INFINITY,
    notified: { at: Number.NEGATIVE_INFINITY, state: '' },
  }
  pool.set(key, made)
  return made
}

/** The property by which a client of ours names its node; a symbol, so that no other object can have it. */
const POOLED = Symbol('pooled node')

type ObservedClient = NodeClient & { readonly [POOLED]: PooledNode }

/** The node behind the client of a session. */
export function nodeOf(client: NodeClient): PooledNode | undefined {
  return POOLED in client ? (client as ObservedClient)[POOLED] : undefined
}

/** Drops nodes of a blockchain that are not among its rows any more. */
export function dropOthers(ctx: Context, blockchainId: number, rows: readonly NodeRow[]): void {
  const pool = nodes(ctx)
  const ids = new Set(rows.map(({ id }) => id))
  for (const [key, { row }] of pool) if (row.blockchainId === blockchainId && !ids.has(row.id)) pool.delete(key)
}

/** The nodes of the same blockchain that are switched on, as they were last read. */
export function siblingsOf(node: PooledNode): PooledNode[] {
  return [...node.pool.values()].filter(({ row }) => row.blockchainId === node.row.blockchainId && row.isActive)
}

/** A node as the rules of choosing take it. */
export function candidateOf({ row, health, refused, unsaved, now }: PooledNode): Candidate {
  const day = dayOf(now())
  const saved = row.callsDay === day ? row.callsToday : 0
  return {
    id: row.id,
    health,
    isForked: row.forked !== null,
    isRefused: refused !== null,
    maxDailyCalls: row.maxDailyCalls,
    callsToday: saved + (unsaved.day === day ? unsaved.calls : 0),
  }
}

export type Clients = Readonly<Record<NodeUse, NodeClient>>

/** Makes the clients of a node, which count and judge each of their calls; each use has its own share of the budget. */
export function clientsOf(node: PooledNode, client: NodeClient): Clients {
  return { head: observe(node, client, 'head'), audit: observe(node, client, 'audit') }
}

/** Stores the clients of a node whose network was checked. */
export function setClients(node: PooledNode, clients: Clients, completeness: number): void {
  node.clients = clients
  node.refused = null
  node.provenAt = node.now()
  node.health = { ...node.health, completeness }
}

/** Forgets that a node's network was checked: it is checked again before the next use. */
export function forgetClient(node: PooledNode): void {
  node.clients = null
}

/** Puts a node into backoff, whatever its single calls answered. */
export function pauseNode(node: PooledNode, why: string): void {
  node.health = { ...openCircuit(node.health, node.now()), lastError: why }
}

/** Records the newest block of a node and the newest that is final. */
export function noteHead(node: PooledNode, head: SeenHead, finalHeight: number): void {
  node.health = { ...node.health, head }
  node.finalHeight = finalHeight
}

/** Records that a node did not answer within the timeout. */
export function noteSilence(node: PooledNode, ms: number): void {
  const now = node.now()
  const message = `It did not answer within ${Math.round(ms / 1000)} s.`
  node.health = openCircuit(noteCall(node.health, { ms, now, failure: { message } }), now)
}

function observe(node: PooledNode, client: NodeClient, use: NodeUse): ObservedClient {
  const begin = (calls: number): { refusal: RetryableRpcError | null; startedAt: number } => {
    const startedAt = node.now()
    if (callsLeft(candidateOf(node), use) < calls) return { refusal: budgetSpent(node, client), startedAt }
    const day = dayOf(startedAt)
    node.unsaved = { day, calls: (node.unsaved.day === day ? node.unsaved.calls : 0) + calls }
    return { refusal: null, startedAt }
  }
  const end = (startedAt: number, reason: unknown, signal: AbortSignal | undefined): void => {
    if (signal?.aborted) return
    const now = node.now()
    node.health = noteCall(node.health, { ms: Math.max(0, now - startedAt), now, ...failureOf(client, reason) })
  }
  return {
    [POOLED]: node,
    id: client.id,
    label: client.label,
    call: async (call, options) => {
      const { refusal, startedAt } = begin(1)
      if (refusal) throw refusal
      try {
        const result = await client.call(call, options)
        end(startedAt, undefined, options?.signal)
        return result
      } catch (error) {
        end(startedAt, error, options?.signal)
        throw error
      }
    },
    batch: async (calls, options) => {
      const { refusal, startedAt } = begin(calls.length)
      if (refusal) return calls.map(() => ({ status: 'rejected' as const, reason: refusal }))
      const outcomes = await client.batch(calls, options)
      const failed = outcomes.find((one) => one.status === 'rejected' && one.reason instanceof RetryableRpcError)
      end(startedAt, failed?.status === 'rejected' ? failed.reason : undefined, options?.signal)
      return outcomes
    },
  }
}

/** A rejection is an answer: it counts as a failure of this node only where another node may do better. */
function failureOf({ label }: NodeClient, reason: unknown): Pick<CallOutcome, 'failure'> {
  if (!(reason instanceof RetryableRpcError)) return {}
  rpcErrors.inc({ node: label, kind: reason.kind })
  const { message, kind, retryAfterMs } = reason
  return { failure: { message, ...(kind === 'limited' && { retryAfterMs: retryAfterMs ?? 0 }) } }
}

function budgetSpent({ row }: PooledNode, { label }: NodeClient): RetryableRpcError {
  return new RetryableRpcError('limited', `${label}: its ${row.maxDailyCalls} calls of today are used up`)
}

/** The UTC day, as YYYY-MM-DD. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
