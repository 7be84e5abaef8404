/** Something whose failures are counted together, and how many of them cause no wait. */
export type FailureCount = { readonly subject: string; readonly free: number }

/** People mistype (api.md 1.7 auth-account). */
const FREE_FAILURES = 5

/**
 * Failures from all networks together: far more than one person mistypes, so that a few strangers make no owner wait, and few
 * enough to stop an attacker who changes networks.
 */
const FREE_FAILURES_OF_ACCOUNT = 100

/** The longest wait: 15 minutes; an account is never locked for good. */
const LONGEST_WAIT_SECONDS = 15 * 60

/** The clocks of processes differ by less: a wait that is longer by more was noted by a clock that has been corrected since. */
const APART_SECONDS = 60

/** A day without failures clears the earlier ones. */
const FORGIVEN_AFTER_MS = 24 * 3_600_000

/**
 * The counts of a sign-in: the account from this network, and the account from everywhere. A network from which the operator
 * has signed in before has only its own count, so that strangers elsewhere cannot lock the operator out.
 */
export function signInCounts(attempt: {
  readonly email: string
  readonly network: string
  readonly isKnown: boolean
}): readonly FailureCount[] {
  // No address holds a space: one that ends like the count of another account and its network would make its owner wait.
  const account = `sign-in:${attempt.email.toLowerCase()}`
  const here = { subject: `${account} ${attempt.network}`, free: FREE_FAILURES }
  return attempt.isKnown ? [here] : [{ subject: account, free: FREE_FAILURES_OF_ACCOUNT }, here]
}

/**
 * The counts of a second factor's code at a sign-in. They are apart from the password's, because an attacker who knows the password
 * could clear the failures of guessed codes with it.
 */
export function codeCounts(attempt: {
  readonly operatorId: number
  readonly network: string
  readonly isKnown: boolean
}): readonly FailureCount[] {
  const account = `code:${attempt.operatorId}`
  const here = { subject: `${account} ${attempt.network}`, free: FREE_FAILURES }
  return attempt.isKnown ? [here] : [{ subject: account, free: FREE_FAILURES_OF_ACCOUNT }, here]
}

/** The counts of a code that a live session is asked for again; apart from those of its password, as at a sign-in. */
export function sessionCodeCounts(sessionId: number): readonly FailureCount[] {
  return [{ subject: `session-code:${sessionId}`, free: FREE_FAILURES }]
}

/** The counts of a password that a live session is asked for again; other callers cannot make it wait. */
export function sessionCounts(sessionId: number): readonly FailureCount[] {
  return [{ subject: `session:${sessionId}`, free: FREE_FAILURES }]
}

/** Returns the seconds to wait after this many failures in a row: none, then 1, 2, 4, … up to 15 minutes. */
export function waitSeconds(failures: number, free: number): number {
  if (failures < free) return 0
  return Math.min(LONGEST_WAIT_SECONDS, 2 ** Math.min(failures - free, 20))
}

export type Failures = { readonly failures: number; readonly waitUntil: Date; readonly updatedAt: Date }

/**
 * Charges one attempt before it is tried, so that simultaneous attempts cannot share one failure; success clears it. Returns
 * the seconds left when there is a wait.
 */
export function chargeAttempt(
  known: Failures,
  free: number,
  now: Date,
): { readonly retryAfter: number } | { readonly failures: number; readonly waitUntil: Date } {
  const seconds = Math.ceil((known.waitUntil.getTime() - now.getTime()) / 1000)
  if (seconds > 0 && seconds <= LONGEST_WAIT_SECONDS + APART_SECONDS) return { retryAfter: seconds }
  const isForgiven = now.getTime() - known.updatedAt.getTime() > FORGIVEN_AFTER_MS
  const failures = isForgiven ? 1 : known.failures + 1
  return { failures, waitUntil: new Date(now.getTime() + waitSeconds(failures, free) * 1000) }
}
