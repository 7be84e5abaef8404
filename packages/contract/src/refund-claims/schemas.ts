/** Where a payer wants money of their payment to be returned: a word of whoever has the link, which pays nothing by itself. */
import * as z from 'zod/mini'

import { id, ts } from '../kit/codecs.ts'
import { clearableText, text } from '../kit/fields.ts'

/** `accepted`: a refund to it was requested; `declined` is for good. */
export const REFUND_CLAIM_STATUSES = ['open', 'accepted', 'declined'] as const

export const RefundClaim = z.object({
  /** Another address is another id: a refund names the one that was looked at. */
  id,
  blockchainCode: z.string(),
  address: z.string(),
  status: z.enum(REFUND_CLAIM_STATUSES),
  claimedAt: ts,
  /** What the operator who declined it wrote; the payer reads it. */
  declinedNote: z.nullable(z.string()),
})

export type RefundClaim = z.output<typeof RefundClaim>

/** What the payer may claim, and has claimed. */
export const RefundClaimState = z.object({
  /** The networks on which money of the payment can be returned now; empty while none can, or when it is decided. */
  networks: z.array(z.string()),
  claim: z.nullable(RefundClaim),
})

export type RefundClaimState = z.output<typeof RefundClaimState>

export const NewRefundClaim = z.object({
  blockchainCode: text('Network', { max: 50 }),
  address: text('Address', { max: 200 }),
})

export type NewRefundClaim = z.output<typeof NewRefundClaim>

export const DeclinedRefundClaim = z.object({
  claimID: z.int({ error: 'Claim must be the one of the payment' }),
  /** The payer reads it. */
  note: clearableText('Note', { max: 500 }),
})

export type DeclinedRefundClaim = z.output<typeof DeclinedRefundClaim>
