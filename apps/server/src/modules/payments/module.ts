import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentWalletRoutes } from '@kassa/contract/sends/payment-by-wallet-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { mailClaimJob } from './claims/mail-claim.ts'
import { acceptClaim, reopenClaim } from './claims/service.ts'
import { releaseParts, takeRefund } from './refunds/service.ts'
import { expireJob, foldCountsJob } from './jobs.ts'
import { mailReceiptJob } from './receipts/service.ts'
import { mailReminderJob, remindJob } from './reminders/service.ts'
import { paymentsInvariants } from './payment/invariants.ts'
import { isWithoutAsset } from './lifecycle/create-payment.ts'
import { isStillOpen } from './payment/service.ts'
import { paymentRepairHandlers, paymentsHandlers, paymentWalletHandlers } from './routes.ts'

export const payments: Module = {
  name: 'payments',
  routes: [
    serve(paymentsRoutes, paymentsHandlers, {
      stillStands: { createPayment: isStillOpen, createLegacyPayment: isStillOpen },
      isShared: { createPayment: isWithoutAsset },
    }),
    serve(paymentRepairRoutes, paymentRepairHandlers),
    serve(paymentWalletRoutes, paymentWalletHandlers),
  ],
  subscribers: [
    { to: 'payout.refund-requested', run: takeRefund },
    { to: 'payout.refund-requested', run: acceptClaim },
    { to: 'payout.rejected', run: releaseParts },
    { to: 'payout.rejected', run: reopenClaim },
    { to: 'payout.cancelled', run: releaseParts },
    { to: 'payout.cancelled', run: reopenClaim },
    { to: 'payout.failed', run: releaseParts },
    { to: 'payout.failed', run: reopenClaim },
  ],
  invariants: paymentsInvariants,
  jobs: [expireJob, foldCountsJob, remindJob, mailReminderJob, mailReceiptJob, mailClaimJob],
}
