/** What a wallet may sign next, and when the chain has decided (money.md 7.3). Pure. */
import type { Sequences } from '@kassa/chains/adapter.ts'
import type { Confirmations } from '@kassa/primitives/chains/blockchain.ts'

/** Transactions of one wallet that no block holds yet, at most: nodes reliably queue 16 of an account (geth `accountslots`). */
export const MOST_IN_FLIGHT = 16

export type SequenceChoice =
  | { readonly kind: 'take'; readonly sequence: bigint }
  /** As many wait as nodes queue for one account. */
  | { readonly kind: 'busy' }
  /** This node has not seen what another one has, or what it had itself before. */
  | { readonly kind: 'stale' }
  /** Transactions of this key wait that are not ours. */
  | { readonly kind: 'ahead' }
  /** Blocks hold transactions of this key that are not ours: it is used elsewhere, or the database is older than the chain. */
  | { readonly kind: 'used_elsewhere'; readonly expected: bigint; readonly found: bigint }

/**
 * The sequence of the next send: one above the highest of ours, or where the chain is for the first one. The chain is asked so
 * that nothing is signed under a sequence that is taken, by whomever (D-9).
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

/** How far a blockchain is read, and up to where it is final. */
export type ChainPosition = {
  readonly tip: number
  /** −1 where the chain names no block final. */
  readonly finalized: number
}

/** Whether a block is deep enough for a send to count as processed. */
export function isFinalDepth(height: number, at: ChainPosition, minConfirmations: number): boolean {
  return height <= at.finalized || height <= at.tip - minConfirmations + 1
}

/**
 * Whether a block is beyond any reorganisation. A send may fail only there, because a failed one is paid again. Where a chain
 * names its final blocks, depth alone is not enough.
 */
export function isBeyondReturn(
  height: number,
  at: ChainPosition,
  { large, reorgLimit }: Pick<Confirmations, 'large' | 'reorgLimit'>,
): boolean {
  if (height <= at.finalized) return true
  const depth = large === 'finalized' ? reorgLimit : large
  return (large !== 'finalized' || at.finalized < 0) && height <= at.tip - depth + 1
}
