/** Rules of the ways to pay: what sending costs and how long it takes as a rule, and which way is offered first. */
import type { PaymentOption } from '@kassa/contract/payments/schemas.ts'
import { type Blockchain, type Confirmations, FEE_LEVELS } from '@kassa/primitives/chains/blockchain.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'

/** A way to pay, with what decides its place besides what the payer reads. */
export type RankedOption = { readonly option: PaymentOption; readonly isStable: boolean }

/**
 * Orders the ways to pay: what can be paid now, then what the project recommends, then what its customers use most; before
 * anybody has chosen anything a stable currency on the network with the lowest fee, the fastest first. Equal ones stay as
 * they were given.
 */
export function orderOptions(options: readonly RankedOption[]): PaymentOption[] {
  return options
    .toSorted((a, b) => {
      const [ranksOfA, ranksOfB] = [ranksOf(a), ranksOf(b)]
      return ranksOfA.map((rank, at) => rank - (ranksOfB[at] ?? 0)).find((difference) => difference !== 0) ?? 0
    })
    .map(({ option }) => option)
}

/** The values that decide the order, most important first; the lower rank stands first. */
function ranksOf({ option, isStable }: RankedOption): number[] {
  const { ready, recommended, mostUsed, typicalFee, typicalSeconds } = option
  const fee = typicalFee === null ? FEE_LEVELS.length : FEE_LEVELS.indexOf(typicalFee)
  const isNot = [ready, recommended, mostUsed, isStable].map((is) => (is ? 0 : 1))
  return [...isNot, fee, typicalSeconds ?? Number.MAX_SAFE_INTEGER]
}

/** Returns the seconds that money of this value usually takes until it counts, by the chain's own rule without a project's. */
export function typicalSeconds(
  { blockSeconds, finalitySeconds }: Pick<Blockchain, 'blockSeconds' | 'finalitySeconds'>,
  { largeFromUsd, large }: Pick<Confirmations, 'largeFromUsd' | 'large'>,
  { usd, minConfirmations }: { readonly usd: Usd; readonly minConfirmations: number },
): number {
  const isLarge = usd >= largeFromUsd
  if (isLarge && large === 'finalized' && finalitySeconds !== undefined) return finalitySeconds
  const depth = isLarge && large !== 'finalized' ? Math.max(minConfirmations, large) : minConfirmations
  return Math.ceil(depth * blockSeconds)
}
