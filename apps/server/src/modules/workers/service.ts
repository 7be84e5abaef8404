/**
 * Workers: background work in all processes. Each process supervises its own workers and stores their reports; here they
 * are read, and restarts are requested.
 */
import { STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { textOf } from '@kassa/contract/kit/reason.ts'
import type { Worker } from '@kassa/contract/workers/schemas.ts'
import { actorOf, type Context, inTransaction } from '../../context.ts'
import { listBlockchains } from '../blockchains/chains/service.ts'
import { JOB_WORKERS, listenerName, NODE_WORKER, SENDER_WORKER } from '../../config/workers.ts'
import { type Heartbeat, isAlive, listenerState, workerState } from './rules.ts'
import { askRestarts, countDueDeliveries, countWaitingJobs, listHeartbeats, listReadings } from './store.ts'
import { RESTART_REQUESTED } from './supervisor.ts'

export { superviseWorkers } from './supervisor.ts'

/** The state of every worker, with its waiting work. */
export async function listWorkers(ctx: Context): Promise<Worker[]> {
  const waiting = await countWaiting(ctx)
  return statesWith(ctx, (name) => waiting.get(name) ?? 0)
}

/** Whether a worker in this state makes something outdated; a job that is retried does not. */
export function isLate(name: string, status: Worker['status']): boolean {
  if (status === 'BACKOFF') return !JOB_WORKERS.some((worker) => worker === name)
  return status !== 'RUNNING'
}

/** The names of all workers, whether or not a process runs them. */
export async function listWorkerNames(ctx: Context): Promise<string[]> {
  const [blockchains, heartbeats] = await Promise.all([listBlockchains(ctx), listHeartbeats(ctx)])
  const active = blockchains.filter(({ status }) => status === 'active')
  return [...active.map(({ code }) => listenerName(code)), ...JOB_WORKERS, NODE_WORKER, ...senders(heartbeats)]
}

/** The status of every worker without details, for callers who may not see them. */
export async function workerStates(ctx: Context): Promise<Record<string, Worker['status']>> {
  const states = await statesWith(ctx, () => null)
  return Object.fromEntries(states.map(({ name, status }) => [name, status]))
}

/**
 * Restarts a worker, or every one, after its current run in all processes that run it; returns a sentence with the result.
 * @throws WORKER_UNKNOWN
 */
export async function restartWorkers(ctx: Context, name?: string): Promise<string> {
  const known = await listWorkerNames(ctx)
  if (name !== undefined && !known.includes(name)) {
    return fail('WORKER_UNKNOWN', { details: `The workers are ${known.join(', ')}.`, data: { known } })
  }
  const names = name === undefined ? known : [name]
  const heartbeats = await inTransaction(ctx, async (tx) => {
    await askRestarts(tx, names)
    tx.events.announce(tx, { name: RESTART_REQUESTED, projectId: null, data: {} })
    return listHeartbeats(tx)
  })
  ctx.log.info({ workers: names, actor: actorOf(ctx.caller) }, 'a restart was asked for')
  return restartText(
    name,
    heartbeats.filter((heartbeat) => names.includes(heartbeat.name) && isAlive(heartbeat)),
  )
}

/** The result of a restart, given the processes that run it; one that starts later starts fresh anyway. */
function restartText(name: string | undefined, alive: readonly Heartbeat[]): string {
  const what = name ?? 'any worker'
  if (alive.length === 0) {
    return `Nothing was restarted: no process runs ${what} now. It begins with the next process that does.`
  }
  if (name === undefined) return 'Every worker restarts as soon as its current run has ended.'
  const where = alive.length === 1 ? '' : ` in ${alive.length} processes`
  return `${name} restarts${where} as soon as its current run has ended.`
}

async function statesWith(ctx: Context, waitingOf: (name: string) => number | null): Promise<Worker[]> {
  const [blockchains, readings, heartbeats] = await Promise.all([
    listBlockchains(ctx),
    listReadings(ctx),
    listHeartbeats(ctx),
  ])
  const of = (name: string) => heartbeats.filter((heartbeat) => heartbeat.name === name)
  const listeners = blockchains
    .filter(({ status }) => status === 'active')
    .map(({ id, code, stopped }) => {
      const reading = readings.get(id)
      const reason = stopped && textOf(STOP_REASONS, stopped)
      return { name: listenerName(code), reading: reading ? { ...reading, reason } : null }
    })
  return [
    ...listeners.map(({ name, reading }) => ({ name, ...listenerState(of(name), reading) })),
    ...JOB_WORKERS.map((name) => ({ name, ...workerState(of(name), { role: 'worker', waiting: waitingOf(name) }) })),
    { name: NODE_WORKER, ...workerState(of(NODE_WORKER), { role: 'watcher', waiting: null }) },
    ...senders(heartbeats).map((name) => ({ name, ...workerState(of(name), { role: 'sender', waiting: null }) })),
  ]
}

/** The sender is shown only where a process runs it: without work to do, nothing is late without one. */
function senders(heartbeats: readonly Heartbeat[]): string[] {
  return heartbeats.some(({ name }) => name === SENDER_WORKER) ? [SENDER_WORKER] : []
}

async function countWaiting(ctx: Context): Promise<Map<string, number>> {
  const counts = new Map<string, number>([['webhook-processor', await countDueDeliveries(ctx)]])
  for (const { queue, count } of await countWaitingJobs(ctx)) {
    const name = ctx.jobs.workerOf(queue) ?? 'account-processor'
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return counts
}
