import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { withdrawalsInvariants } from './invariants.ts'
import {
  describeApprovePayout,
  describeCreatePayout,
  describeRetryPayout,
  payoutsHandlers,
} from './payout-routes.ts'
import { keepOpenMoney } from './payouts/service.ts'
import { forgetCodesJob, mailCodeJob } from './recipients/codes.ts'
import { describePayoutConfig, payoutPolicyHandlers, recipientsHandlers } from './routes.ts'

export const withdrawals: Module = {
  name: 'withdrawals',
  routes: [
    serve(recipientsRoutes, recipientsHandlers),
    serve(payoutPolicyRoutes, payoutPolicyHandlers, { describers: { changePayoutConfig: describePayoutConfig } }),
    serve(payoutsRoutes, payoutsHandlers, {
      describers: {
        createPayout: describeCreatePayout,
        approvePayout: describeApprovePayout,
        retryPayout: describeRetryPayout,
      },
    }),
  ],
  subscribers: [{ to: 'project.changed', run: keepOpenMoney }],
  invariants: withdrawalsInvariants,
  jobs: [mailCodeJob, forgetCodesJob],
}
