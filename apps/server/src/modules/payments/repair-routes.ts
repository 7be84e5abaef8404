import type { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import {
  assignToPayment,
  diagnosePayment,
  findMissedDeposit,
  getByReference,
  getInScope,
  paymentDetail,
  resendState,
  resolvePayment,
} from './service.ts'

export const paymentRepairHandlers: Handlers<typeof paymentRepairRoutes> = {
  diagnosePayment: async (ctx, { params, body }) => diagnosePayment(ctx, await getByReference(ctx, params.ref), body),

  resolvePayment: async (ctx, { scope, params, body }) =>
    paymentDetail(ctx, await resolvePayment(ctx, await getInScope(ctx, scope, params.ref), body)),

  resendPaymentWebhook: async (ctx, { scope, params, body }) => {
    const payment = await getInScope(ctx, scope, params.ref)
    return { deliveries: await resendState(ctx, payment, body.webhookID ?? null) }
  },

  findMissedDeposit: (ctx, { scope, body }) => findMissedDeposit(ctx, scope, body),

  assignDeposit: async (ctx, { scope, params, body }) => {
    const { deposit, payment } = await assignToPayment(ctx, scope, { ...body, depositId: params.id })
    return { deposit, payment: await paymentDetail(ctx, payment) }
  },
}
