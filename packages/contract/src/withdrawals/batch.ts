/** A list of payouts that is requested together (D21), and what it would do (D22). */
import * as z from 'zod/mini'

import { dec, int, usd } from '../kit/codecs.ts'
import { clearableText, text as requiredText } from '../kit/fields.ts'
import { reasonShape } from '../kit/reason-shape.ts'
import type { POLICY_RULES } from '../payout-policy/reasons.ts'
import { MOST_REQUESTED, repeatedRows } from './batch-rules.ts'
import { amount } from './inputs.ts'
import { Withdrawal } from './schemas.ts'
import type { PAYOUT_WAITS } from './waits.ts'

const text = z.string()

const payoutRow = {
  recipientID: z.int({ error: 'Choose a recipient' }),
  currencyCode: requiredText('Currency', { max: 50 }),
  amount,
}

/** One payout of a list. */
export const BatchRow = z.object({
  ...payoutRow,
  /** What the caller calls it; one payout per project has it, so that the same list pays once. */
  clientReference: requiredText('Client reference'),
  note: clearableText('Note', { max: 500 }),
})

export type BatchRow = z.output<typeof BatchRow>

const counted = [
  z.minLength(1, { error: 'Add at least one payout' }),
  z.maxLength(MOST_REQUESTED, { error: `At most ${MOST_REQUESTED} payouts can be requested together` }),
] as const

export const PayoutBatch = z.object({
  rows: z.array(BatchRow).check(...counted, ({ value, issues }) => {
    for (const at of repeatedRows(value.map(({ clientReference }) => clientReference))) {
      const message = 'Another row has this client reference'
      issues.push({ code: 'custom', input: value, message, path: [at, 'clientReference'] })
    }
  }),
})

export type PayoutBatch = z.output<typeof PayoutBatch>

/** All payouts of a list: they were created together. */
export const RequestedBatch = z.object({ payouts: z.array(Withdrawal) })

/** Payouts that are not created: what would creating them do? */
export const PayoutQuestion = z.object({ rows: z.array(z.object(payoutRow)).check(...counted) })

export type PayoutQuestion = z.output<typeof PayoutQuestion>

/** What payouts in one asset would do, at present prices and fees. */
export const QuotedTotal = z.object({
  blockchainCode: text,
  currencyCode: text,
  payouts: int,
  amount: dec,
  amountInUSD: usd,
  /** In the hot wallet, and not reserved. */
  available: dec,
  /** What these payouts leave of it; negative where it does not suffice. */
  availableAfter: dec,
  /** The network fee of all of them together, about; null while no node can tell. */
  fee: z.nullable(z.object({ amount: dec, currencyCode: text, amountInUSD: z.nullable(usd) })),
  /** Why they would wait if they were decided now: the code of `waits`. */
  waitReason: z.nullable(text),
  waits: z.nullable(reasonShape<typeof PAYOUT_WAITS>()),
})

export const PayoutQuote = z.object({
  amountInUSD: usd,
  /** What the payout policy decides about their sum. */
  policy: z.object({
    rule: reasonShape<typeof POLICY_RULES>(),
    approvalsNeeded: int,
    /** Whether the requester cannot approve them. */
    fourEyes: z.boolean(),
    /** What is paid out within an hour and a day, these payouts included. */
    hourUsed: usd,
    hourLimit: usd,
    dayUsed: usd,
    dayLimit: usd,
  }),
  totals: z.array(QuotedTotal),
})

export type PayoutQuote = z.output<typeof PayoutQuote>
