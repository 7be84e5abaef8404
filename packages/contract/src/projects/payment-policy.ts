/** How a project wants its payments handled (api.md P8). */
import * as z from 'zod/mini'

import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { dec, int, ts, usd } from '../kit/codecs.ts'
import { dollars, oneOf, wholeNumber } from '../kit/fields.ts'

/** A link lives between five minutes and a week. */
export const LINK_LIFETIME_MINUTES = { min: 5, max: 10_080 } as const

/** More than a fifth is no rounding of wallets any more, it is a discount. */
const MOST_TOLERANCE_PERCENT = 20

/** Late deposits may count for at most a month: after that an operator decides. */
const LONGEST_GRACE_HOURS = 720

/** Deeper than any chain's own finality; more would be a payment that never becomes final. */
const MOST_CONFIRMATIONS = 1000

/** One rule per chain and amount; more than this is a mistake. */
const MOST_RULES = 50

export const ConfirmationRule = z.object({
  /** Deposits of at most this value follow the rule. */
  upToUSD: usd,
  /** So many blocks, or `finalized` for the chain's own signal. */
  confirmations: z.union([int, z.literal('finalized')]),
  blockchainCode: z.string(),
})

export const PaymentPolicy = z.object({
  linkLifetimeMinutes: int,
  /** `one`: a newer link ends the customer's older ones without money. */
  openPaymentsPerCustomer: z.enum(['one', 'many']),
  customerEmailRequired: z.boolean(),
  underpaidTolerancePercent: dec,
  overpaidTolerancePercent: dec,
  /** Deposits after the end count for so many hours. */
  lateGraceHours: int,
  minAmountInUSD: usd,
  maxAmountInUSD: z.nullable(usd),
  /** No two payments of the project that are not cancelled share an invoice id. */
  uniqueInvoiceID: z.boolean(),
  confirmationRules: z.array(ConfirmationRule),
  /** Unapplied deposits of a customer are applied to the next payment in the same currency and network. */
  applyUnappliedToNext: z.boolean(),
  reminderMail: z.boolean(),
})

export type PaymentPolicy = z.output<typeof PaymentPolicy>

/** The policy as it is read: a change that must not overwrite another sends `updatedAt` back as `If-Unmodified-Since`. */
export const ReadPaymentPolicy = z.extend(PaymentPolicy, { updatedAt: ts })

export type ReadPaymentPolicy = z.output<typeof ReadPaymentPolicy>

const flag = (label: string) => z.optional(z.boolean({ error: `${label} must be true or false` }))

/** A share in percent, at most six decimals. */
const percent = (label: string) => {
  const error = `${label} must be between 0 and ${MOST_TOLERANCE_PERCENT}`
  return z.optional(
    z.string({ error }).check(
      z.trim(),
      z.regex(/^\d{1,3}(\.\d{1,6})?$/, { error, abort: true }),
      z.refine((value) => Number(value) <= MOST_TOLERANCE_PERCENT, { error }),
    ),
  )
}

const rule = z.object({
  upToUSD: dollars('Amount of a confirmation rule'),
  confirmations: z.union([wholeNumber('Confirmations', 1, MOST_CONFIRMATIONS), z.literal('finalized')], {
    error: `Confirmations must be between 1 and ${MOST_CONFIRMATIONS}, or finalized`,
  }),
  blockchainCode: z
    .string({ error: 'Blockchain is required' })
    .check(
      z.refine((code) => findBlockchain(code) !== undefined, { error: 'Blockchain must be one that Kassa knows' }),
    ),
})

/** What a change may name: what is absent stays. */
export const PaymentPolicyChange = z.object({
  linkLifetimeMinutes: z.optional(wholeNumber('Link lifetime', LINK_LIFETIME_MINUTES.min, LINK_LIFETIME_MINUTES.max)),
  openPaymentsPerCustomer: z.optional(oneOf('Open payments per customer', ['one', 'many'])),
  customerEmailRequired: flag('Customer e-mail required'),
  underpaidTolerancePercent: percent('Underpayment tolerance'),
  overpaidTolerancePercent: percent('Overpayment tolerance'),
  lateGraceHours: z.optional(wholeNumber('Grace period for late payments', 0, LONGEST_GRACE_HOURS)),
  minAmountInUSD: z.optional(dollars('Smallest amount')),
  /** Null: no largest amount. */
  maxAmountInUSD: z.optional(z.nullable(dollars('Largest amount'))),
  uniqueInvoiceID: flag('Unique invoice ids'),
  confirmationRules: z.optional(
    z
      .array(rule, { error: 'Confirmation rules must be a list' })
      .check(z.maxLength(MOST_RULES, { error: `At most ${MOST_RULES} confirmation rules` })),
  ),
  applyUnappliedToNext: flag('Apply unmatched funds to the next payment'),
  reminderMail: flag('Reminder mail'),
})

export type PaymentPolicyChange = z.output<typeof PaymentPolicyChange>
