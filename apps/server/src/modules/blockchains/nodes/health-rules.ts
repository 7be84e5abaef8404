/** How well a node does: the outcomes of its newest calls, its circuit and its head. Pure: time is given in milliseconds. */

/** What an error rate is judged by (money.md 2.8). */
const WINDOW = 200

/** Failures in a row that open the circuit. */
const FAILURES_TO_OPEN = 3
const FIRST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 5 * 60_000

/** Without `retry-after` a busy node is left alone this long. */
const USUAL_REST_MS = 5_000

/** A head that was seen longer ago than this says nothing any more. */
const HEAD_KEPT_MS = 120_000

/** 20 points up to the first, none from the second: a turn makes a handful of calls one after another. */
const FAST_MS = 200
const SLOW_MS = 2_000

type Call = { readonly isGood: boolean; readonly ms: number }

export type SeenHead = { readonly height: number; readonly minedAt: number; readonly seenAt: number }

export type NodeHealth = {
  /** The newest calls, oldest first. */
  readonly calls: readonly Call[]
  readonly failuresInRow: number
  /** The last time the node was left alone after failures; over once `until` has passed. */
  readonly pause: { readonly until: number; readonly ms: number } | null
  /** The node asked to be left alone until then. */
  readonly restsUntil: number
  readonly head: SeenHead | null
  /** Share of the optional methods the node has; 1 before it was asked. */
  readonly completeness: number
  /** What it failed with last, without its secrets. */
  readonly lastError: string | null
}

export const UNKNOWN_HEALTH: NodeHealth = {
  calls: [],
  failuresInRow: 0,
  pause: null,
  restsUntil: 0,
  head: null,
  completeness: 1,
  lastError: null,
}

export type CallOutcome = {
  readonly ms: number
  readonly now: number
  /** Absent: the node answered. `retryAfterMs`: it is busy and asks for this much, 0 when it does not say how much. */
  readonly failure?: { readonly message: string; readonly retryAfterMs?: number }
}

/** Takes the outcome of a call in; the third failure in a row opens the circuit. */
export function noteCall(health: NodeHealth, { ms, now, failure }: CallOutcome): NodeHealth {
  const calls = [...health.calls.slice(1 - WINDOW), { isGood: failure === undefined, ms }]
  if (failure === undefined) return { ...health, calls, failuresInRow: 0 }
  const failuresInRow = health.failuresInRow + 1
  const failed = { ...health, calls, failuresInRow, lastError: failure.message }
  if (failure.retryAfterMs !== undefined) {
    const rest = Math.min(failure.retryAfterMs || USUAL_REST_MS, LONGEST_PAUSE_MS)
    return { ...failed, restsUntil: Math.max(restsUntil(health, now) ?? 0, now + rest) }
  }
  return failuresInRow < FAILURES_TO_OPEN ? failed : openCircuit(failed, now)
}

/** Leaves a node alone for 15 s; twice as long each time it fails again soon after the last pause, up to 5 min. */
export function openCircuit(health: NodeHealth, now: number): NodeHealth {
  const { pause } = health
  if (pause && isAhead(pause.until, now)) return health
  const isSoon = pause !== null && !hasPassed(pause.until, pause.ms + 1, now)
  const ms = isSoon ? Math.min(pause.ms * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
  return { ...health, pause: { until: now + ms, ms } }
}

/** Until when a node is left alone after failures, or null. */
export function pausedUntil({ pause }: NodeHealth, now: number): number | null {
  return pause && isAhead(pause.until, now) ? pause.until : null
}

/** Until when a node asked to be left alone, or null. */
export function restsUntil(health: NodeHealth, now: number): number | null {
  return isAhead(health.restsUntil, now) ? health.restsUntil : null
}

/** What is further ahead than anything is ever put off was set by a clock that went wrong: it holds nobody up. */
function isAhead(until: number, now: number): boolean {
  return now < until && until - now <= LONGEST_PAUSE_MS
}

/** Whether so much time went by, also as told by a clock that was set back since: then it did as well. */
export function hasPassed(since: number, ms: number, now: number): boolean {
  return Math.abs(now - since) >= ms
}

/** Of 100 calls 95 were at least this fast; null before the first. */
export function latencyP95({ calls }: NodeHealth): number | null {
  const sorted = calls.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null
}

/** The mean time of the calls in the window; null before the first. */
export function meanLatency({ calls }: NodeHealth): number | null {
  return calls.length === 0 ? null : Math.round(calls.reduce((sum, { ms }) => sum + ms, 0) / calls.length)
}

/**
 * The newest height of a group of nodes. Of three or more the second highest counts, so that a single node that claims too
 * much cannot make all others look old. Null while no head was seen lately.
 */
export function bestHead(healths: readonly NodeHealth[], now: number): number | null {
  const heights = healths
    .flatMap(({ head }) => (head && !hasPassed(head.seenAt, HEAD_KEPT_MS + 1, now) ? [head.height] : []))
    .toSorted((a, b) => b - a)
  return heights[heights.length >= 3 ? 1 : 0] ?? null
}

/** How many blocks a node is behind; 0 while nothing is known. */
export function lagOf({ head }: NodeHealth, best: number | null): number {
  return head && best !== null ? Math.max(0, best - head.height) : 0
}

/** Scores a node from 0 to 100: 40 lag, 30 errors of the last 200 calls, 20 latency, 10 completeness (money.md 2.8). */
export function scoreOf(health: NodeHealth, place: { readonly best: number | null; readonly mostLag: number }): number {
  const lag = 40 * Math.max(0, 1 - lagOf(health, place.best) / (place.mostLag + 1))
  const failed = health.calls.filter(({ isGood }) => !isGood).length / Math.max(1, health.calls.length)
  // A node that fails every second call is of no use at all.
  const errors = 30 * Math.max(0, 1 - 2 * failed)
  const latency = latencyP95(health) ?? FAST_MS
  const speed = 20 * Math.min(1, Math.max(0, (SLOW_MS - latency) / (SLOW_MS - FAST_MS)))
  return Math.round(lag + errors + speed + 10 * health.completeness)
}
