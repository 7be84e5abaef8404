/**
 * Schedules the endpoints to check next, in two lanes that never wait for each other: new events, and retries with what
 * else is due. Each lane runs one turn at a time.
 */
import type { Context } from '../../../context.ts'

/** Deliveries of one turn with retries: few enough that the process serves a new event between two turns. */
const MOST_RETRIES = 64

export type Due = { readonly projectIds: readonly number[]; readonly webhookIds: readonly number[] }

/** Sends what is due for these endpoints, at most so many deliveries. */
export type Turn = (due: Due, most: number) => Promise<void>

export type Scheduler = {
  /** Something new is due in a project. */
  readonly wake: (projectId: number) => void
  /** Something may be due for an endpoint that answers: it counts as new. */
  readonly checkNext: (webhookId: number) => void
  /** Something may be due for an endpoint, after the others that may have something due. */
  readonly check: (webhookId: number) => void
  /** The running turns, or null when nothing is scheduled. */
  readonly current: () => Promise<unknown> | null
  readonly stop: () => void
}

/** Runs turns as long as an endpoint is scheduled. */
export function createScheduler(ctx: Context, turn: Turn): Scheduler {
  const projects = new Set<number>()
  const answering = new Set<number>()
  const others = new Set<number>()
  let isStopped = false
  const attempt = (due: Due, most: number) =>
    // What an error loses here, the next sweep finds.
    turn(due, most).catch((err: unknown) => ctx.log.error({ err }, 'deliveries could not be claimed'))
  const news = createLane(
    () => !isStopped && projects.size + answering.size > 0,
    () => attempt({ projectIds: take(projects), webhookIds: take(answering) }, Number.POSITIVE_INFINITY),
  )
  const retries = createLane(
    () => !isStopped && others.size > 0,
    () => attempt({ projectIds: [], webhookIds: take(others, MOST_RETRIES) }, MOST_RETRIES),
  )
  const add = (set: Set<number>, id: number, lane: Lane) => {
    set.add(id)
    lane.start()
  }
  return {
    wake: (projectId) => add(projects, projectId, news),
    checkNext: (webhookId) => add(answering, webhookId, news),
    check: (webhookId) => add(others, webhookId, retries),
    current: () => {
      const running = [news, retries].flatMap((lane) => lane.current() ?? [])
      return running.length > 0 ? Promise.all(running) : null
    },
    stop: () => void (isStopped = true),
  }
}

type Lane = { readonly start: () => void; readonly current: () => Promise<void> | null }

/** Runs turns one after the other while there is more. */
function createLane(hasMore: () => boolean, turn: () => Promise<void>): Lane {
  let running: Promise<void> | null = null
  const runAll = async () => {
    while (hasMore()) await turn()
    running = null
  }
  return {
    start: () => {
      if (hasMore()) running ??= runAll()
    },
    current: () => running,
  }
}

function take(set: Set<number>, most = set.size): number[] {
  const taken = [...set].slice(0, most)
  for (const one of taken) set.delete(one)
  return taken
}

export type FreePlaces = { readonly webhookId: number; readonly places: number }

/** Shares `most` deliveries among endpoints in their order; `left` are those that may have more due than they got. */
export function allot(
  wanted: readonly FreePlaces[],
  most: number,
): { readonly granted: readonly FreePlaces[]; readonly left: readonly number[] } {
  let rest = most
  const shares = wanted.map(({ webhookId, places }) => {
    const granted = Math.min(places, rest)
    rest -= granted
    return { webhookId, places: granted, isCut: granted < places }
  })
  return {
    granted: shares.filter(({ places }) => places > 0).map(({ webhookId, places }) => ({ webhookId, places })),
    left: shares.filter(({ isCut }) => isCut).map(({ webhookId }) => webhookId),
  }
}
