/** What became of one transaction, as its payer or an operator asks (money.md 3.7). */
import * as z from 'zod/mini'

import { Deposit } from '../deposits/schemas.ts'
import { dec, int } from '../kit/codecs.ts'
import { clearableText, text } from '../kit/fields.ts'

export const DIAGNOSIS_VERDICTS = [
  'credited',
  'confirming',
  'pending',
  'chain_behind',
  'wrong_network',
  'wrong_token',
  'wrong_address',
  'not_yours',
  'below_minimum',
  'failed_on_chain',
  'replaced',
  'held',
  'not_found',
] as const

export type DiagnosisVerdict = (typeof DIAGNOSIS_VERDICTS)[number]

/** Long enough for the address of an explorer's page, which holds the hash. */
const LONGEST_TEXT = 500

export const TransactionQuestion = z.object({
  txHash: text('Transaction hash', { max: LONGEST_TEXT }),
  /** Absent: every blockchain on which such a hash can be. */
  blockchainCode: clearableText('Blockchain', { max: 50 }),
})

const AMOUNT = /^\d{1,30}([.,]\d{1,30})?$/
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** Text that is either empty or of a form. */
function clearableOf(label: string, form: RegExp, error: string) {
  return clearableText(label, { max: LONGEST_TEXT }).check(
    z.refine((value) => value === undefined || value === '' || form.test(value), { error }),
  )
}

/** Where a payment is: by the hash of its transaction, or by what its payer knows without it. */
export const PaymentQuestion = z.object({
  txHash: clearableText('Transaction hash', { max: LONGEST_TEXT }),
  /** Absent: every blockchain on which such a hash can be. */
  blockchainCode: clearableText('Blockchain', { max: 50 }),
  /** The address that was paid from or to. */
  address: clearableText('Address', { max: LONGEST_TEXT }),
  /** About what was sent, in the currency that was sent. */
  amount: clearableOf('Amount', AMOUNT, 'Amount must be a number such as 49 or 0.015'),
  /** The day on which it was sent, wherever the payer is. */
  paidOn: clearableOf('Day', DAY, 'Day must be like 2026-01-31'),
})

export type PaymentQuestion = z.output<typeof PaymentQuestion>

/** Never more than the payer's own payment and what the public chain shows of the transaction. */
export const Diagnosis = z.object({
  verdict: z.enum(DIAGNOSIS_VERDICTS),
  /** What happened and what to do next, in the payer's words. */
  text: z.string(),
  confirmations: z.nullable(int),
  confirmationRequired: z.nullable(int),
  /** Where the transaction was found. */
  blockchainCode: z.nullable(z.string()),
  currencyCode: z.nullable(z.string()),
  amount: z.nullable(dec),
  /** The address the transaction paid, and the one it should have paid: they differ in a wrong_address. */
  paidTo: z.nullable(z.string()),
  depositAddress: z.nullable(z.string()),
  explorerTransaction: z.nullable(z.string()),
})

export type Diagnosis = z.output<typeof Diagnosis>

export const MissedTransaction = z.object({
  ...TransactionQuestion.shape,
  referenceID: clearableText('Reference ID', { max: 50 }),
})

/** The same question by an operator, who may see the deposit. */
export const MissedTransactionAnswer = z.object({
  ...Diagnosis.shape,
  /** Null while the transfer is not recorded: when it was found, it is read again at once and listed shortly after. */
  deposit: z.nullable(Deposit),
})
