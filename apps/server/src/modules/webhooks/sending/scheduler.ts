/** Which endpoints are to be looked at next; one turn at a time, and news before everything else. */
import type { Context } from '../../../context.ts'

/** Endpoints looked at in one turn besides those of news: a crowd of dead ones keeps no news waiting. */
const ENDPOINTS_PER_TURN = 100

export type Wanted = { readonly projectIds: readonly number[]; readonly webhookIds: readonly number[] }

export type Scheduler = {
  /** Something new is due in a project. */
  readonly wake: (projectId: number) => void
  /** Something may be due for an endpoint. */
  readonly look: (webhookId: number) => void
  /** The turns under way, or null when there is nothing to look at. */
  readonly current: () => Promise<void> | null
  readonly stop: () => void
}

/** Takes turns as long as something is to be looked at. */
export function createTurns(ctx: Context, turn: (wanted: Wanted) => Promise<void>): Scheduler {
  const projects = new Set<number>()
  const endpoints = new Set<number>()
  let turning: Promise<void> | null = null
  let isStopped = false
  const hasMore = () => !isStopped && projects.size + endpoints.size > 0
  const takeTurns = async () => {
    while (hasMore()) {
      const wanted = { projectIds: take(projects), webhookIds: take(endpoints, ENDPOINTS_PER_TURN) }
      // What is forgotten here by an error the next look at everything finds.
      await turn(wanted).catch((err: unknown) => ctx.log.error({ err }, 'deliveries could not be taken'))
    }
    turning = null
  }
  const add = (set: Set<number>, id: number) => {
    set.add(id)
    if (!isStopped) turning ??= takeTurns()
  }
  return {
    wake: (projectId) => add(projects, projectId),
    look: (webhookId) => add(endpoints, webhookId),
    current: () => turning,
    stop: () => void (isStopped = true),
  }
}

function take(set: Set<number>, most = set.size): number[] {
  const taken = [...set].slice(0, most)
  for (const one of taken) set.delete(one)
  return taken
}
