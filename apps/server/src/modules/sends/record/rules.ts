/** What a wallet may sign next, and when the chain has decided (money.md 7.3). Pure. */
import type { Sequences } from '@kassa/chains/adapter.ts'

/** Transactions of one wallet that no block holds yet: nodes queue 16 of an account for certain (geth `accountslots`). */
export const MOST_IN_FLIGHT = 16

export type SequenceChoice =
  | { readonly kind: 'take'; readonly sequence: bigint }
  /** As many wait as nodes keep of one account. */
  | { readonly kind: 'busy' }
  /** The node has not seen what others had: another one, or this one later. */
  | { readonly kind: 'stale' }
  /** Transactions of this key wait that are not ours. */
  | { readonly kind: 'ahead' }
  /** Blocks hold transactions of this key that are not ours: it is used elsewhere, or the database is older than the chain. */
  | { readonly kind: 'used_elsewhere'; readonly expected: bigint; readonly found: bigint }

/**
 * The sequence of the next send: one more than the highest of ours, or the first that is ours. The chain is asked so that
 * nothing is signed in a place that is taken, by whomever (D-9).
 */
export function nextSequence(own: {
  /** The highest sequence of any send of the wallet, and of those that were decided by a block; null where there is none. */
  readonly highest: bigint | null
  readonly highestDecided: bigint | null
  readonly first: bigint
  readonly inFlight: number
  readonly chain: Sequences
}): SequenceChoice {
  const { highest, highestDecided, first, inFlight, chain } = own
  const next = highest === null || highest + 1n < first ? first : highest + 1n
  if (chain.mined > next) return { kind: 'used_elsewhere', expected: next, found: chain.mined }
  if (highestDecided !== null && chain.mined <= highestDecided) return { kind: 'stale' }
  if (chain.pending > next) return { kind: 'ahead' }
  if (inFlight >= MOST_IN_FLIGHT) return { kind: 'busy' }
  return { kind: 'take', sequence: next }
}
