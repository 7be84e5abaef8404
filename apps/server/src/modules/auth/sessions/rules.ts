/** How long proof of presence is valid after a password check, or one of a second factor (api.md 2.7); a sign-in counts. */
const STEP_UP_WINDOW_MS = { password: 30 * 60_000, factor: 10 * 60_000 } as const

/** A session that must first choose a password lives this long (api.md 2.1). */
const RESTRICTED_MINUTES = 30

/** Seconds an access token lives (api.md 2.1). */
export const ACCESS_TOKEN_SECONDS = 900

const DAY_MS = 24 * 3_600_000

const REFRESH_TOKEN_MS = 7 * DAY_MS

/** A session is renewed for this long at most; then its operator signs in again. */
const REFRESH_ABSOLUTE_MS = 30 * DAY_MS

/** The same refresh token is handed out again while more than this remains of it. */
const ROTATION_MS = 2 * DAY_MS

/** Calls this close together get one answer: several windows of a program notice at once that their token ran out. */
const SAME_ANSWER_MS = 60_000

/** A session's last use is written at most this often. */
const SLIDE_EVERY_MS = 60_000

export type SessionPolicy = { readonly idleMinutes: number; readonly absoluteHours: number }

export type SessionTimes = {
  readonly idleExpiresAt: Date
  readonly expiresAt: Date
  readonly accessExpiresAt: Date
  readonly refreshExpiresAt: Date
  readonly stepUpUntil: Date
}

/** Returns when the parts of a session that starts now end; nothing outlives the absolute end but the refresh token. */
export function sessionTimes(
  now: Date,
  policy: SessionPolicy,
  { restricted = false, withFactor = false } = {},
): SessionTimes {
  const after = (ms: number) => new Date(now.getTime() + ms)
  const absoluteMs = restricted ? RESTRICTED_MINUTES * 60_000 : policy.absoluteHours * 3_600_000
  const idleMs = Math.min(policy.idleMinutes * 60_000, absoluteMs)
  return {
    idleExpiresAt: after(idleMs),
    expiresAt: after(absoluteMs),
    accessExpiresAt: after(Math.min(ACCESS_TOKEN_SECONDS * 1000, absoluteMs)),
    refreshExpiresAt: after(restricted ? absoluteMs : REFRESH_TOKEN_MS),
    stepUpUntil: stepUpWindow(now, { withFactor }),
  }
}

/** What renewing looks at in a session. */
export type Renewable = {
  readonly created_at: Date
  readonly expires_at: Date
  readonly restricted: boolean
  readonly refresh_expires_at: Date
}

/** Returns when the tokens of a renewal end, and whether the refresh token is another one; nothing outlives 30 days. */
export function renewal(
  session: Renewable,
  now: Date,
): { readonly isRotated: boolean; readonly accessExpiresAt: Date; readonly refreshExpiresAt: Date } {
  const end = session.restricted ? session.expires_at.getTime() : session.created_at.getTime() + REFRESH_ABSOLUTE_MS
  const isRotated = session.refresh_expires_at.getTime() - now.getTime() <= ROTATION_MS
  const atMost = (ms: number) => new Date(Math.min(now.getTime() + ms, end))
  return {
    isRotated,
    accessExpiresAt: atMost(ACCESS_TOKEN_SECONDS * 1000),
    refreshExpiresAt: isRotated ? atMost(REFRESH_TOKEN_MS) : session.refresh_expires_at,
  }
}

/** Whether an event is so recent that a renewal is repeated and a replaced refresh token is accepted. */
export function isJustNow(then: Date | null, now: Date): boolean {
  return then !== null && Math.abs(now.getTime() - then.getTime()) <= SAME_ANSWER_MS
}

/** Returns until when a proof of presence given now holds. */
export function stepUpWindow(now: Date, { withFactor }: { readonly withFactor: boolean }): Date {
  return new Date(now.getTime() + STEP_UP_WINDOW_MS[withFactor ? 'factor' : 'password'])
}

/**
 * Returns the idle end of a session that is used now; it never passes the absolute end. A key that was idle for too long stays
 * invalid, even when its session continues with renewed access tokens.
 */
export function slideIdle(session: { idle_expires_at: Date; expires_at: Date }, idleMinutes: number, now: Date): Date {
  if (session.idle_expires_at <= now) return session.idle_expires_at
  return new Date(Math.min(now.getTime() + idleMinutes * 60_000, session.expires_at.getTime()))
}

/** Whether a session's last use is due to be written. */
export function isSlideDue(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= SLIDE_EVERY_MS
}
