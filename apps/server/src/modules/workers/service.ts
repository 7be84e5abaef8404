/**
 * Workers: what goes on in the background, in whatever process. Each process looks after its own and writes down how they
 * are; here everybody reads it, and asks for a restart. Facts of others are read, never changed.
 */
import { fail } from '@kassa/contract/kit/refusal.ts'
import type { Worker } from '@kassa/contract/workers/schemas.ts'
import { actorOf, type Context, inTransaction } from '../../context.ts'
import { listBlockchains } from '../blockchains/chains/service.ts'
import {
  type Heartbeat,
  isAlive,
  JOB_WORKERS,
  listenerName,
  listenerState,
  NODE_WORKER,
  workerOfQueue,
  workerState,
} from './rules.ts'
import { askRestarts, countDueDeliveries, countWaitingJobs, listBeats, listReadings } from './store.ts'
import { RESTART_ASKED } from './supervise.ts'

export { type WorkerGroup, listenerCrew, startCrew } from './crew.ts'
export { superviseWorkers } from './supervise.ts'

/** The name of what looks after nodes. */
export { isLate, NODE_WORKER, workerOfQueue } from './rules.ts'

/** How every worker is, with what waits for it. */
export async function listWorkers(ctx: Context): Promise<Worker[]> {
  const waiting = await countWaiting(ctx)
  return statesWith(ctx, (name) => waiting.get(name) ?? 0)
}

/** The names of all workers, whether or not a process runs them. */
export async function listWorkerNames(ctx: Context): Promise<string[]> {
  const active = (await listBlockchains(ctx)).filter(({ status }) => status === 'active')
  return [...active.map(({ code }) => listenerName(code)), ...JOB_WORKERS, NODE_WORKER]
}

/** How every worker is, in a word, for whoever may not know more. */
export async function workerStates(ctx: Context): Promise<Record<string, Worker['status']>> {
  const states = await statesWith(ctx, () => null)
  return Object.fromEntries(states.map(({ name, status }) => [name, status]))
}

/**
 * Lets a worker, or every one, end its turn and begin again in all processes that run it; returns what comes of it.
 * @throws WORKER_UNKNOWN
 */
export async function restartWorkers(ctx: Context, name?: string): Promise<string> {
  const known = await listWorkerNames(ctx)
  if (name !== undefined && !known.includes(name)) {
    return fail('WORKER_UNKNOWN', { details: `The workers are ${known.join(', ')}.`, data: { known } })
  }
  const names = name === undefined ? known : [name]
  const beats = await inTransaction(ctx, async (inner) => {
    await askRestarts(inner, names)
    await inner.events.announce(inner, { name: RESTART_ASKED, projectId: null, data: {} })
    return listBeats(inner)
  })
  ctx.log.info({ workers: names, actor: actorOf(ctx.caller) }, 'a restart was asked for')
  return restartText(
    name,
    beats.filter((beat) => names.includes(beat.name) && isAlive(beat)),
  )
}

/** What comes of a restart, given the processes that run it; one that starts later begins anew in any case. */
function restartText(name: string | undefined, alive: readonly Heartbeat[]): string {
  const what = name ?? 'any worker'
  if (alive.length === 0) {
    return `Nothing was restarted: no process runs ${what} now. It begins with the next process that does.`
  }
  if (name === undefined) return 'Every worker begins again as soon as its current turn has ended.'
  const where = alive.length === 1 ? '' : ` in ${alive.length} processes`
  return `${name} begins again${where} as soon as its current turn has ended.`
}

async function statesWith(ctx: Context, waitingOf: (name: string) => number | null): Promise<Worker[]> {
  const [blockchains, readings, beats] = await Promise.all([listBlockchains(ctx), listReadings(ctx), listBeats(ctx)])
  const of = (name: string) => beats.filter((beat) => beat.name === name)
  const listeners = blockchains
    .filter(({ status }) => status === 'active')
    .map(({ id, code }) => ({ name: listenerName(code), reading: readings.get(id) ?? null }))
  return [
    ...listeners.map(({ name, reading }) => ({ name, ...listenerState(of(name), reading) })),
    ...JOB_WORKERS.map((name) => ({ name, ...workerState(of(name), { role: 'worker', waiting: waitingOf(name) }) })),
    { name: NODE_WORKER, ...workerState(of(NODE_WORKER), { role: 'watcher', waiting: null }) },
  ]
}

async function countWaiting(ctx: Context): Promise<Map<string, number>> {
  const counts = new Map<string, number>([['webhook-processor', await countDueDeliveries(ctx)]])
  for (const { queue, count } of await countWaitingJobs(ctx)) {
    const name = workerOfQueue(queue)
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return counts
}
