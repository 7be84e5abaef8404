import { randomUUID } from 'node:crypto'

import { asSystem, type Context } from '../../context.ts'
import { withTimeout } from '../../jobs/with-timeout.ts'
import type { WorkerGroup, Report } from '../../jobs/worker-group.ts'
import { coalesce } from './coalesce.ts'
import { deleteHeartbeats, deleteOldHeartbeats, upsertHeartbeats } from './store.ts'

/** How often this process looks for changes to report; without changes it sends a heartbeat after `HEARTBEAT_MS`. */
const CHECK_MS = 1_000
const HEARTBEAT_MS = 5_000

/** The longest wait for workers at the end: the queue returns unfinished jobs and needs its time too. */
const STOP_MS = 5_000

/** The message to every process when a restart is requested. */
export const RESTART_REQUESTED = 'worker.restart'

/** The message to open screens when a worker starts, ends, fails or recovers. */
const CHANGED = { name: 'worker.changed', projectId: null, data: {} } as const

export type Supervisor = {
  /** Adds started workers and reports them. */
  readonly add: (groups: readonly WorkerGroup[]) => Promise<void>
  /** Stops them all and removes their reports. */
  readonly stop: () => Promise<void>
}

/** What this process knows about its workers. */
type SupervisorState = {
  readonly ctx: Context
  readonly id: string
  readonly groups: WorkerGroup[]
  /** The number of the last completed restart of each worker. */
  readonly restartsDone: Map<string, number>
  readonly restarting: Map<string, Promise<void>>
  /** Nothing is started any more. */
  isStopped: boolean
  /** The summary last announced to open screens, and when it was stored. */
  announced: string
  reportedAt: number
}

/**
 * Supervises the workers of this process: stores their reports and restarts them on request. A request is a number in
 * the database; the message on the channel only speeds it up: after a lost message the next heartbeat finds the request.
 */
export function superviseWorkers(ctx: Context): Supervisor {
  const state: SupervisorState = {
    ctx: asSystem(ctx),
    id: randomUUID(),
    groups: [],
    restartsDone: new Map(),
    restarting: new Map(),
    isStopped: false,
    announced: '',
    reportedAt: Number.NEGATIVE_INFINITY,
  }
  const heartbeats = coalesce(async () => {
    if (state.isStopped || state.groups.length === 0) return
    try {
      for (const [name, request] of await sendHeartbeat(state)) {
        if (state.isStopped) return
        const restarted = restart(state, name, request).then((isDone) => (isDone ? heartbeats.run() : undefined))
        state.restarting.set(name, restarted)
      }
    } catch (err) {
      ctx.log.warn({ err }, 'worker reports could not be stored')
    }
  })
  const timer = setInterval(() => {
    if (isDue(state)) void heartbeats.run()
  }, CHECK_MS)
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || message.name === RESTART_REQUESTED) void heartbeats.run()
  })
  return {
    add: async (groups) => {
      state.groups.push(...groups)
      await deleteOldHeartbeats(state.ctx)
      await heartbeats.run()
    },
    stop: async () => {
      state.isStopped = true
      clearInterval(timer)
      unsubscribe()
      const ending = state.groups.splice(0).map((group) => group.stop())
      await withTimeout(STOP_MS, Promise.all([...ending, ...state.restarting.values()]))
      await heartbeats.idle()
      await removeHeartbeats(state)
    },
  }
}

function reportsOf({ groups }: SupervisorState): Report[] {
  return groups.flatMap((group) => group.reports())
}

/** What open screens show: which workers there are, which fail, and which were restarted. */
function summaryOf(state: SupervisorState): string {
  return reportsOf(state)
    .map(({ name, failure }) => `${name} ${failure !== null} ${state.restartsDone.get(name) ?? 0}`)
    .join()
}

function isDue(state: SupervisorState): boolean {
  return performance.now() - state.reportedAt >= HEARTBEAT_MS || summaryOf(state) !== state.announced
}

/** Stores the reports of the workers; returns those to restart, each with the number of the request. */
async function sendHeartbeat(state: SupervisorState): Promise<[name: string, request: number][]> {
  const { ctx, id, restartsDone, restarting } = state
  const reports = reportsOf(state).map((report) => ({ ...report, restartsDone: restartsDone.get(report.name) ?? 0 }))
  const summary = summaryOf(state)
  const requests = await upsertHeartbeats(ctx, id, reports)
  if (summary !== state.announced) ctx.events.announce(ctx, CHANGED)
  state.announced = summary
  state.reportedAt = performance.now()
  return [...requests].filter(([name, count]) => count > (restartsDone.get(name) ?? 0) && !restarting.has(name))
}

/** Restarts a worker and returns whether it succeeded; a failed restart is tried again with the next heartbeat. */
async function restart(
  { ctx, groups, restartsDone, restarting }: SupervisorState,
  name: string,
  request: number,
): Promise<boolean> {
  try {
    await groups.find((group) => group.reports().some((report) => report.name === name))?.restart(name)
    restartsDone.set(name, request)
    ctx.log.info({ worker: name }, 'restarted')
    return true
  } catch (err) {
    ctx.log.error({ err, worker: name }, 'could not be restarted')
    return false
  } finally {
    restarting.delete(name)
  }
}

async function removeHeartbeats({ ctx, id, reportedAt }: SupervisorState): Promise<void> {
  if (reportedAt === Number.NEGATIVE_INFINITY) return
  try {
    await deleteHeartbeats(ctx, id)
    ctx.events.announce(ctx, CHANGED)
  } catch (err) {
    ctx.log.warn({ err }, 'worker reports could not be removed')
  }
}
