/** Payments for people: where is my money, and what a person may decide about it. */
import * as z from 'zod/mini'

import { Deposit } from '../deposits/schemas.ts'
import { route } from '../kit/route.ts'
import { Diagnosis, MissedTransaction, MissedTransactionAnswer, TransactionQuestion } from './diagnosis.ts'
import { AssignedDeposit, Assignment, Release, ResentDeliveries, Resolution, WebhookResend } from './resolution.ts'
import { PaymentDetail } from './schemas.ts'

const projectPayment = z.object({ p: z.string(), ref: z.string() })

export const paymentRepairRoutes = {
  diagnosePayment: route({
    id: 'Y9',
    methods: ['POST'],
    paths: ['/payment/reference/{ref}/diagnose'],
    summary: 'Says why a transaction is not credited to a payment, in the payer’s words.',
    access: { reference: true },
    rate: 'diagnose',
    params: z.object({ ref: z.string() }),
    body: TransactionQuestion,
    response: Diagnosis,
    errors: ['PAYMENT_REFERENCE_UNKNOWN', 'BLOCKCHAIN_NOT_FOUND'],
    repeatable: true,
  }),

  resolvePayment: route({
    id: 'Y22',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment/{ref}/resolve'],
    summary:
      'Decides by a person what the rules leave open: accept what is short, apply kept money, release held money, settle.',
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
    summary: 'Sends how a payment stands now once more, as a new delivery.',
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
    summary: 'Reads one transaction from the blockchain again and says what became of it.',
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
    summary: 'Gives money that found no payment to one.',
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
    summary: 'Ends the review of held money: it is kept for the customer, for whom it came.',
    access: { permission: 'payment:resolve', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ id: z.int() }),
    body: Release,
    response: Deposit,
    errors: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_HELD'],
  }),
}
