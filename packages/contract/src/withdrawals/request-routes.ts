/** What an operator, or a key, requests for recipients. */
import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { PayoutBatch, PayoutQuestion, PayoutQuote, RequestedBatch } from './batch.ts'
import { RecipientPayout } from './inputs.ts'
import { Withdrawal } from './schemas.ts'

const project = z.object({ p: z.string() })

/** What every request of a payout may be refused with. */
export const CREATE_ERRORS = [
  'ASSET_NOT_PAYABLE',
  'AMOUNT_OUT_OF_RANGE',
  'RATE_UNAVAILABLE',
  'PAYMENT_NOT_FOUND',
  'REFUND_TOO_LARGE',
  'REFUND_CLAIM_CHANGED',
  'INSUFFICIENT_FUNDS',
] as const

const RECIPIENT_ERRORS = [
  'RECIPIENT_NOT_FOUND',
  'RECIPIENT_NOT_ACTIVE',
  'ADDRESS_INVALID',
  'ADDRESS_IS_OURS',
  'ADDRESS_BLOCKED',
] as const

const QUOTE_ERRORS = ['ASSET_NOT_PAYABLE', 'AMOUNT_OUT_OF_RANGE', 'RATE_UNAVAILABLE', ...RECIPIENT_ERRORS] as const

export const payoutRequestRoutes = {
  createPayout: route({
    id: 'D7',
    methods: ['POST'],
    paths: ['/project/{p}/admin/withdrawal'],
    summary: 'Requests a payout to a recipient.',
    access: { permission: 'payout:create', scope: 'payout:create', stepUp: 'M' },
    rate: 'payout-write',
    params: project,
    body: RecipientPayout,
    response: Withdrawal,
    status: 201,
    errors: [...CREATE_ERRORS, ...RECIPIENT_ERRORS, 'STEP_UP_MISMATCH'],
    dedupe: true,
  }),
  createPayouts: route({
    id: 'D21',
    methods: ['POST'],
    paths: ['/project/{p}/admin/withdrawals'],
    summary: 'Requests payouts to recipients, all of them or none.',
    access: { permission: 'payout:create', scope: 'payout:create', stepUp: 'M' },
    rate: 'payout-write',
    params: project,
    body: PayoutBatch,
    response: RequestedBatch,
    status: 201,
    errors: [...QUOTE_ERRORS, 'INSUFFICIENT_FUNDS', 'CLIENT_REFERENCE_EXISTS', 'STEP_UP_MISMATCH'],
    dedupe: true,
  }),
  quotePayouts: route({
    id: 'D22',
    methods: ['POST'],
    paths: ['/project/{p}/withdrawals/quote'],
    summary: 'What payouts would cost, which approvals they would need, and why they would wait. Creates nothing.',
    access: { permission: 'payout:create', scope: 'payout:create' },
    rate: 'dashboard',
    params: project,
    body: PayoutQuestion,
    response: PayoutQuote,
    errors: QUOTE_ERRORS,
    repeatable: true,
  }),
}
