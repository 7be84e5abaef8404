import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { giveBack, takeRefund } from './refunds/service.ts'
import { expireJob, foldCountsJob } from './jobs.ts'
import { paymentsInvariants } from './payment/invariants.ts'
import { isStillOpen } from './payment/service.ts'
import { paymentsHandlers, paymentRepairHandlers } from './routes.ts'

export const payments: Module = {
  name: 'payments',
  routes: [
    serve(paymentsRoutes, paymentsHandlers, {
      stillStands: { createPayment: isStillOpen, createLegacyPayment: isStillOpen },
    }),
    serve(paymentRepairRoutes, paymentRepairHandlers),
  ],
  subscribers: [
    { to: 'payout.refund-requested', run: takeRefund },
    { to: 'payout.rejected', run: giveBack },
    { to: 'payout.cancelled', run: giveBack },
    { to: 'payout.failed', run: giveBack },
  ],
  invariants: paymentsInvariants,
  jobs: [expireJob, foldCountsJob],
}
