import { usd, usdOf } from '@kassa/primitives/money/usd.ts'

import type { PayoutPolicy } from '../policy/service.ts'
import type { DecidedList, DecisionFacts, WithdrawalRow } from '../record/tables.ts'
import type { Judged, ListTotals } from './question.ts'

/**
 * The rule that decided about a payout and the window sums including it, and including the list that it was requested with, as
 * stored in its row.
 */
export function facts(
  policy: PayoutPolicy,
  { decision, hourUsd, dayUsd }: Judged,
  amountUsd: string,
  listTotals?: ListTotals & { readonly first?: bigint },
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

function listFacts({ payouts, amountUsd, first }: ListTotals & { readonly first?: bigint }): DecidedList {
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
