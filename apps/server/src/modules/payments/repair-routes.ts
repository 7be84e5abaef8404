import type { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'

import type { Handlers } from '../../http/handlers.ts'

export const paymentRepairHandlers: Handlers<typeof paymentRepairRoutes> = {
  diagnosePayment: async () => fail('SERVICE_UNAVAILABLE'),
  resolvePayment: async () => fail('SERVICE_UNAVAILABLE'),
  resendPaymentWebhook: async () => fail('SERVICE_UNAVAILABLE'),
  findMissedDeposit: async () => fail('SERVICE_UNAVAILABLE'),
  assignDeposit: async () => fail('SERVICE_UNAVAILABLE'),
}
