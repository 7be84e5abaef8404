/** When this browser last used its session, in any tab: the server moves the session's end with every call. */
const ENTRY = 'sessionUse'

/** Written at most this often. */
const EVERY_MS = 5_000

/** Notes that the server has just answered a call of the session. */
export function noteSessionUse(now = Date.now()): void {
  if (now - lastSessionUse() >= EVERY_MS) localStorage.setItem(ENTRY, String(now))
}

/** Returns when the session was last used, in milliseconds since 1970; 0 when it was not stored. */
export function lastSessionUse(): number {
  const at = Number(localStorage.getItem(ENTRY))
  return Number.isFinite(at) ? at : 0
}
