import type { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'

import type { Handlers } from '../../http/handlers.ts'
import { diagnosePayment, findMissedDeposit, getByReference } from './service.ts'

export const paymentRepairHandlers: Handlers<typeof paymentRepairRoutes> = {
  diagnosePayment: async (ctx, { params, body }) => diagnosePayment(ctx, await getByReference(ctx, params.ref), body),
  resolvePayment: async () => fail('SERVICE_UNAVAILABLE'),
  resendPaymentWebhook: async () => fail('SERVICE_UNAVAILABLE'),
  findMissedDeposit: (ctx, { scope, body }) => findMissedDeposit(ctx, scope, body),
  assignDeposit: async () => fail('SERVICE_UNAVAILABLE'),
}
