/** Returns the text that the key of a vault is bound to. */
export function vaultKeyLabel(vaultId: number, version: number): string {
  return `kassa|vault-key|${vaultId}|${version}`
}

/** Returns the text that the root key of a vault with a passphrase is bound to. */
export function rootLabel(vaultId: number): string {
  return `kassa|vault-root|${vaultId}`
}

export type GrantPlace = { readonly vaultId: number; readonly processId: string; readonly lockCount: number }

/** Returns the text that a root key is bound to on its way to one process: it opens in no other process, and not after a lock. */
export function grantLabel({ vaultId, processId, lockCount }: GrantPlace): string {
  return `kassa|vault-grant|${vaultId}|${processId}|${lockCount}`
}

/** Failures without a wait, because people mistype. */
const FREE_FAILURES = 5

/** The longest wait: 15 minutes; no one is locked out for good. */
const LONGEST_WAIT_SECONDS = 15 * 60

/** The clocks of processes differ by less: a wait that is longer by more was noted by a clock that has been corrected since. */
const APART_SECONDS = 60

/** A day without failures clears the earlier ones. */
const FORGIVEN_AFTER_MS = 24 * 3_600_000

export type Failures = { readonly failures: number; readonly waitUntil: Date; readonly updatedAt: Date }

/**
 * Charges one attempt before it is tried, so that simultaneous attempts cannot share one failure; the right passphrase clears
 * it. After five failures each further one waits 1, 2, 4, … seconds, up to 15 minutes.
 */
export function chargeAttempt(
  known: Failures,
  now: Date,
): { readonly retryAfter: number } | { readonly failures: number; readonly waitUntil: Date } {
  const seconds = Math.ceil((known.waitUntil.getTime() - now.getTime()) / 1000)
  if (seconds > 0 && seconds <= LONGEST_WAIT_SECONDS + APART_SECONDS) return { retryAfter: seconds }
  const isForgiven = now.getTime() - known.updatedAt.getTime() > FORGIVEN_AFTER_MS
  const failures = isForgiven ? 1 : known.failures + 1
  const wait =
    failures < FREE_FAILURES ? 0 : Math.min(LONGEST_WAIT_SECONDS, 2 ** Math.min(failures - FREE_FAILURES, 20))
  return { failures, waitUntil: new Date(now.getTime() + wait * 1000) }
}
