import { NODE_REASONS } from '@kassa/contract/blockchains/node-reasons.ts'
import { type Cause, textOf } from '@kassa/contract/kit/reason.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { asSystem, type Context } from '../../../context.ts'
import { nodeScore } from '../../../metrics/registry.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import { aheadOf, bestOf, hasCallsLeft, type NodeState, paceOf, probeEveryMs } from './choose-node-rules.ts'
import { compareFinals } from './compare-finalized.ts'
import { activeNodes, saveCalls, stateOfNode } from './connections.ts'
import { hasPassed, lagOf, latencyP95, backoffUntil, busyUntil, scoreOf } from './health-rules.ts'
import { candidateOf, type PooledNode, siblingsOf } from './pool.ts'
import { updateNodeHealth } from './store.ts'
import { probeNode } from './probe-node.ts'
import type { BlockchainRow } from '../chains/rows.ts'
import type { StoredHealth } from './node.ts'
import { listBlockchainRows } from '../chains/store.ts'

/** How often the loop looks for nodes that are due. */
const INTERVAL_MS = 5_000

/** How often the nodes of a blockchain are compared at a final height. */
const COMPARE_EVERY_MS = 60_000

/** How often the other processes are notified of a node whose state did not change. */
const NOTIFY_EVERY_MS = 60_000

const WORKER_NAME = 'nodes.monitor'

/**
 * Monitors the nodes of every active blockchain until `stop`: heads, networks, branches. One loop per watching process.
 */
export function startMonitoringNodes(context: Context, note: ReportRun): { stop: () => Promise<void> } {
  const ctx = asSystem(context)
  const stopping = new AbortController()
  const compared = new Map<number, number>()
  const finished = (async () => {
    while (!stopping.signal.aborted) {
      await probeDueNodes(ctx, compared, stopping.signal).then(
        () => note(WORKER_NAME, null),
        (error: unknown) => {
          if (stopping.signal.aborted) return
          ctx.log.warn({ err: error }, 'nodes could not be monitored')
          note(WORKER_NAME, error instanceof Error ? error.message : String(error))
        },
      )
      await ctx.sleep(INTERVAL_MS, stopping.signal)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await finished
    },
  }
}

async function probeDueNodes(ctx: Context, compared: Map<number, number>, signal: AbortSignal): Promise<void> {
  const rows = (await listBlockchainRows(ctx)).filter(({ status }) => status === 'active')
  await Promise.all(
    rows.map(async (row) => {
      const now = ctx.now().getTime()
      const isDue = hasPassed(compared.get(row.id) ?? Number.NEGATIVE_INFINITY, COMPARE_EVERY_MS, now)
      if (isDue) compared.set(row.id, now)
      await monitorNodes(ctx, row, { signal, compare: isDue })
    }),
  )
}

/** Probes the nodes of a blockchain that are due, or all of them. */
export async function monitorNodes(
  ctx: Context,
  row: BlockchainRow,
  { signal, compare, all = false }: { readonly signal: AbortSignal; readonly compare: boolean; readonly all?: boolean },
): Promise<void> {
  if (!adapterOf(row.definition.family)) return
  const nodes = await activeNodes(ctx, row.id)
  const isAlone = nodes.length === 1
  const due = nodes.filter((node) => all || isDue(node, nodes.length))
  await Promise.all(due.map((node) => probeNode(ctx, row, node, { signal, isAlone })))
  if (signal.aborted) return
  if (compare && !isAlone) await compareFinals(ctx, row, nodes, signal)
  for (const node of nodes) await notifyProcesses(ctx, row, node)
}

function isDue(node: PooledNode, count: number): boolean {
  const now = node.now()
  // A single node is compared with none, and a failed poll reports its failure at once, so its first probe can wait.
  if (count === 1 && node.probedAt === Number.NEGATIVE_INFINITY) node.probedAt = now
  return (
    hasPassed(node.probedAt, probeEveryMs(count, node.row.maxDailyCalls), now) && busyUntil(node.health, now) === null
  )
}

/** Publishes the score of a node; stores its state when that changed, and from time to time. */
async function notifyProcesses(ctx: Context, row: BlockchainRow, node: PooledNode): Promise<void> {
  await saveCalls(ctx, node)
  if (node.health.calls.length === 0) return
  const health = healthOf(row, node)
  nodeScore.set({ blockchain: row.code, node: node.row.url }, health.score)
  const now = node.now()
  if (health.state === node.notified.state && !hasPassed(node.notified.at, NOTIFY_EVERY_MS, now)) return
  node.notified = { at: now, state: health.state }
  await updateNodeHealth(ctx, node.row.id, health)
}

/** The state of a node, as the contract names it. */
export function healthOf(row: BlockchainRow, node: PooledNode): StoredHealth {
  const { health } = node
  const now = node.now()
  const pace = paceOf(row.definition, node.mode)
  const siblings = siblingsOf(node).map(candidateOf)
  const best = bestOf(siblings, pace, now)
  const state = stateOfNode(node)
  const blocks = { lag: lagOf(health, best), ahead: aheadOf(siblings, pace, now).get(node.row.id) ?? 0 }
  const cause = causeOf(node, state, blocks)
  return {
    score: scoreOf(health, { best, mostLag: pace.mostLag }),
    state,
    cause,
    reason: cause && textOf(NODE_REASONS, cause),
    latencyMs: latencyP95(health),
    lastBlockSeen: health.head?.height ?? null,
    lastBlockAt: health.head ? new Date(health.head.minedAt).toISOString() : null,
    consecutiveFails: health.failuresInRow,
    checkedAt: new Date(now).toISOString(),
  }
}

function causeOf(
  node: PooledNode,
  state: NodeState,
  blocks: { readonly lag: number; readonly ahead: number },
): Cause<typeof NODE_REASONS> | null {
  const { health, row, refused } = node
  if (state === 'healthy') return null
  if (state === 'forked') return { code: 'other_branch', params: { detail: row.forked ?? '' } }
  if (state === 'wrong_network') return { code: 'refused', params: { detail: refused ?? '' } }
  if (state === 'lagging') return { code: 'behind', params: { lagBlocks: blocks.lag } }
  if (state === 'ahead') return { code: 'ahead', params: { aheadBlocks: blocks.ahead } }
  if (!hasCallsLeft(candidateOf(node), 'head'))
    return { code: 'calls_used_up', params: { calls: row.maxDailyCalls ?? 0 } }
  const until = Math.max(backoffUntil(health, node.now()) ?? 0, busyUntil(health, node.now()) ?? 0)
  return { code: 'backoff', params: { until: new Date(until).toISOString(), error: health.lastError } }
}
