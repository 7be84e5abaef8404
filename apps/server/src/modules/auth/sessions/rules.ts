/** Proof of presence holds this long after a password check (api.md 2.7); sign-in counts. */
const STEP_UP_WINDOW_MS = 30 * 60_000

/** A session that must first choose a password lives this long (api.md 2.1). */
const RESTRICTED_MINUTES = 30

const ACCESS_TOKEN_SECONDS = 900

const REFRESH_TOKEN_DAYS = 7

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
export function sessionTimes(now: Date, policy: SessionPolicy, { restricted = false } = {}): SessionTimes {
  const after = (ms: number) => new Date(now.getTime() + ms)
  const absoluteMs = restricted ? RESTRICTED_MINUTES * 60_000 : policy.absoluteHours * 3_600_000
  const idleMs = Math.min(policy.idleMinutes * 60_000, absoluteMs)
  return {
    idleExpiresAt: after(idleMs),
    expiresAt: after(absoluteMs),
    accessExpiresAt: after(Math.min(ACCESS_TOKEN_SECONDS * 1000, absoluteMs)),
    refreshExpiresAt: after(restricted ? absoluteMs : REFRESH_TOKEN_DAYS * 24 * 3_600_000),
    stepUpUntil: stepUpWindow(now),
  }
}

/** Returns until when a proof of presence given now holds. */
export function stepUpWindow(now: Date): Date {
  return new Date(now.getTime() + STEP_UP_WINDOW_MS)
}

/** Returns the idle end of a session that is used now; it never passes the absolute end. */
export function slideIdle(expiresAt: Date, idleMinutes: number, now: Date): Date {
  return new Date(Math.min(now.getTime() + idleMinutes * 60_000, expiresAt.getTime()))
}

/** Whether a session's last use is due to be written. */
export function isSlideDue(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= SLIDE_EVERY_MS
}
