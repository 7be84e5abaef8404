/** What a deposit means to payments: whose it is, what it counts for, and when it is final (money.md 3.4, 1.4). */
import type { Confirmations } from '@kassa/primitives/chains/blockchain.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'
import { usdOf } from '../../../../../../packages/primitives/src/money/usd.ts'
import type { Depth } from '../funding/deposit-rules.ts'

/**
 * When a deposit of this worth is final: the strictest of the chain's rule and the project's (C-1). Without a price the
 * strictest rule of all applies.
 */
export function depthFor(
  usd: Usd | null,
  chain: { readonly minConfirmations: number; readonly confirmations: Confirmations },
  rules: readonly { readonly upToUSD: string; readonly confirmations: number | 'finalized' }[],
): Depth {
  const { largeFromUsd, large } = chain.confirmations
  const isLarge = usd === null || usd >= largeFromUsd
  const byWorth = rules.toSorted((a, b) => (usdOf(a.upToUSD) < usdOf(b.upToUSD) ? -1 : 1))
  const own = usd === null ? byWorth : [byWorth.find(({ upToUSD }) => usd <= usdOf(upToUSD)) ?? byWorth.at(-1)]
  // Where the chain has no word of its own for final, the depth that stands in for it is meant.
  const meant = (depth: number | 'finalized') => (depth === 'finalized' ? large : depth)
  const wanted = [...(isLarge ? [large] : []), ...own.flatMap((rule) => (rule ? [meant(rule.confirmations)] : []))]
  const depths = wanted.filter((depth) => typeof depth === 'number')
  return {
    confirmationsRequired: Math.max(chain.minConfirmations, ...depths),
    rule: wanted.includes('finalized') ? 'finalized' : 'depth',
  }
}
