import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralShopRoutes,
  rewardCurrenciesRoutes,
} from '@kassa/contract/referral/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { archiveEndedJob, countForgottenJob, countLogJob, forgetTokensJob } from './jobs.ts'
import { referralInvariants } from './rewards/invariants.ts'
import {
  campaignsHandlers,
  promotersHandlers,
  referralEventsHandlers,
  referralShopHandlers,
  rewardCurrenciesHandlers,
} from './routes.ts'
import { followRefund, followSales } from './sales/service.ts'

export const referral: Module = {
  name: 'referral',
  routes: [
    serve(referralShopRoutes, referralShopHandlers),
    serve(campaignsRoutes, campaignsHandlers),
    serve(rewardCurrenciesRoutes, rewardCurrenciesHandlers),
    serve(referralEventsRoutes, referralEventsHandlers),
    serve(promotersRoutes, promotersHandlers),
  ],
  subscribers: [
    { to: 'payment', runAll: followSales },
    { to: 'payout.processed', run: followRefund },
    // A reorganisation may have undone a refund that was settled.
    { to: 'payout.sent', run: followRefund },
    { to: 'payout.failed', run: followRefund },
  ],
  invariants: referralInvariants,
  jobs: [countLogJob, countForgottenJob, archiveEndedJob, forgetTokensJob],
}
