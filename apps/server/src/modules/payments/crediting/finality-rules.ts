/** Rules of finality: when a deposit is final, and what it becomes then (money.md 1.4, 3.4). */
import type { DepositReason } from '@kassa/contract/deposits/reasons.ts'
import type { Confirmations } from '@kassa/primitives/chains/blockchain.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'
import type { ChainPosition, Deposit, Disposition } from '../../deposits/service.ts'
import { type Depth, isUnapplied } from '../funding/deposit-rules.ts'

/**
 * When a deposit of this value is final: the stricter of the chain's rule and the project's (C-1). Without a price the
 * strictest rule of all applies, because the value may be large.
 */
export function depthFor(
  usd: Usd | null,
  chain: { readonly minConfirmations: number; readonly confirmations: Confirmations },
  rules: readonly { readonly upToUSD: string; readonly confirmations: number | 'finalized' }[],
): Depth {
  const { largeFromUsd, large } = chain.confirmations
  const isLarge = usd === null || usd >= largeFromUsd
  const byValue = rules.toSorted((a, b) => (usdOf(a.upToUSD) < usdOf(b.upToUSD) ? -1 : 1))
  const own = usd === null ? byValue : [byValue.find(({ upToUSD }) => usd <= usdOf(upToUSD)) ?? byValue.at(-1)]
  // A chain without a finality signal uses the depth that replaces it.
  const meant = (depth: number | 'finalized') => (depth === 'finalized' ? large : depth)
  const wanted = [...(isLarge ? [large] : []), ...own.flatMap((rule) => (rule ? [meant(rule.confirmations)] : []))]
  const depths = wanted.filter((depth) => typeof depth === 'number')
  return {
    confirmationsRequired: Math.max(chain.minConfirmations, ...depths),
    rule: wanted.includes('finalized') ? 'finalized' : 'depth',
  }
}

/** Whether a deposit is old enough at this position to be final, unless it waits for a cross-check. */
export function isDeepEnough(
  { height, rule, confirmationsRequired }: Pick<Deposit, 'height' | 'rule' | 'confirmationsRequired'>,
  { tip, finalized }: ChainPosition,
): boolean {
  return height <= finalized || (rule === 'depth' && height <= tip - confirmationsRequired + 1)
}

/**
 * Allocations that end as `ignored`: they pay no payment. Versions before movements recorded what our own addresses sent as
 * deposits, `own`.
 */
const IGNORED: ReadonlySet<DepositReason> = new Set(['below_minimum', 'own'])

/**
 * The disposition of a deposit that became final. The decision made when it was seen stays valid: later events do not
 * change which payment it belongs to.
 */
export function dispositionOf({
  paymentId,
  reason,
  late,
  quarantineReason,
}: Pick<Deposit, 'paymentId' | 'reason' | 'late' | 'quarantineReason'>): Disposition {
  if (reason !== null && IGNORED.has(reason)) return { status: 'ignored', paymentId, reason, late }
  if (quarantineReason) return { status: 'quarantined', paymentId, reason: quarantineReason, late }
  const isCounted = paymentId !== null && !isUnapplied(reason)
  return { status: isCounted ? 'applied' : 'unapplied', paymentId, reason, late }
}
