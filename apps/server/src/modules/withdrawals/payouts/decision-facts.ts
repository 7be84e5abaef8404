import { usd, usdOf } from '@kassa/primitives/money/usd.ts'

import type { PayoutPolicy } from '../policy/service.ts'
import type { DecisionFacts } from '../record/tables.ts'
import type { Judged } from './question.ts'

/** The rule that decided about a payout and the window sums including it, as stored in its row. */
export function facts(policy: PayoutPolicy, { decision, hourUsd, dayUsd }: Judged, amountUsd: string): DecisionFacts {
  const rule = decision.kind === 'block' ? decision : decision.rule
  return {
    rule: rule.code,
    params: rule.params,
    hourUsed: usd(usdOf(hourUsd) + usdOf(amountUsd)),
    dayUsed: usd(usdOf(dayUsd) + usdOf(amountUsd)),
    hourLimit: usd(policy.hourlyLimit),
    dayLimit: usd(policy.dailyLimit),
  }
}
