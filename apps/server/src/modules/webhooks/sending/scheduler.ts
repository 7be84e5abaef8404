/** Schedules the endpoints to check next: one pass at a time, new events before everything else. */
import type { Context } from '../../../context.ts'

/** Endpoints checked in one pass besides those with new events, so that many dead ones delay no new event. */
const ENDPOINTS_PER_PASS = 100

export type Due = { readonly projectIds: readonly number[]; readonly webhookIds: readonly number[] }

export type Scheduler = {
  /** Something new is due in a project. */
  readonly wake: (projectId: number) => void
  /** Something may be due for an endpoint. */
  readonly check: (webhookId: number) => void
  /** The running passes, or null when nothing is scheduled. */
  readonly current: () => Promise<void> | null
  readonly stop: () => void
}

/** Runs passes as long as an endpoint is scheduled. */
export function createScheduler(ctx: Context, pass: (due: Due) => Promise<void>): Scheduler {
  const projects = new Set<number>()
  const endpoints = new Set<number>()
  let passing: Promise<void> | null = null
  let isStopped = false
  const hasMore = () => !isStopped && projects.size + endpoints.size > 0
  const runPasses = async () => {
    while (hasMore()) {
      const due = { projectIds: take(projects), webhookIds: take(endpoints, ENDPOINTS_PER_PASS) }
      // What an error loses here, the next sweep finds.
      await pass(due).catch((err: unknown) => ctx.log.error({ err }, 'deliveries could not be claimed'))
    }
    passing = null
  }
  const add = (set: Set<number>, id: number) => {
    set.add(id)
    if (!isStopped) passing ??= runPasses()
  }
  return {
    wake: (projectId) => add(projects, projectId),
    check: (webhookId) => add(endpoints, webhookId),
    current: () => passing,
    stop: () => void (isStopped = true),
  }
}

function take(set: Set<number>, most = set.size): number[] {
  const taken = [...set].slice(0, most)
  for (const one of taken) set.delete(one)
  return taken
}
