/** Searches of payments for other modules: a few by what was typed, and how many need attention. */
import type { FoundPayment } from '@kassa/contract/search/schemas.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { exactAmounts } from './row-view.ts'
import { readFilter } from './rules.ts'
import { countFound, listFound, openSearch } from './store.ts'

type Asked = {
  readonly projectIds: ProjectScope['projectIds']
  readonly query: string
  readonly limit: number
}

/** The newest payments that the search (Y18) would list for a text, without counting the others. */
export async function findPayments(ctx: Context, { projectIds, query, limit }: Asked): Promise<FoundPayment[]> {
  const filter = readFilter({ query }, projectIds)
  const search = await openSearch(ctx, filter)
  if (search.candidates?.length === 0) return []
  const newest = { sort: 'created_at', isAscending: false, from: null, limit, offset: 0 } as const
  const rows = await listFound(ctx, search, newest)
  return rows.slice(0, limit).map((found) => ({
    referenceID: found.reference_id,
    externalPlatformID: found.project_id,
    paymentStatus: found.status,
    fundingState: found.funding_state,
    cancelReason: found.status === 'CANCELLED' ? found.cancel_reason : null,
    amountInUSD: exactAmounts(found).amountInUSD,
    customerID: found.merchant_customer_id,
    email: found.email,
    createdAt: found.created_at,
  }))
}

/** How many payments need attention, and how many of them are short, over and late: as the filters of the search count them. */
export async function countNeedingAttention(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
): Promise<{ count: number; short: number; over: number; late: number }> {
  const countOf = async (state: string) => {
    const filter = readFilter({ paymentStatus: [state] }, projectIds)
    return (await countFound(ctx, await openSearch(ctx, filter))).count
  }
  const count = await countOf('NEEDS_ATTENTION')
  if (count === 0) return { count, short: 0, over: 0, late: 0 }
  return {
    count,
    short: await countOf('SHORT_NEEDS_ATTENTION'),
    over: await countOf('OVER_NEEDS_ATTENTION'),
    late: await countOf('LATE_NEEDS_ATTENTION'),
  }
}
