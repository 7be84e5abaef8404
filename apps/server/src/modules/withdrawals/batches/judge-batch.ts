/** What the policy decides about a list of payouts: about its sum, not about each row by itself. */
import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import type { Priced } from '../payouts/convert-reward.ts'
import { draftOf, policyForRequests, pricedNow } from '../payouts/create-payout.ts'
import { namingInRefusal, type Subject } from '../payouts/naming.ts'
import type { PayoutRequest } from '../payouts/payout-request.ts'
import { type Draft, judge, type Judged, type ListTotals } from '../payouts/question.ts'
import { refuseBlocked } from '../payouts/refuse-blocked.ts'
import type { PayoutPolicy } from '../policy/service.ts'
import { listTotalsOf } from './list-totals.ts'

/** A row of a list as read from the call. */
export type RowRequest = { readonly request: PayoutRequest; readonly subject: Subject }

/** A row with what the policy decided about its list. */
export type JudgedRow = RowRequest &
  Priced & { readonly draft: Draft; readonly listTotals: ListTotals; readonly judged: Judged }

/**
 * Prices the rows and asks the policy about them together, in the order of their assets: so that two lists, or a list and an
 * approval of several, never wait for each other in turn. Returns them in that order.
 * @throws VALIDATION_FAILED, RATE_UNAVAILABLE, and as `refuseBlocked`; each names the row
 */
export async function judgeBatch(
  ctx: Context,
  policy: PayoutPolicy,
  rows: readonly RowRequest[],
): Promise<JudgedRow[]> {
  const ordered = rows.toSorted((one, other) => one.request.asset.id - other.request.asset.id)
  const priced: (RowRequest & Priced)[] = []
  for (const row of ordered) {
    priced.push({ ...row, ...(await namingInRefusal(row.subject, () => pricedNow(ctx, row.request))) })
  }
  const counted = listTotalsOf(
    priced.map(({ request, units, amountUsd }) => ({ assetId: request.asset.id, units, usd: usdOf(amountUsd) })),
  )
  const judged: JudgedRow[] = []
  for (const [at, row] of priced.entries()) {
    const listTotals = counted[at]
    if (listTotals === undefined) throw new Error(`Row ${at} was not counted`)
    const draft = { ...draftOf(ctx, row.request, row), listTotals }
    const verdict = await namingInRefusal(row.subject, async () => {
      const found = await judge(ctx, policyForRequests(policy), draft)
      return found.decision.kind === 'block' ? refuseBlocked(found.decision, row.request.asset) : found
    })
    judged.push({ ...row, draft, listTotals, judged: verdict })
  }
  return judged
}
