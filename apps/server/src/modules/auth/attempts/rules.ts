/** Failed attempts that cost no wait: people mistype (api.md 1.7 auth-account). */
const FREE_FAILURES = 5

/** The longest wait: 15 minutes; an account is never locked for good. */
const LONGEST_WAIT_SECONDS = 15 * 60

/** A quiet day forgives former failures. */
const FORGIVEN_AFTER_MS = 24 * 3_600_000

/** Returns the seconds to wait after this many failures in a row: none, then 1, 2, 4, … up to 15 minutes. */
export function waitSeconds(failures: number): number {
  if (failures < FREE_FAILURES) return 0
  return Math.min(LONGEST_WAIT_SECONDS, 2 ** Math.min(failures - FREE_FAILURES, 20))
}

export type Failures = { readonly failures: number; readonly waitUntil: Date; readonly updatedAt: Date }

/**
 * Charges one attempt before it is tried, so that attempts at the same time cannot share one failure; success forgives
 * it. Returns the seconds left when the account must wait.
 */
export function chargeAttempt(
  known: Failures,
  now: Date,
): { readonly retryAfter: number } | { readonly failures: number; readonly waitUntil: Date } {
  if (known.waitUntil > now) return { retryAfter: Math.ceil((known.waitUntil.getTime() - now.getTime()) / 1000) }
  const isForgiven = now.getTime() - known.updatedAt.getTime() > FORGIVEN_AFTER_MS
  const failures = isForgiven ? 1 : known.failures + 1
  return { failures, waitUntil: new Date(now.getTime() + waitSeconds(failures) * 1000) }
}
