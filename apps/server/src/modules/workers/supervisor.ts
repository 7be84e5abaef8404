import { randomUUID } from 'node:crypto'

import { asSystem, type Context } from '../../context.ts'
import { withTimeout } from '../../jobs/with-timeout.ts'
import type { WorkerGroup, Report } from '../../jobs/worker-group.ts'
import { coalesce } from './coalesce.ts'
import { deleteHeartbeats, deleteOldHeartbeats, upsertHeartbeats } from './store.ts'

/** How often this process checks for changes to report, and how often it sends a heartbeat without any. */
const CHECK_MS = 1_000
const HEARTBEAT_MS = 5_000

/** The longest wait for workers at the end: the queue returns unfinished jobs and needs its time too. */
const STOP_MS = 5_000

/** The message to every process when a restart is requested. */
export const RESTART_ASKED = 'worker.restart'

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
  /** The number of the last restart of each. */
  readonly done: Map<string, number>
  readonly restarting: Map<string, Promise<void>>
  /** Nothing is started any more. */
  isStopped: boolean
  /** The summary last announced to open screens, and when it was stored. */
  announced: string
  reportedAt: number
}

/**
 * Supervises the workers of this process: stores their reports and restarts them on request. The request is a number in the
 * database, and the message on the channel only makes it quick: a lost message is found with the next heartbeat.
 */
export function superviseWorkers(ctx: Context): Supervisor {
  const state: SupervisorState = {
    ctx: asSystem(ctx),
    id: randomUUID(),
    groups: [],
    done: new Map(),
    restarting: new Map(),
    isStopped: false,
    announced: '',
    reportedAt: Number.NEGATIVE_INFINITY,
  }
  const heartbeats = coalesce(async () => {
    if (state.isStopped || state.groups.length === 0) return
    try {
      for (const [name, asked] of await sendHeartbeat(state)) {
        if (state.isStopped) return
        const made = restart(state, name, asked).then((isMade) => (isMade ? heartbeats.run() : undefined))
        state.restarting.set(name, made)
      }
    } catch (err) {
      ctx.log.warn({ err }, 'worker reports could not be stored')
    }
  })
  const timer = setInterval(() => {
    if (isDue(state)) void heartbeats.run()
  }, CHECK_MS)
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || message.name === RESTART_ASKED) void heartbeats.run()
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
    .map(({ name, failure }) => `${name} ${failure !== null} ${state.done.get(name) ?? 0}`)
    .join()
}

function isDue(state: SupervisorState): boolean {
  return performance.now() - state.reportedAt >= HEARTBEAT_MS || summaryOf(state) !== state.announced
}

/** Stores the reports of the workers; returns those to restart, each with the number of the request. */
async function sendHeartbeat(state: SupervisorState): Promise<[name: string, asked: number][]> {
  const { ctx, id, done, restarting } = state
  const reports = reportsOf(state).map((report) => ({ ...report, restartsDone: done.get(report.name) ?? 0 }))
  const news = summaryOf(state)
  const asked = await upsertHeartbeats(ctx, id, reports)
  if (news !== state.announced) ctx.events.announce(ctx, CHANGED)
  state.announced = news
  state.reportedAt = performance.now()
  return [...asked].filter(([name, count]) => count > (done.get(name) ?? 0) && !restarting.has(name))
}

/** Restarts a worker and returns whether it succeeded; a failed restart is tried again with the next heartbeat. */
async function restart(
  { ctx, groups, done, restarting }: SupervisorState,
  name: string,
  asked: number,
): Promise<boolean> {
  try {
    await groups.find((group) => group.reports().some((report) => report.name === name))?.restart(name)
    done.set(name, asked)
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
