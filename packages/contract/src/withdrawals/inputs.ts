/** What callers send about payouts. */
import * as z from 'zod/mini'

import { clearableText, email, text, withoutLeadingZeros } from '../kit/fields.ts'
import { alternatives, pageInput, spanInput } from '../kit/paging.ts'
import { REFUND_KINDS, WITHDRAWAL_TYPES, withdrawalMachine } from './machine.ts'

/** An amount of an asset above zero, as text: how many decimals it may have is the asset's. */
export const amount = text('Amount', { max: 100 }).check(
  z.regex(/^\d+(\.\d+)?$/, { error: 'Amount must be a decimal number', abort: true }),
  withoutLeadingZeros,
  z.refine((value) => /[1-9]/.test(value), { error: 'Amount must be greater than 0' }),
)

const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const mobileNumber = clearableText('Mobile number', { max: 20 }).check(
  z.refine((value) => !value || /^\+?[1-9]\d{6,14}$/.test(value), { error: 'Invalid mobile number format' }),
)

const refund = {
  /** The payment to refund, completely or in part. */
  refundOfReferenceID: optional(text('Reference ID', { max: 36 })),
  /** Absent: `custom`. */
  refundKind: optional(z.enum(REFUND_KINDS, { error: `Refund kind must be one of: ${REFUND_KINDS.join(', ')}` })),
  /** For the kind `unapplied`: the deposit to refund. */
  refundDepositID: optional(z.int({ error: 'Deposit must be one of the payment' })),
  /** The payer's claim that this refund pays: refused unless it is open and names the address that is paid. */
  refundClaimID: optional(z.int({ error: 'Claim must be the one of the payment' })),
}

export const MerchantPayout = z.object({
  email: email('E-mail'),
  blockchainCode: text('Blockchain', { max: 50 }),
  currencyCode: text('Currency', { max: 50 }),
  amount,
  toAddress: text('Address', { max: 200 }),
  customerID: clearableText('Customer ID'),
  mobileNumber,
  residentialAddress: clearableText('Residential address', { max: 500 }),
  /** What the shop calls it; one payout per project has it. */
  clientReference: clearableText('Client reference'),
  note: clearableText('Note', { max: 500 }),
  ...refund,
})

export type MerchantPayout = z.output<typeof MerchantPayout>

export const RecipientPayout = z.object({
  currencyCode: text('Currency', { max: 50 }),
  amount,
  recipientID: z.int({ error: 'Choose a recipient' }),
  note: clearableText('Note', { max: 500 }),
  ...refund,
})

export type RecipientPayout = z.output<typeof RecipientPayout>

export const Approval = z.object({ note: clearableText('Note', { max: 500 }) })

/** As many payouts as one person reads before confirming them together. */
export const MOST_APPROVED = 100

/** Payouts that one confirmation approves together. */
export const ListApproval = z.object({
  ids: z.array(z.int({ error: 'Payouts must be named by their number' })).check(
    z.minLength(1, { error: 'Choose at least one payout' }),
    z.maxLength(MOST_APPROVED, { error: `At most ${MOST_APPROVED} payouts can be approved together` }),
    z.refine((ids) => new Set(ids).size === ids.length, { error: 'Each payout can be named once' }),
  ),
  note: clearableText('Note', { max: 500 }),
})

export const EndReason = z.object({ reason: clearableText('Reason', { max: 500 }) })

/** The most that is paid for the network fee of the next try, in the native coin. */
export const PayoutRetry = z.object({ maxFee: optional(amount) })

/** States by the names of older clients too. */
const STATUS_NAMES = [...withdrawalMachine.states, 'processing', 'failure', 'pending-otp-verification'] as const

const words = alternatives(z.string())

export const PayoutNarrowing = {
  status: alternatives(z.enum(STATUS_NAMES, { error: 'Unknown status' })),
  types: alternatives(z.enum(WITHDRAWAL_TYPES, { error: `Type must be one of: ${WITHDRAWAL_TYPES.join(', ')}` })),
  address: words,
  blockchainCode: words,
  recipientEmails: words,
  createdBy: words,
}

export const MerchantPayoutFilters = z.object({ ...pageInput, ...spanInput, ...PayoutNarrowing })

export const PayoutFilters = z.object({
  ...pageInput,
  ...spanInput,
  status: PayoutNarrowing.status,
  type: PayoutNarrowing.types,
  blockchainCode: words,
  currencyCode: words,
  createdBy: words,
  /** When it was broadcast: a payout that never was matches neither. */
  sentAfter: z.optional(z.string()),
  sentBefore: z.optional(z.string()),
  /** Part of an address, a transaction or an e-mail, or an id. */
  search: z.optional(z.string()),
  /** Refunds of this payment. */
  refundOfReferenceID: z.optional(z.string()),
  /** Payouts that wait for an approval: one that the caller may give, or that only others may. */
  waitingFor: z.optional(z.enum(['me', 'others'], { error: 'Waiting for must be one of: me, others' })),
})

export type PayoutFilters = z.output<typeof PayoutFilters>
