import { fail } from '@kassa/contract/kit/api-error.ts'
import type { payoutRequestRoutes } from '@kassa/contract/withdrawals/request-routes.ts'
import type { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'

import type { Context, ProjectScope } from '../../context.ts'
import { type Describe, type Handlers, reply } from '../../http/handlers.ts'
import { nextLink } from '../../paging/next-link.ts'
import { approveList } from './approving/approve-list.ts'
import { describeList } from './approving/describe-list.ts'
import { createBatch, describeBatch } from './batches/create-batch.ts'
import { quotePayouts } from './batches/quote.ts'
import { payoutDetail } from './lists/detail.ts'
import { payoutBalances, payoutMetrics } from './lists/figures.ts'
import { findPayout, findPayouts, listPayouts } from './lists/service.ts'
import {
  approvePayout,
  cancelPayout,
  createPayout,
  describeApproval,
  describeRequest,
  describeRetry,
  rejectPayout,
  requestOfMerchant,
  requestOfRecipient,
  retryPayout,
} from './payouts/service.ts'
import type { WithdrawalRow } from './record/service.ts'

/** Existing clients read up to this many at once. */
const MERCHANT_LIMIT = 1000

export const payoutsHandlers: Handlers<typeof payoutsRoutes> = {
  createMerchantPayout: async (ctx, { scope, body }) =>
    shown(ctx, await createPayout(ctx, await requestOfMerchant(ctx, one(scope), body))),
  getMerchantPayout: (ctx, { scope, params, query }) =>
    findPayout(ctx, { ...query, id: params.id, projectIds: scope.projectIds }),
  listMerchantPayouts: async (ctx, { scope, query }) => {
    const limit = query.limit ?? MERCHANT_LIMIT
    const page = await listPayouts(ctx, { ...query, limit, projectIds: scope.projectIds }, MERCHANT_LIMIT)
    const link = nextLink('/api/v1/withdrawal/merchant', { ...query, limit }, page.nextCursor)
    return reply(page.data, { headers: { 'x-total-count': String(page.total), ...link } })
  },
  listPayouts: (ctx, { scope, query: { type: types, ...query } }) =>
    listPayouts(ctx, { ...query, types, projectIds: scope.projectIds }),
  getPayout: (ctx, { scope, params }) => payoutDetail(ctx, scope.projectIds, params.id),
  getPayoutMetrics: (ctx, { scope }) => payoutMetrics(ctx, scope),
  listPayoutBalances: (ctx, { scope }) => payoutBalances(ctx, scope),
  approvePayout: async (ctx, { scope, params, body }) =>
    shown(ctx, await approvePayout(ctx, scope, params.id, body.note ?? '')),
  approvePayouts: (ctx, { scope, body }) => approveList(ctx, scope, body.ids, body.note ?? ''),
  rejectPayout: async (ctx, { scope, params, body }) =>
    shown(ctx, await rejectPayout(ctx, scope, params.id, body.reason ?? '')),
  cancelPayout: async (ctx, { scope, params, body }) =>
    shown(ctx, await cancelPayout(ctx, scope, params.id, body.reason ?? '')),
  retryPayout: async (ctx, { scope, params, body }) =>
    shown(ctx, await retryPayout(ctx, scope, params.id, body.maxFee ?? null)),
}

export const payoutRequestHandlers: Handlers<typeof payoutRequestRoutes> = {
  createPayout: async (ctx, { scope, body }) =>
    shown(ctx, await createPayout(ctx, await requestOfRecipient(ctx, one(scope), body))),
  createPayouts: async (ctx, { scope, body }) => {
    const rows = await createBatch(ctx, one(scope), body.rows)
    return { payouts: await findPayouts(ctx, one(scope), rows) }
  },
  quotePayouts: (ctx, { scope, body }) => quotePayouts(ctx, one(scope), body.rows),
}

/** What a new payout to a recipient will do. */
export const describeCreatePayout: Describe<typeof payoutRequestRoutes.createPayout> = async (ctx, { scope, body }) =>
  describeRequest(ctx, await requestOfRecipient(ctx, one(scope), body))

/** What a list of new payouts will do. */
export const describeCreatePayouts: Describe<typeof payoutRequestRoutes.createPayouts> = (ctx, { scope, body }) =>
  describeBatch(ctx, one(scope), body.rows)

/** Says what an approval will do: the decoded bytes. */
export const describeApprovePayout: Describe<typeof payoutsRoutes.approvePayout> = (ctx, { scope, params }) =>
  describeApproval(ctx, scope, params.id)

/** Says what one approval of several payouts will do. */
export const describeApprovePayouts: Describe<typeof payoutsRoutes.approvePayouts> = (ctx, { scope, body }) =>
  describeList(ctx, scope, body.ids)

/** What sending again will do. */
export const describeRetryPayout: Describe<typeof payoutsRoutes.retryPayout> = (ctx, { scope, params, body }) =>
  describeRetry(ctx, scope, params.id, body.maxFee ?? null)

function shown(ctx: Context, { id, project_id }: WithdrawalRow) {
  return findPayout(ctx, { id: String(id), projectIds: [project_id] })
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
