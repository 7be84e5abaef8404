/** Addresses derived ahead per wallet: below `low` the pool is filled up to `high` (money.md 1.6). */
export const POOL = { low: 500, high: 2000 } as const

/** A list with this many unused addresses or fewer needs more (money.md 1.6). */
export const LIST_LOW = 200

/** Addresses derived at once: about 20 ms of work, so that other requests are not delayed. */
export const CHUNK = 50

/** Salts of deposit contracts count from 1; salt 0 is the contract that accounts delegate to (money.md 6.3). */
export const FIRST_SALT = 1

/** How many addresses a pool lacks, 0 while it has enough; `atLeast` is the number an operator asked for. */
export function missingAddresses(open: number, atLeast = 0): number {
  return Math.max(0, atLeast - open, open >= POOL.low ? 0 : POOL.high - open)
}

/** Shows enough of an extended public key to recognise it: the whole key would link all payers of a wallet. */
export function maskXpub(xpub: string): string {
  return `${xpub.slice(0, 6)}…${xpub.slice(-6)}`
}
