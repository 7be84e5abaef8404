import * as z from 'zod/mini'

import { dec, id, ts, usd, uuid } from '../kit/codecs.ts'
import { text } from '../kit/fields.ts'
import { CANCEL_REASONS, FUNDING_STATES, paymentMachine } from '../payments/machine.ts'
import { promoterMachine } from '../referral/machine.ts'
import { withdrawalMachine } from '../withdrawals/machine.ts'

/** Of each kind so many are found. */
export const MOST_FOUND = 5

/** Shorter texts begin too much to find anything by. */
export const SHORTEST_QUERY = 2

export const SearchQuestion = z.object({
  /** The start of an e-mail address, a name or an id; a whole reference, transaction hash or address. */
  query: text('Query', { max: 200 }).check(
    z.minLength(SHORTEST_QUERY, { error: `Query must be at least ${SHORTEST_QUERY} characters long` }),
  ),
})

export type SearchQuestion = z.output<typeof SearchQuestion>

const plain = z.string()

export const FoundPayment = z.object({
  referenceID: uuid,
  externalPlatformID: id,
  paymentStatus: z.enum(paymentMachine.states),
  fundingState: z.enum(FUNDING_STATES),
  cancelReason: z.nullable(z.enum(CANCEL_REASONS)),
  amountInUSD: usd,
  customerID: plain,
  email: plain,
  createdAt: ts,
})

export type FoundPayment = z.output<typeof FoundPayment>

export const FoundCustomer = z.object({ id, externalPlatformID: id, email: plain, customerID: plain, name: plain })

export type FoundCustomer = z.output<typeof FoundCustomer>

export const FoundPayout = z.object({
  id,
  externalPlatformID: id,
  status: z.enum(withdrawalMachine.states),
  amount: dec,
  currencyCode: plain,
  blockchainCode: plain,
  toAddress: plain,
  recipientName: z.nullable(plain),
  recipientEmail: z.nullable(plain),
  createdAt: ts,
})

export type FoundPayout = z.output<typeof FoundPayout>

export const FoundPromoter = z.object({
  id,
  externalPlatformID: id,
  email: plain,
  referenceID: plain,
  code: plain,
  status: z.enum(promoterMachine.states),
})

export type FoundPromoter = z.output<typeof FoundPromoter>

export const FoundMember = z.object({ id, email: plain, name: plain })

export type FoundMember = z.output<typeof FoundMember>

export const FoundKey = z.object({ id, externalPlatformID: id, name: plain, last4: plain })

export type FoundKey = z.output<typeof FoundKey>

/** The newest of each kind; null for a kind that the caller may not read. */
export const Found = z.object({
  payments: z.nullable(z.array(FoundPayment)),
  customers: z.nullable(z.array(FoundCustomer)),
  payouts: z.nullable(z.array(FoundPayout)),
  promoters: z.nullable(z.array(FoundPromoter)),
  members: z.nullable(z.array(FoundMember)),
  keys: z.nullable(z.array(FoundKey)),
})

export type Found = z.output<typeof Found>
