/** What an operator may decide about a payment and about unmatched deposits (api.md Y22, Y23, Y26). */
import * as z from 'zod/mini'

import { Deposit } from '../deposits/schemas.ts'
import { uuid } from '../kit/codecs.ts'
import { clearableText, oneOf, text } from '../kit/fields.ts'
import { Delivery } from '../webhooks/schemas.ts'
import { RESOLUTION_ACTIONS } from './offers.ts'
import { PaymentDetail } from './schemas.ts'

const note = text('Note', { max: 500 })
const depositId = z.int({ error: 'Deposit must be a number' })

export const Resolution = z.object({
  action: oneOf('Action', RESOLUTION_ACTIONS),
  /** Absent: the only deposit that the action can be about; `accept_underpaid` and `settle` are about none. */
  depositID: z.optional(z.nullable(depositId)),
  /** Why; shown in the timeline. */
  note,
})

export type Resolution = z.output<typeof Resolution>

export const Assignment = z.object({
  referenceID: z.pipe(text('Reference ID', { max: 50 }), uuid),
  note: clearableText('Note', { max: 500 }),
})

/** Releases a quarantined deposit as unapplied; `note` is shown in the timeline of its payment. */
export const Release = z.object({ note })

export const AssignedDeposit = z.object({ deposit: Deposit, payment: PaymentDetail })

export const WebhookResend = z.object({
  /** Absent: every active endpoint that receives such an event. */
  webhookID: z.optional(z.nullable(z.int({ error: 'Webhook must be a number' }))),
})

export const ResentDeliveries = z.object({ deliveries: z.array(Delivery) })
