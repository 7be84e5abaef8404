import { usd, usdOf } from '@kassa/primitives/money/usd.ts'

import type { PayoutPolicy } from '../policy/service.ts'
import type { DecisionFacts } from '../record/tables.ts'
import type { Judged, Together } from './question.ts'

/**
 * The rule that decided about a payout and the window sums including it, and including the list that it was requested with, as
 * stored in its row.
 */
export function facts(
  policy: PayoutPolicy,
  { decision, hourUsd, dayUsd }: Judged,
  amountUsd: string,
  together?: Together,
): DecisionFacts {
  const rule = decision.kind === 'block' ? decision : decision.rule
  const added = usdOf(together?.amountUsd ?? amountUsd)
  return {
    rule: rule.code,
    params: rule.params,
    hourUsed: usd(usdOf(hourUsd) + added),
    dayUsed: usd(usdOf(dayUsd) + added),
    hourLimit: usd(policy.hourlyLimit),
    dayLimit: usd(policy.dailyLimit),
    ...(together && { list: { payouts: together.payouts, amountInUSD: together.amountUsd } }),
  }
}
