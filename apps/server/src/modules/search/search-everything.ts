import { SEARCHED } from '@kassa/contract/search/routes.ts'
import { type Found, MOST_FOUND, type SearchQuestion } from '@kassa/contract/search/schemas.ts'

import type { Context, ProjectScope } from '../../context.ts'
import { grantedScope, narrowScope } from '../../http/access.ts'
import { findKeys } from '../api-keys/service.ts'
import { findCustomers } from '../customers/service.ts'
import { findMembers } from '../operators/members/service.ts'
import { findPayments } from '../payments/search/service.ts'
import { findPromoters } from '../referral/promoters/service.ts'
import { searchPayouts } from '../withdrawals/lists/service.ts'

/**
 * Finds a few of each kind, newest first, where the caller may read it; members in every project of the caller, because they
 * are listed for the whole install. The searches run one after another: each takes a millisecond or two, and a person who types
 * must not take several connections at once.
 */
export async function searchEverything(ctx: Context, scope: ProjectScope, { query }: SearchQuestion): Promise<Found> {
  const { caller } = ctx
  const among = async <Row>(projects: ProjectScope | null, find: Find<Row>) =>
    projects && (await find(ctx, { projectIds: projects.projectIds, query, limit: MOST_FOUND }))
  const within = <Row>(kind: keyof Found, find: Find<Row>) => among(narrowScope(caller, scope, SEARCHED[kind]), find)
  return {
    payments: await within('payments', findPayments),
    customers: await within('customers', findCustomers),
    payouts: await within('payouts', searchPayouts),
    promoters: await within('promoters', findPromoters),
    members: await among(grantedScope(caller, SEARCHED.members), findMembers),
    keys: await within('keys', findKeys),
  }
}

type Find<Row> = (
  ctx: Context,
  asked: {
    readonly projectIds: ProjectScope['projectIds']
    readonly query: string
    readonly limit: number
  },
) => Promise<Row[]>
