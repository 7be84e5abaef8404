/** What can be done to many payments at once, as actions of bulk jobs (api.md J). */
import * as z from 'zod/mini'

import { bulkActionContract } from '../bulk-jobs/action.ts'
import { int, uuid } from '../kit/codecs.ts'
import { text } from '../kit/fields.ts'
import { pageInput } from '../kit/paging.ts'
import { Cancellation, OperatorNewPayment, PaymentSearch } from './inputs.ts'
import { Resolution } from './resolution.ts'

const PAGING = Object.fromEntries(Object.keys(pageInput).map((key) => [key, true])) as Record<
  keyof typeof pageInput,
  true
>

/** The filters of the search; newest first. */
const filter = z.omit(PaymentSearch, PAGING)

const referenceID = z.pipe(text('Reference ID', { max: 50 }), uuid)

const create = bulkActionContract({
  name: 'payment.create',
  permission: 'payment:create',
  /** The columns of the template, in its order. */
  row: z.pick(OperatorNewPayment, {
    amountInUSD: true,
    customerEmail: true,
    customerID: true,
    invoiceID: true,
    description: true,
    expiresInMinutes: true,
    replace: true,
  }),
  options: ['replace'],
  result: z.object({ referenceID: uuid, url: z.string() }),
})

const cancel = bulkActionContract({
  name: 'payment.cancel',
  permission: 'payment:cancel',
  row: z.extend(Cancellation, { referenceID }),
  result: z.object({}),
  filter,
})

const resendWebhook = bulkActionContract({
  name: 'payment.resend_webhook',
  permission: 'webhook:resend',
  row: z.object({ referenceID }),
  result: z.object({ endpoints: int }),
  filter,
})

const markResolved = bulkActionContract({
  name: 'payment.mark_resolved',
  permission: 'payment:resolve',
  stepUp: 'S',
  row: z.object({ referenceID, note: Resolution.shape.note }),
  result: z.object({}),
  filter,
})

export const paymentBulkActions = { create, cancel, resendWebhook, markResolved } as const
