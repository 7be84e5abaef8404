import { usd, usdOf } from '@kassa/primitives/money/usd.ts'

import type { PayoutPolicy } from '../policy/service.ts'
import type { DecisionFacts } from '../record/tables.ts'
import type { Judged, ListTotals } from './question.ts'

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
    ...(listTotals && { list: { payouts: listTotals.payouts, amountInUSD: listTotals.amountUsd } }),
  }
}
