/**
 * Schedules the endpoints to check next, in two lanes that never wait for each other: new events, and retries with everything
 * else that is due. Each lane runs one turn at a time; the lane of retries rests after each turn.
 */
import type { Context } from '../../../context.ts'

/** Deliveries of one turn with retries: few enough that the slots they take delay no new event. */
const MOST_RETRIES = 16

/**
 * The rest after a turn with retries. A refused connection fails within a millisecond, and the endpoint's next delivery is due
 * at once: without a rest, a thousand dead endpoints would keep the process and its database busy.
 */
const REST_MS = 50

export type Due = { readonly projectIds: readonly number[]; readonly webhookIds: readonly number[] }

/** Sends what is due for these endpoints, at most so many deliveries. */
export type Turn = (due: Due, most: number) => Promise<void>

export type Scheduler = {
  /** Something new is due in a project. */
  readonly wake: (projectId: number) => void
  /** Something may be due for an endpoint that answers: it counts as new. */
  readonly checkNext: (webhookId: number) => void
  /** Something may be due for an endpoint; it comes after the others that may have something due. */
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
  const stopping = new AbortController()
  const { signal } = stopping
  const attempt = (due: Due, most: number) =>
    // The next sweep finds what an error loses here.
    turn(due, most).catch((err: unknown) => ctx.log.error({ err }, 'deliveries could not be claimed'))
  const news = createLane(
    () => !signal.aborted && projects.size + answering.size > 0,
    () => attempt({ projectIds: take(projects), webhookIds: take(answering) }, Number.POSITIVE_INFINITY),
  )
  const retries = createLane(
    () => !signal.aborted && others.size > 0,
    async () => {
      await attempt({ projectIds: [], webhookIds: take(others, MOST_RETRIES) }, MOST_RETRIES)
      await rest(ctx, stopping)
    },
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
    stop: () => stopping.abort(),
  }
}

/**
 * Rests. Nobody awaits a lane together with its rest, so a rest that fails, as in a process that is stopping, ends both and
 * throws nothing.
 */
async function rest(ctx: Context, stopping: AbortController): Promise<void> {
  try {
    await ctx.sleep(REST_MS, stopping.signal)
  } catch (err) {
    stopping.abort()
    ctx.log.error({ err }, 'deliveries of this process have stopped')
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

/** Divides `most` deliveries among endpoints in their order; `left` are those that may have more due than they got. */
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
