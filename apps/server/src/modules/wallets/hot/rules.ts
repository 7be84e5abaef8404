import type { HotPurpose } from '@kassa/contract/wallets/hot-schemas.ts'

/**
 * The purposes of a new hot wallet where the request names none: payouts and gas in turn, so that a second wallet separates them;
 * payouts once both are served.
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
