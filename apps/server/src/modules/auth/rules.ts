/** Failed attempts that cost no wait: people mistype (api.md 1.7 auth-account). */
const FREE_FAILURES = 5
/** The longest wait: 15 minutes; an account is never locked for good. */
const LONGEST_WAIT_SECONDS = 15 * 60
/** A quiet day forgives former failures. */
const FORGIVEN_AFTER_MS = 24 * 3_600_000

/** Proof of presence holds this long after a password check (api.md 2.7); sign-in counts. */
const STEP_UP_WINDOW_MS = 30 * 60_000
/** A session that must first choose a password lives this long (api.md 2.1). */
const RESTRICTED_MINUTES = 30
const ACCESS_TOKEN_SECONDS = 900
const REFRESH_TOKEN_DAYS = 7
/** A session's last use is written at most this often. */
const SLIDE_EVERY_MS = 60_000

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

/** Returns a set-up code as it is compared: people type it in any case, with or without dashes. */
export function normalizeSetupCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z2-9]/g, '')
}

/** Returns JSON with sorted keys, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

/** How long a link to choose a password works (api.md 2.1). */
const TOKEN_MINUTES = { reset: 30, temporary: 30, invite: 72 * 60 } as const
/** Links one address may ask for within an hour (api.md 1.7 reset). */
export const RESETS_PER_HOUR = 5

export type PasswordPurpose = keyof typeof TOKEN_MINUTES

/** Returns when a link that is made now stops working. */
export function tokenEnd(purpose: PasswordPurpose, now: Date): Date {
  return new Date(now.getTime() + TOKEN_MINUTES[purpose] * 60_000)
}

/** Returns the address of the screen that takes a token: members who have chosen before go another way (api.md 2.4). */
export function passwordLink(origin: string, purpose: PasswordPurpose, token: string): string {
  return `${origin}/${purpose === 'reset' ? 'createPassword' : 'setPassword'}?resetPasswordToken=${token}`
}

/** Returns the origin for a link: the one asked for when it is allowed, else the site's (api.md 2.5). */
export function linkOrigin(asked: string | undefined, site: string, allowed: readonly string[]): string {
  const origin = asked === undefined ? null : (URL.parse(asked)?.origin ?? null)
  return origin !== null && allowed.includes(origin) ? origin : site
}

/**
 * An e-mail address that its owner recognises and others cannot use: `o…r@shop.example`. A short name shows less, since its
 * ends are all of it: `j…@shop.example`, `…@shop.example`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = Array.from(email.slice(0, at))
  const first = name.length > 1 ? name[0] : ''
  const last = name.length > 3 ? name.at(-1) : ''
  return `${first}…${last}${email.slice(at)}`
}
