/** Told this long before: time enough to come back from the next room. */
const WARN_MS = 2 * 60_000

/** The server moves a session's end at most once a minute, so it may be this much nearer than the last use says. */
const SLACK_MS = 60_000

export type IdleFacts = {
  /** The end that the server sent, and when it sent it. */
  readonly endsAt: number
  readonly toldAt: number
  /** The last call of this browser, in any tab. */
  readonly usedAt: number
}

/**
 * Returns the whole seconds until the session ends for want of use; null while that is more than two minutes away.
 * All times in milliseconds since 1970.
 */
export function secondsLeft({ endsAt, toldAt, usedAt }: IdleFacts, now: number): number | null {
  const idleMs = endsAt - toldAt
  const end = Math.max(endsAt, usedAt + idleMs - SLACK_MS)
  const leftMs = end - now
  return leftMs > WARN_MS ? null : Math.max(0, Math.ceil(leftMs / 1000))
}

/** Returns seconds as minutes and seconds: 1:05. */
export function minuteText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
