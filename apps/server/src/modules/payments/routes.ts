import type { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import type { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { paymentWalletRoutes } from '@kassa/contract/sends/payment-by-wallet-routes.ts'
import type { LegacyNewPayment } from '@kassa/contract/payments/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { type Handlers, prepared } from '../../http/handlers.ts'
import { assignToPayment } from './resolution/assign-deposit.ts'
import { cancelPayment } from './lifecycle/service.ts'
import { extendPayment } from './lifecycle/extend-payment.ts'
import { remindNow } from './reminders/service.ts'
import { claimRefund, claimStateOf, declineClaim } from './claims/service.ts'
import { checkReadiness } from './readiness/check-readiness.ts'
import { createPayment, createdView } from './lifecycle/create-payment.ts'
import { depositAddresses, assignedAddress } from './views/deposit-addresses.ts'
import { diagnosePayment } from './diagnosis/service.ts'
import { exportPayments } from './search/export-payments.ts'
import { findMissedDeposit } from './diagnosis/find-missed-deposit.ts'
import { getByReference, getInScope } from './payment/service.ts'
import { releaseQuarantinedDeposit } from './resolution/release-deposit.ts'
import { listOptions } from './quotes/list-options.ts'
import type { Payment } from './payment/payment.ts'
import { paymentDetail, projectOf, walletsOf } from './views/service.ts'
import { draftPayment, sendPayment } from './quotes/pay-by-wallet.ts'
import { pinPayment } from './quotes/service.ts'
import { publicPayment } from './views/public-payment.ts'
import { resolvePayment } from './resolution/resolve-payment.ts'
import { searchPayments, summarizePayments } from './search/search-payments.ts'
import { resendState } from './resolution/resend-webhook.ts'

export const paymentsHandlers: Handlers<typeof paymentsRoutes> = {
  createPayment: async (ctx, { body }) =>
    createdView(await createPayment(ctx, projectOfKey(ctx), { ...body, replace: body.replace ?? true })),

  createLegacyPayment: async (ctx, { body }) => {
    const request = { ...body, amountInUSD: amountOf(body), replace: body.replace ?? true }
    return createdView(await createPayment(ctx, projectOfKey(ctx), request))
  },

  getPaymentDetails: async (ctx, { query }) =>
    publicPayment(ctx, await getByReference(ctx, query.referenceID ?? fail('REFERENCE_REQUIRED'))),

  summarizePayments: (ctx, { scope, query, body }) => summarizePayments(ctx, scope, { ...query, ...body }),

  searchPayments: (ctx, { scope, query, body }) => searchPayments(ctx, scope, { ...query, ...body }),

  cancelPaymentByReference: async (ctx, { params, body }) => {
    const payment = await getOwn(ctx, params.ref)
    return publicPayment(ctx, await cancelPayment(ctx, payment, body.reason || null))
  },

  getPaymentByReference: async (ctx, { params }) =>
    publicPayment(ctx, await getByReference(ctx, params.ref || fail('REFERENCE_REQUIRED'))),

  listPaymentOptions: async (ctx, { params }) => listOptions(ctx, await getByReference(ctx, params.ref)),

  pinPayment: async (ctx, { params, body }) => {
    const choice = { blockchainCode: body.blockchain_code, currencyCode: body.currency_code || null }
    const { payment, ...pinned } = await pinPayment(ctx, params.ref, choice)
    return assignedAddress(ctx, payment, pinned)
  },

  listDepositAddresses: async (ctx, { params }) => depositAddresses(ctx, await getByReference(ctx, params.ref)),

  getProjectByReference: async (ctx, { params }) => projectOf(ctx, await getByReference(ctx, params.ref)),

  listWalletsByReference: async (ctx, { params }) => walletsOf(ctx, await getByReference(ctx, params.ref)),

  listPaymentChannels: async (ctx, { params }) => {
    await getByReference(ctx, params.ref)
    return [{ channel: 'crypto' as const, enabled: true }]
  },

  createProjectPayment: async (ctx, { scope, body }) => {
    const request = { ...body, replace: body.replace ?? false }
    return createdView(await createPayment(ctx, scope.projectId ?? fail('PROJECT_REQUIRED'), request))
  },

  summarizeProjectPayments: (ctx, { scope, query, body }) => summarizePayments(ctx, scope, { ...query, ...body }),

  searchProjectPayments: (ctx, { scope, query, body }) => searchPayments(ctx, scope, { ...query, ...body }),

  exportPayments: async (ctx, { scope, query }) => exportPayments(ctx, scope, query),

  getPayment: async (ctx, { scope, params }) => paymentDetail(ctx, await getInScope(ctx, scope, params.ref)),

  cancelPayment: async (ctx, { scope, params, body }) => {
    const payment = await getInScope(ctx, scope, params.ref)
    return paymentDetail(ctx, await cancelPayment(ctx, payment, body.reason || null))
  },

  extendPayment: async (ctx, { scope, params, body }) =>
    paymentDetail(ctx, await extendPayment(ctx, await getInScope(ctx, scope, params.ref), body)),

  remindCustomer: async (ctx, { scope, params }) => {
    const payment = await getInScope(ctx, scope, params.ref)
    await remindNow(ctx, payment)
    return paymentDetail(ctx, payment)
  },

  getReadiness: (ctx, { scope }) => checkReadiness(ctx, scope.projectId ?? fail('PROJECT_REQUIRED')),
}

export const paymentRepairHandlers: Handlers<typeof paymentRepairRoutes> = {
  diagnosePayment: async (ctx, { params, body }) => diagnosePayment(ctx, await getByReference(ctx, params.ref), body),

  getRefundClaim: async (ctx, { params }) => claimStateOf(ctx, await getByReference(ctx, params.ref)),

  claimRefund: async (ctx, { params, body }) => claimRefund(ctx, await getByReference(ctx, params.ref), body),

  declineRefundClaim: async (ctx, { scope, params, body }) => {
    const payment = await getInScope(ctx, scope, params.ref)
    await declineClaim(ctx, payment, { id: BigInt(body.claimID), note: body.note || '' })
    return paymentDetail(ctx, payment)
  },

  resolvePayment: async (ctx, { scope, params, body }) =>
    paymentDetail(ctx, await resolvePayment(ctx, await getInScope(ctx, scope, params.ref), body)),

  resendPaymentWebhook: async (ctx, { scope, params, body }) => {
    const payment = await getInScope(ctx, scope, params.ref)
    return { deliveries: await resendState(ctx, payment, body.webhookID ?? null) }
  },

  findMissedDeposit: prepared({
    prepare: (ctx, { scope, body }) => findMissedDeposit(ctx, scope, body),
    // This call only reads the blockchain; it writes nothing.
    perform: async (_ctx, _input, found) => found,
  }),

  assignDeposit: async (ctx, { scope, params, body }) => {
    const { deposit, payment } = await assignToPayment(ctx, scope, { ...body, depositId: params.id })
    return { deposit, payment: await paymentDetail(ctx, payment) }
  },

  releaseDeposit: (ctx, { scope, params, body }) =>
    releaseQuarantinedDeposit(ctx, scope, { ...body, depositId: params.id }),
}

export const paymentWalletHandlers: Handlers<typeof paymentWalletRoutes> = {
  draftPayment: async (ctx, { params, body }) => draftPayment(ctx, await getByReference(ctx, params.ref), body),

  sendDraft: async (ctx, { params, body }) => ({
    transactionHash: await sendPayment(ctx, await getByReference(ctx, params.ref), body),
  }),
}

/** Merchant routes belong to the key's project; a session has none. */
function projectOfKey({ caller }: Context): number {
  return caller.kind === 'key' ? caller.projectId : fail('PROJECT_CONTEXT_MISSING')
}

/** A key may cancel payments of its own project only. */
async function getOwn(ctx: Context, reference: string): Promise<Payment> {
  const payment = await getByReference(ctx, reference)
  return payment.project.id === projectOfKey(ctx) ? payment : fail('PAYMENT_REFERENCE_UNKNOWN')
}

function amountOf({ amountInUSD, amount }: z.output<typeof LegacyNewPayment>): string {
  const message = 'Amount is required'
  return amountInUSD ?? amount ?? fail('VALIDATION_FAILED', { message, fields: { amountInUSD: message } })
}
