import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { payoutRequestRoutes } from '@kassa/contract/withdrawals/request-routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'

import { SENDER_WORKER } from '../../config/workers.ts'
import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { withdrawalsInvariants } from './invariants.ts'
import {
  describeApprovePayout,
  describeApprovePayouts,
  describeCreatePayout,
  describeCreatePayouts,
  describeRetryPayout,
  payoutRequestHandlers,
  payoutsHandlers,
} from './payout-routes.ts'
import { refuseWithOpenPayouts } from './payouts/service.ts'
import { followSend, startSigning } from './sending/service.ts'
import { forgetCodesJob, mailCodeJob } from './recipients/codes.ts'
import { describePayoutConfig, payoutPolicyHandlers, recipientsHandlers } from './routes.ts'

export const withdrawals: Module = {
  name: 'withdrawals',
  routes: [
    serve(recipientsRoutes, recipientsHandlers),
    serve(payoutPolicyRoutes, payoutPolicyHandlers, { describers: { changePayoutConfig: describePayoutConfig } }),
    serve(payoutRequestRoutes, payoutRequestHandlers, {
      describers: { createPayout: describeCreatePayout, createPayouts: describeCreatePayouts },
    }),
    serve(payoutsRoutes, payoutsHandlers, {
      describers: {
        approvePayout: describeApprovePayout,
        approvePayouts: describeApprovePayouts,
        retryPayout: describeRetryPayout,
      },
    }),
  ],
  subscribers: [
    { to: 'project.changed', run: refuseWithOpenPayouts },
    { to: 'send.moved', run: followSend },
  ],
  loops: [{ role: 'sender', worker: SENDER_WORKER, start: startSigning }],
  invariants: withdrawalsInvariants,
  jobs: [mailCodeJob, forgetCodesJob],
}
