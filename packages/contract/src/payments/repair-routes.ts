/** Payments for people: where is my money, and what a person may decide about it. */
import * as z from 'zod/mini'

import { Deposit } from '../deposits/schemas.ts'
import { route } from '../kit/route.ts'
import { Diagnosis, MissedTransaction, MissedTransactionAnswer, PaymentQuestion } from './diagnosis.ts'
import { AssignedDeposit, Assignment, Release, ResentDeliveries, Resolution, WebhookResend } from './resolution.ts'
import { DeclinedRefundClaim, NewRefundClaim, RefundClaimState } from '../refund-claims/schemas.ts'
import { PaymentDetail } from './schemas.ts'

const projectPayment = z.object({ p: z.string(), ref: z.string() })

export const paymentRepairRoutes = {
  diagnosePayment: route({
    id: 'Y9',
    methods: ['POST'],
    paths: ['/payment/reference/{ref}/diagnose'],
    summary:
      'Says why a transaction is not credited to a payment, in the payer’s words; without its hash, by address or amount.',
    access: { reference: true },
    rate: 'diagnose',
    params: z.object({ ref: z.string() }),
    body: PaymentQuestion,
    response: Diagnosis,
    errors: ['PAYMENT_REFERENCE_UNKNOWN', 'BLOCKCHAIN_NOT_FOUND'],
    repeatable: true,
  }),

  getRefundClaim: route({
    id: 'Y32',
    methods: ['GET'],
    paths: ['/payment/reference/{ref}/refund-claim'],
    summary: 'On which networks money of a payment can be returned, and where its payer wants it.',
    access: { reference: true },
    rate: 'checkout-read',
    params: z.object({ ref: z.string() }),
    response: RefundClaimState,
    errors: ['PAYMENT_REFERENCE_UNKNOWN'],
  }),

  claimRefund: route({
    id: 'Y32',
    methods: ['POST'],
    paths: ['/payment/reference/{ref}/refund-claim'],
    summary: 'Names the address that money of a payment should be returned to, for an operator to decide about.',
    access: { reference: true },
    rate: 'checkout-write',
    params: z.object({ ref: z.string() }),
    body: NewRefundClaim,
    response: RefundClaimState,
    errors: [
      'PAYMENT_REFERENCE_UNKNOWN',
      'REFUND_NOT_CLAIMABLE',
      'REFUND_CLAIM_DECIDED',
      'ADDRESS_INVALID',
      'ADDRESS_IS_OURS',
      'ADDRESS_BLOCKED',
    ],
  }),

  declineRefundClaim: route({
    id: 'Y33',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment/{ref}/refund-claim/decline'],
    summary: 'Declines the refund that a payer claims, for good; the payer reads the note.',
    access: { permission: 'payment:resolve', stepUp: 'S' },
    rate: 'dashboard',
    params: projectPayment,
    body: DeclinedRefundClaim,
    response: PaymentDetail,
    errors: ['PAYMENT_NOT_FOUND', 'REFUND_CLAIM_CHANGED'],
  }),

  resolvePayment: route({
    id: 'Y22',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment/{ref}/resolve'],
    summary:
      'Stores an operator’s decision: accept an underpayment, apply unmatched funds, release funds on hold, unassign, mark as resolved.',
    access: { permission: 'payment:resolve', stepUp: 'S' },
    rate: 'dashboard',
    params: projectPayment,
    body: Resolution,
    response: PaymentDetail,
    errors: ['PAYMENT_NOT_FOUND', 'DEPOSIT_NOT_FOUND', 'RESOLUTION_NOT_POSSIBLE'],
  }),

  resendPaymentWebhook: route({
    id: 'Y23',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment/{ref}/resend-webhook'],
    summary: 'Sends the current state of a payment again, as a new delivery.',
    access: { permission: 'webhook:resend' },
    rate: 'dashboard',
    params: projectPayment,
    body: WebhookResend,
    response: ResentDeliveries,
    errors: ['PAYMENT_NOT_FOUND', 'WEBHOOK_NOT_FOUND'],
  }),

  findMissedDeposit: route({
    id: 'Y25',
    methods: ['POST'],
    paths: ['/missed-deposit', '/external-platform/{p}/missed-deposit'],
    summary: 'Reads one transaction from the blockchain again and reports its state.',
    access: { permission: 'payment:resolve' },
    rate: 'egress',
    params: z.object({ p: z.optional(z.string()) }),
    body: MissedTransaction,
    response: MissedTransactionAnswer,
    errors: ['TRANSACTION_NOT_FOUND', 'BLOCKCHAIN_NOT_FOUND', 'PAYMENT_NOT_FOUND'],
  }),

  assignDeposit: route({
    id: 'Y26',
    methods: ['POST'],
    paths: ['/deposits/{id}/assign'],
    summary: 'Applies an unmatched deposit to a payment.',
    access: { permission: 'payment:resolve', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ id: z.int() }),
    body: Assignment,
    response: AssignedDeposit,
    errors: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_UNAPPLIED', 'PAYMENT_NOT_FOUND', 'RESOLUTION_NOT_POSSIBLE'],
  }),

  releaseDeposit: route({
    id: 'Y27',
    methods: ['POST'],
    paths: ['/deposits/{id}/release'],
    summary: 'Releases a deposit from hold; it stays unmatched, for the customer.',
    access: { permission: 'payment:resolve', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ id: z.int() }),
    body: Release,
    response: Deposit,
    errors: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_HELD'],
  }),
}
