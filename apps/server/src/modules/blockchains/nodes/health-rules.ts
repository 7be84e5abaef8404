/**
 * The health of a node: the outcomes of its newest calls, its circuit and its head. Pure: time is given in
 * milliseconds.
 */

/** Calls the error rate is computed from (money.md 2.8). */
const WINDOW = 200

/** Failures in a row that open the circuit. */
const FAILURES_TO_OPEN = 3
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** The pause of a busy node that sends no `retry-after`. */
const USUAL_REST_MS = 5_000

/** A head that was seen longer ago than this is ignored. */
const HEAD_LIFETIME_MS = 120_000

/** All 20 points up to the first value, none from the second on: a poll makes a handful of calls one after another. */
const FAST_MS = 200
const SLOW_MS = 2_000

type Call = { readonly isGood: boolean; readonly ms: number }

export type SeenHead = { readonly height: number; readonly minedAt: number; readonly seenAt: number }

export type NodeHealth = {
  /** The newest calls, oldest first. */
  readonly calls: readonly Call[]
  readonly failuresInRow: number
  /** The last backoff after failures; it has ended once `until` has passed. */
  readonly pause: { readonly until: number; readonly ms: number } | null
  /** The node asked for no calls until then. */
  readonly busyUntil: number
  readonly head: SeenHead | null
  /** Share of the optional methods the node has; 1 before it was identified. */
  readonly completeness: number
  /** Its last failure, without its secrets. */
  readonly lastError: string | null
}

export const UNKNOWN_HEALTH: NodeHealth = {
  calls: [],
  failuresInRow: 0,
  pause: null,
  busyUntil: 0,
  head: null,
  completeness: 1,
  lastError: null,
}

export type CallOutcome = {
  readonly ms: number
  readonly now: number
  /** Absent: the node answered. `retryAfterMs`: it is busy and asks for this pause, 0 when it names none. */
  readonly failure?: { readonly message: string; readonly retryAfterMs?: number }
}

/** Records the outcome of a call; the third failure in a row opens the circuit. */
export function noteCall(health: NodeHealth, { ms, now, failure }: CallOutcome): NodeHealth {
  const calls = [...health.calls.slice(1 - WINDOW), { isGood: failure === undefined, ms }]
  if (failure === undefined) return { ...health, calls, failuresInRow: 0 }
  const failuresInRow = health.failuresInRow + 1
  const failed = { ...health, calls, failuresInRow, lastError: failure.message }
  if (failure.retryAfterMs !== undefined) {
    const rest = Math.min(failure.retryAfterMs || USUAL_REST_MS, LONGEST_PAUSE_MS)
    return { ...failed, busyUntil: Math.max(busyUntil(health, now) ?? 0, now + rest) }
  }
  return failuresInRow < FAILURES_TO_OPEN ? failed : openCircuit(failed, now)
}

/** Puts a node into backoff for 15 s; twice as long each time it fails again soon after the last one, up to 5 min. */
export function openCircuit(health: NodeHealth, now: number): NodeHealth {
  const { pause } = health
  if (pause && isAhead(pause.until, now)) return health
  const isSoon = pause !== null && !hasPassed(pause.until, pause.ms + 1, now)
  const ms = isSoon ? Math.min(pause.ms * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
  return { ...health, pause: { until: now + ms, ms } }
}

/** The end of the backoff after failures, or null. */
export function backoffUntil({ pause }: NodeHealth, now: number): number | null {
  return pause && isAhead(pause.until, now) ? pause.until : null
}

/** The end of the pause a busy node asked for, or null. */
export function busyUntil(health: NodeHealth, now: number): number | null {
  return isAhead(health.busyUntil, now) ? health.busyUntil : null
}

/** A time further ahead than the longest possible pause came from a clock that went wrong, so it is ignored. */
function isAhead(until: number, now: number): boolean {
  return now < until && until - now <= LONGEST_PAUSE_MS
}

/**
 * Whether a duration has passed since a time. A time in the future comes from a clock that was set back, and counts as
 * passed.
 */
export function hasPassed(since: number, ms: number, now: number): boolean {
  return Math.abs(now - since) >= ms
}

/** The 95th percentile of latency: 95 of 100 calls were at least this fast; null before the first. */
export function latencyP95({ calls }: NodeHealth): number | null {
  const sorted = calls.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null
}

/** The mean time of the calls in the window; null before the first. */
export function meanLatency({ calls }: NodeHealth): number | null {
  return calls.length === 0 ? null : Math.round(calls.reduce((sum, { ms }) => sum + ms, 0) / calls.length)
}

/** The head of a node; null unless it was seen lately. */
export function recentHead({ head }: NodeHealth, now: number): SeenHead | null {
  return head && !hasPassed(head.seenAt, HEAD_LIFETIME_MS + 1, now) ? head : null
}

/**
 * The newest height of a group of nodes. Among three or more it is the second highest, so that a single node that reports too
 * much cannot make all others look outdated. Null while no head was seen lately.
 */
export function bestHead(healths: readonly NodeHealth[], now: number): number | null {
  const heights = healths.flatMap((health) => recentHead(health, now)?.height ?? []).toSorted((a, b) => b - a)
  return heights[heights.length >= 3 ? 1 : 0] ?? null
}

/** How many blocks a node lags; 0 while nothing is known. */
export function lagOf({ head }: NodeHealth, best: number | null): number {
  return head && best !== null ? Math.max(0, best - head.height) : 0
}

/** Scores a node from 0 to 100: 40 lag, 30 errors of the last 200 calls, 20 latency, 10 completeness (money.md 2.8). */
export function scoreOf(health: NodeHealth, place: { readonly best: number | null; readonly mostLag: number }): number {
  const lag = 40 * Math.max(0, 1 - lagOf(health, place.best) / (place.mostLag + 1))
  const failed = health.calls.filter(({ isGood }) => !isGood).length / Math.max(1, health.calls.length)
  // A node that fails every second call is not usable, so it gets no points here.
  const errors = 30 * Math.max(0, 1 - 2 * failed)
  const latency = latencyP95(health) ?? FAST_MS
  const speed = 20 * Math.min(1, Math.max(0, (SLOW_MS - latency) / (SLOW_MS - FAST_MS)))
  return Math.round(lag + errors + speed + 10 * health.completeness)
}
