/** What callers send about payments. */
import * as z from 'zod/mini'

import { ts } from '../kit/codecs.ts'
import { isEmail } from '../kit/email.ts'
import { clearableText, clearableUrl, oneOf, positiveUsd, text, wholeNumber } from '../kit/fields.ts'
import { alternatives, pageInput, spanInput } from '../kit/paging.ts'
import { LINK_LIFETIME_MINUTES } from '../projects/payment-policy.ts'

/** What a merchant may hang on a payment, as JSON text. */
const METADATA_MAX_BYTES = 4096

/** Whether an e-mail is needed is the project's policy; an empty one counts as missing. */
const customerEmail = clearableText('Customer e-mail', { max: 254 }).check(
  z.refine((value) => value === undefined || value === '' || isEmail(value), {
    error: 'Enter a valid e-mail address',
  }),
)

const metadata = z.record(z.string(), z.unknown(), { error: 'Metadata must be an object' }).check(
  z.refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= METADATA_MAX_BYTES, {
    error: 'Metadata must be at most 4 KiB of JSON',
  }),
)

const terms = {
  invoiceID: clearableText('Invoice ID'),
  blockchainCode: clearableText('Blockchain', { max: 50 }),
  currencyCode: clearableText('Currency', { max: 50 }),
  expiresInMinutes: z.optional(wholeNumber('Expiry in minutes', LINK_LIFETIME_MINUTES.min, LINK_LIFETIME_MINUTES.max)),
  successURL: clearableUrl('Success URL'),
  cancelURL: clearableUrl('Cancel URL'),
  description: clearableText('Description', { max: 500 }),
  metadata: z.optional(z.nullable(metadata)),
  /** Whether the new link may end the customer's open one; absent, the default of the route applies (0024). */
  replace: z.optional(z.boolean({ error: 'Replace must be true or false' })),
}

export const NewPayment = z.object({
  customerID: text('Customer ID'),
  customerEmail,
  amountInUSD: positiveUsd('Amount'),
  ...terms,
})

export type NewPayment = z.output<typeof NewPayment>

/** Y3 names the amount `amount` beside `currency: "USD"` as well. */
export const LegacyNewPayment = z.object({
  customerID: text('Customer ID'),
  customerEmail,
  amountInUSD: z.optional(positiveUsd('Amount')),
  amount: z.optional(positiveUsd('Amount')),
  currency: z.optional(oneOf('Currency', ['USD'])),
  ...terms,
})

/** An operator may name a customer the project already has by `memberID`. */
export const OperatorNewPayment = z.object({
  memberID: z.optional(z.int({ error: 'Customer must be one of the project' })),
  customerID: clearableText('Customer ID'),
  customerEmail,
  amountInUSD: positiveUsd('Amount'),
  ...terms,
})

/** What the payer picks. */
export const AssetChoice = z.object({
  blockchain_code: text('Blockchain', { max: 50 }),
  currency_code: clearableText('Currency', { max: 50 }),
})

export type AssetChoice = z.output<typeof AssetChoice>

/** A later end: in so many minutes from now, as a link is made, or at a time; one of the two. */
export const Extension = z.object({
  expiresInMinutes: z.optional(wholeNumber('Expiry in minutes', LINK_LIFETIME_MINUTES.min, LINK_LIFETIME_MINUTES.max)),
  expiresAt: z.optional(ts),
})

export type Extension = z.output<typeof Extension>

export const Cancellation = z.object({ reason: clearableText('Reason', { max: 500 }) })

export const DateRange = z.object({
  ...spanInput,
  /** What the dates filter: `created` (the default), or `paid`, the block of a final deposit. */
  dateField: z.optional(z.string()),
})

export type DateRange = z.output<typeof DateRange>

const words = alternatives(z.string())
const amount = z.optional(z.string())

export const PaymentSearch = z.object({
  ...pageInput,
  ...DateRange.shape,
  query: z.optional(z.string()),
  paymentStatus: words,
  webhookStatus: words,
  currency: words,
  network: words,
  createdBy: words,
  externalPlatformIds: alternatives(z.union([z.int(), z.string()])),
  amountMin: amount,
  amountMax: amount,
  customerID: z.optional(z.string()),
  greaterThanID: z.optional(z.int()),
  lessThanID: z.optional(z.int()),
  updatedAfter: z.optional(z.string()),
  updatedBefore: z.optional(z.string()),
})

export type PaymentSearch = z.output<typeof PaymentSearch>
