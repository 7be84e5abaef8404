import type { HotPurpose } from '@kassa/contract/wallets/hot-schemas.ts'

/**
 * What a new hot wallet is for when nobody says so: payouts, then gas, so that the second one keeps the two apart; payouts
 * once there are both.
 */
export function purposesOf(
  asked: readonly HotPurpose[] | undefined,
  served: readonly HotPurpose[],
): readonly [HotPurpose, ...HotPurpose[]] {
  const wanted = [...new Set(asked)].toSorted()
  const [first, ...rest] = wanted
  if (first !== undefined) return [first, ...rest]
  return served.includes('payout') && !served.includes('gas') ? ['gas'] : ['payout']
}
