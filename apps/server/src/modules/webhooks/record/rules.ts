import { EVENTS, type EventType } from '@kassa/contract/webhooks/events.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The delay after each failed attempt (api.md 6.4): ten attempts over 75 hours and 35 minutes. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Delays vary by this share, so that a receiver that recovers does not get all retries at once. */
const JITTER = 0.1
/** A longer `Retry-After` is shortened to this. */
const MAX_RETRY_AFTER_MS = 24 * HOUR
/** No attempt is scheduled later than this. */
export const LONGEST_DELAY_MS = MAX_RETRY_AFTER_MS * (1 + JITTER)
/** An attempt ends within 15 s; one without an outcome after this belongs to a process that died. */
export const LEASE_MS = 45 * SECOND
/** While an earlier event of the same payment is in its first attempts, later ones wait for it. */
export const ORDERED_ATTEMPTS = 3
/** The longest an earlier event can hold a later one back: three attempts of 15 s, and the delays between with jitter. */
export const ORDERED_MS = 3 * 15 * SECOND + (5 * SECOND + 5 * MINUTE) * 1.1
/**
 * Concurrent requests to one endpoint. One that fails, or has not answered yet, gets a single request, so that a thousand dead
 * endpoints delay no other.
 */
export const CONCURRENCY = { proven: 8, unproven: 1 } as const
/** An alarm is raised after this long without a success: longer than a receiver takes to be deployed. */
export const ALARM_AFTER_MS = HOUR / 4
/** An endpoint is shown as failing after this long without a success. */
export const FAILING_AFTER_MS = 5 * 24 * HOUR

/** Names a secret of an endpoint by its host: path and query may hold a token of the receiver. */
export function secretLabel(url: string): string {
  return `webhook ${URL.parse(url)?.host ?? ''}`
}

/** Whether an endpoint receives an event: those it lists, or the default ones when it lists none. */
export function receives(events: readonly string[] | null, type: EventType): boolean {
  if (EVENTS[type].delivered === 'never') return false
  return events === null || events.length === 0 ? EVENTS[type].delivered === 'default' : events.includes(type)
}

export type AttemptResult = {
  /** The HTTP status, or null when there was no answer. */
  readonly code: number | null
  /** The receiver's `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | null
}

export type NextStep =
  | { readonly kind: 'received' }
  | { readonly kind: 'failed' }
  /** The receiver returned 410 Gone: the endpoint is disabled. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly afterMs: number }

/** What follows attempt `n` (1 for the first); `random` is in [0, 1). */
export function nextStep(n: number, { code, retryAfterMs }: AttemptResult, random: number): NextStep {
  if (code !== null && code >= 200 && code < 300) return { kind: 'received' }
  if (code === 410) return { kind: 'gone' }
  const delay = RETRY_DELAYS_MS[n - 1]
  if (delay === undefined) return { kind: 'failed' }
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * random))
  const asked = code === 429 || code === 503 ? Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0
  return { kind: 'retry', afterMs: Math.max(jittered, asked) }
}

/** `Sat, 31 Jan 2026 09:02:00 GMT` (RFC 9110, 5.6.7); `Date.parse` alone accepts almost any text. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Reads `Retry-After`: seconds or an HTTP date; null when it is neither. Milliseconds from `now`. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,15}$/.test(header.trim())) return Number(header) * SECOND
  const time = HTTP_DATE.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? null : Math.max(0, time - now.getTime())
}

/** Whether the last attempt of an endpoint was answered with success. */
export function isProven({ failing_since, last_delivery_at }: Answers): boolean {
  return failing_since === null && last_delivery_at !== null
}

type Answers = { readonly failing_since: Date | null; readonly last_delivery_at: Date | null }

/** The health of an endpoint, as lists show it. */
export function healthOf({ failing_since, last_delivery_at }: Answers, now: Date): 'ok' | 'failing' | 'idle' {
  if (last_delivery_at === null) return 'idle'
  return failing_since !== null && now.getTime() - failing_since.getTime() >= FAILING_AFTER_MS ? 'failing' : 'ok'
}

/** The prefix of a secret, if it is one of ours, and its last 4 characters: enough to tell two secrets apart. */
export function hintOf(secret: string): string {
  return `${/^(whsec|kw|kp)_/.exec(secret)?.[0] ?? ''}••••${secret.slice(-4)}`
}

/** Whether text names an event that endpoints can receive. */
export function isDeliverable(name: string): name is EventType {
  return Object.hasOwn(EVENTS, name) && EVENTS[name as EventType].delivered !== 'never'
}

/** The names as event types. @throws EVENT_UNKNOWN for one that endpoints cannot receive */
export function checkEvents(names: readonly string[]): EventType[] {
  return names.map((name) => (isDeliverable(name) ? name : fail('EVENT_UNKNOWN', { values: { name } })))
}
