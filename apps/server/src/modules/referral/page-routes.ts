import type { promoterPageRoutes } from '@kassa/contract/referral/page-routes.ts'
import type { referralPayoutsRoutes } from '@kassa/contract/referral/routes.ts'

import { type Handlers, prepared } from '../../http/handlers.ts'
import {
  checkCode,
  ownRewards,
  ownWithdrawalOf,
  ownWithdrawals,
  promoterOf,
  promoterPage,
  sendCode,
  withdrawRewards,
} from './page/service.ts'
import { listReferralPayouts, referralPayoutMetrics } from './payouts/service.ts'
import { getReferrer } from './referrers/service.ts'

export const promoterPageHandlers: Handlers<typeof promoterPageRoutes> = {
  getPromoterPage: (ctx) => promoterPage(ctx),
  listOwnRewards: (ctx, { query }) => ownRewards(ctx, query),
  listOwnWithdrawals: (ctx, { query }) => ownWithdrawals(ctx, query),
  sendWithdrawalCode: async (ctx) => ({ otpSent: true, expiresAt: await sendCode(ctx, promoterOf(ctx)) }),
  withdrawRewards: prepared({
    prepare: (ctx, { body }) => checkCode(ctx, promoterOf(ctx), body.otpCode),
    perform: async (ctx, { body }, codeId) => {
      const { id } = await withdrawRewards(ctx, promoterOf(ctx), { input: body, codeId })
      return ownWithdrawalOf(ctx, id)
    },
  }),
}

export const referralPayoutsHandlers: Handlers<typeof referralPayoutsRoutes> = {
  listPromoterWithdrawals: async (ctx, { scope, params, query }) => {
    const { id: referrerId, project_id } = await getReferrer(ctx, scope, params.id)
    return listReferralPayouts(ctx, { ...ofRewards(query), referrerId, projectIds: [project_id] })
  },
  listReferralPayouts: (ctx, { scope, query }) =>
    listReferralPayouts(ctx, { ...ofRewards(query), projectIds: scope.projectIds }),
  getReferralPayoutMetrics: (ctx, { scope }) => referralPayoutMetrics(ctx, scope),
}

/** This list has one of the types of payouts only. */
function ofRewards<Query extends { readonly type?: unknown }>({ type: _type, ...query }: Query) {
  return query
}
