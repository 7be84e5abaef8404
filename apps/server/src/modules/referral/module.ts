import { promoterPageRoutes } from '@kassa/contract/referral/page-routes.ts'
import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralPayoutsRoutes,
  referralShopRoutes,
  rewardCurrenciesRoutes,
} from '@kassa/contract/referral/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { countingLoop } from './counting/service.ts'
import { archiveEndedJob, forgetTokensJob, wakeForgottenJob } from './jobs.ts'
import { forgetWithdrawalCodesJob, mailWithdrawalCodeJob } from './page/codes.ts'
import { promoterPageHandlers, referralPayoutsHandlers } from './page-routes.ts'
import { rewardPayoutsInvariants } from './payouts/invariants.ts'
import { followPayout } from './payouts/service.ts'
import { referralInvariants } from './rewards/invariants.ts'
import {
  campaignsHandlers,
  promotersHandlers,
  referralEventsHandlers,
  referralShopHandlers,
  rewardCurrenciesHandlers,
} from './routes.ts'
import { mailEmailChangedJob } from './referrers/mail-changed.ts'
import { followRefund, followSales } from './sales/service.ts'

export const referral: Module = {
  name: 'referral',
  routes: [
    serve(referralShopRoutes, referralShopHandlers),
    serve(campaignsRoutes, campaignsHandlers),
    serve(rewardCurrenciesRoutes, rewardCurrenciesHandlers),
    serve(referralEventsRoutes, referralEventsHandlers),
    serve(promotersRoutes, promotersHandlers),
    serve(referralPayoutsRoutes, referralPayoutsHandlers),
    serve(promoterPageRoutes, promoterPageHandlers),
  ],
  subscribers: [
    { to: 'payment', runAll: followSales },
    { to: 'payout.processed', run: followRefund },
    // A reorganisation may have undone a settled refund.
    { to: 'payout.sent', run: followRefund },
    { to: 'payout.failed', run: followRefund },
    { to: 'payout.processed', run: followPayout },
    { to: 'payout.sent', run: followPayout },
    { to: 'payout.failed', run: followPayout },
    { to: 'payout.rejected', run: followPayout },
    { to: 'payout.cancelled', run: followPayout },
  ],
  invariants: [...referralInvariants, ...rewardPayoutsInvariants],
  jobs: [
    mailWithdrawalCodeJob,
    mailEmailChangedJob,
    forgetWithdrawalCodesJob,
    wakeForgottenJob,
    archiveEndedJob,
    forgetTokensJob,
  ],
  loops: [countingLoop],
}
