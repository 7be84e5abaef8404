import { usd, usdOf } from '@kassa/primitives/money/usd.ts'

import type { PayoutPolicy, PolicyDecision } from '../policy/service.ts'
import type { DecidedList, DecisionFacts, WithdrawalRow } from './tables.ts'

/** A decision, and what the windows held without the payout. Decimal text. */
type Judged = { readonly decision: PolicyDecision; readonly hourUsd: string; readonly dayUsd: string }

/** What the policy counts of a list, and the number of its first payout. */
type ListTotals = { readonly payouts: number; readonly amountUsd: string; readonly first?: bigint }

/**
 * The rule that decided about a payout and the window sums including it, and including the list that it was requested with, as
 * stored in its row.
 */
export function facts(
  policy: PayoutPolicy,
  { decision, hourUsd, dayUsd }: Judged,
  amountUsd: string,
  listTotals?: ListTotals,
): DecisionFacts {
  const rule = decision.kind === 'block' ? decision : decision.rule
  const added = usdOf(listTotals?.amountUsd ?? amountUsd)
  return {
    rule: rule.code,
    params: rule.params,
    hourUsed: usd(usdOf(hourUsd) + added),
    dayUsed: usd(usdOf(dayUsd) + added),
    hourLimit: usd(policy.hourlyLimit),
    dayLimit: usd(policy.dailyLimit),
    ...(listTotals && { list: listFacts(listTotals) }),
  }
}

function listFacts({ payouts, amountUsd, first }: ListTotals): DecidedList {
  return { payouts, amountInUSD: amountUsd, ...(first !== undefined && { first: String(first) }) }
}

/** The same of a payout that is decided again: it stays a part of the list that it was requested with, and counts its sum. */
export function factsAgain(
  policy: PayoutPolicy,
  judged: Judged,
  { amount_usd: amountUsd, decision: { list } }: Pick<WithdrawalRow, 'amount_usd' | 'decision'>,
): DecisionFacts {
  return { ...facts(policy, judged, list?.amountInUSD ?? amountUsd), ...(list && { list }) }
}
