/** What Kassa answers about payments (api.md 4.1). */
import { FEE_LEVELS } from '@kassa/primitives/chains/blockchain.ts'
import * as z from 'zod/mini'

import { Customer } from '../customers/schemas.ts'
import type { DepositReason } from '../deposits/reasons.ts'
import { Deposit, DepositWaits } from '../deposits/schemas.ts'
import { Attribute, dec, id, int, ts, usd, uuid } from '../kit/codecs.ts'
import { codeShape } from '../kit/reason-shape.ts'
import { CHECKOUT_THEMES } from '../projects/checkout-options.ts'
import { UnlistedNotice } from '../unlisted-transfers/schemas.ts'
import { Delivery } from '../webhooks/schemas.ts'
import { Withdrawal } from '../withdrawals/schemas.ts'
import { CANCEL_REASONS, FUNDING_STATES, paymentMachine } from './machine.ts'
import { Offer } from './offers.ts'
import { NetworkWait } from './readiness.ts'
import { RefundClaim } from '../refund-claims/schemas.ts'

const text = z.string()

/** UNDEFINED is read from other systems, never written by Kassa. */
const paymentState = z.enum([...paymentMachine.states, 'UNDEFINED'])

export const PaymentCreated = z.object({
  reference_id: uuid,
  url: text,
  host: text,
  expiresAt: ts,
  /** Older links of the customer that this one replaced. */
  superseded: z.array(uuid),
})

export type PaymentCreated = z.output<typeof PaymentCreated>

/** What an error says about the link that a customer has already. */
export const OpenLink = z.object({
  /** The newest. */
  referenceID: uuid,
  amountInUSD: usd,
  /** How many a new one would end. */
  openLinks: int,
})

export type OpenLink = z.output<typeof OpenLink>

export const LegacyPaymentCreated = z.object({ reference_id: uuid, url: text })

/** `waiting`: not final · `counted` · `kept`: unapplied, the shop decides · `on_hold`: quarantined, an operator reviews it. */
export const PUBLIC_DEPOSIT_STATES = ['waiting', 'counted', 'unapplied', 'on_hold', 'ignored'] as const

/** A transfer as the payer sees it. */
export const PublicDeposit = z.object({
  txHash: text,
  amount: dec,
  currencyCode: text,
  blockchainCode: text,
  state: z.enum(PUBLIC_DEPOSIT_STATES),
  /** Null when it is plainly what was asked for. */
  reason: z.nullable(codeShape<DepositReason>()),
  confirmations: int,
  /** Why it is not final although it is deep enough. */
  waits: DepositWaits,
  /** The text of `waits`, for clients that print it. */
  waitsBecause: z.nullable(text),
  explorerTransaction: text,
  seenAt: ts,
})

/** A transaction that was on its way and no longer is: another one spends the same coins, or no node has it. */
export const DroppedTransaction = z.object({
  txHash: text,
  /** The transaction in its place, where it is known. */
  replacedBy: z.nullable(text),
  at: ts,
  explorerTransaction: text,
})

/** The problem with a payment's deposits: the first of these that is true. */
export const REPAIR_KINDS = [
  /** Some is missing and the rate is locked: send `amount` to the same address until `until`. */
  'send_rest',
  /** Some is missing and the rate lock has ended: the deposit is safe, the shop decides. */
  'rest_lapsed',
  /** `amount` more arrived than was asked for: the shop can send it back. */
  'surplus',
  /** A deposit is quarantined until an operator has reviewed it. */
  'on_hold',
  /** A deposit is unapplied (late, another currency): the shop decides. */
  'unapplied',
] as const

/** What the payer may do about a deposit that differs from what was requested. */
export const PaymentRepair = z.object({
  kind: z.enum(REPAIR_KINDS),
  /** What happened and what to do next, in the payer's words. */
  text,
  amount: z.nullable(dec),
  currencyCode: z.nullable(text),
  blockchainCode: z.nullable(text),
  until: z.nullable(ts),
  /** Whom to ask: the shop's support e-mail. */
  contact: z.nullable(text),
})

export type PaymentRepair = z.output<typeof PaymentRepair>

/** The payer's view of a payment. */
export const PaymentPublic = z.object({
  invoiceID: text,
  /** What is paid for, in the shop's words; the payer reads it. */
  description: text,
  /** Shown to the project's own key and operators only. */
  customerID: z.nullable(text),
  currencySymbol: z.nullable(text),
  blockchainSymbol: z.nullable(text),
  currencyAddress: z.nullable(text),
  currencyName: z.nullable(text),
  currencyDesc: z.nullable(text),
  currencyDecimals: z.nullable(int),
  amountInUSD: usd,
  filledAmount: z.nullable(dec),
  filledAmountInUSD: z.nullable(usd),
  paymentState,
  merchantName: text,
  depositAddress: z.nullable(text),
  referenceID: uuid,
  successURL: z.nullable(text),
  cancelURL: z.nullable(text),
  createdAt: ts,
  explorerTransaction: text,
  externalPlatformID: id,
  confirmationCurrent: int,
  confirmationRequired: int,
  amount: z.nullable(dec),
  amountDue: z.nullable(dec),
  amountDueInUSD: usd,
  overpaid: z.nullable(dec),
  fundingState: z.enum(FUNDING_STATES),
  late: z.boolean(),
  cancelReason: z.nullable(z.enum(CANCEL_REASONS)),
  expiresAt: ts,
  rateLockedUntil: z.nullable(ts),
  paymentURI: z.nullable(text),
  deposits: z.array(PublicDeposit),
  /** Transactions that waited to be mined and never will be: nothing was credited by them. */
  dropped: z.array(DroppedTransaction),
  /** What the customer sent in unlisted tokens while the payment was open, newest first: a notice, never money. */
  unlisted: z.array(UnlistedNotice),
  /** Why nothing happens to it although it waits for its network; null while that is followed. */
  waits: z.nullable(NetworkWait),
  /** The text of `waits`, for clients that print it. */
  waitsBecause: z.nullable(text),
  /** Null without a problem. */
  repair: z.nullable(PaymentRepair),
  /** The newer request that replaced this one. */
  supersededBy: z.nullable(uuid),
  test: z.boolean(),
})

export type PaymentPublic = z.output<typeof PaymentPublic>

/** A quote with a locked rate. */
export const Quote = z.object({
  currencyCode: text,
  blockchainCode: text,
  amount: dec,
  priceInUSD: dec,
  quotedAt: ts,
  lockedUntil: ts,
  sources: z.array(text),
})

export type Quote = z.output<typeof Quote>

/** What one source reported when a price was made; `price` is its text as it was sent, which need not be a number. */
export const PriceEvidence = z.object({
  source: text,
  price: text,
  at: ts,
  used: z.boolean(),
  /** Why it was not used. */
  why: z.nullable(text),
})

export type PriceEvidence = z.output<typeof PriceEvidence>

/** A quote with everything that its price was made from, so that anybody can compute the median again. */
export const QuoteDetail = z.object({ ...Quote.shape, evidence: z.array(PriceEvidence) })

export type QuoteDetail = z.output<typeof QuoteDetail>

/** A customer's permanent address of one chain family, as assigned for a payment. */
export const DepositAddress = z.object({
  id,
  createdAt: ts,
  Address: text,
  Family: text,
  Status: text,
  MemberID: id,
  xpub_id: z.nullable(int),
  BlockchainFamilyID: id,
  Member: z.null(),
  BlockchainFamily: z.object({ id, family: text }),
  wallet: z.object({ id, name: text }),
  blockchainCode: text,
  /** Ed25519 over reference, chain and address, base64. */
  proof: text,
  quote: z.nullable(Quote),
  /** How the address is derived, so that a merchant can check it without us. */
  path: text,
})

export type DepositAddress = z.output<typeof DepositAddress>

/** Why an asset cannot be used to pay now: its network is not followed, it has no price, the amount is too small. */
export const OPTION_OBSTACLES = ['network', 'price', 'minimum'] as const

/** One way to pay. */
export const PaymentOption = z.object({
  id,
  blockchainCode: text,
  network: text,
  currencyCode: text,
  currency: text,
  /** Empty until the customer has one. */
  customerAddress: text,
  tokenAddress: text,
  standard: text,
  walletPrecision: int,
  family: text,
  recommended: z.boolean(),
  mostUsed: z.boolean(),
  blockchainID: id,
  currencyID: id,
  ready: z.boolean(),
  /** Why it is not ready, in the payer's words. */
  reason: z.nullable(text),
  obstacle: z.nullable(z.enum(OPTION_OBSTACLES)),
  minDepositAmount: z.nullable(dec),
  /** What sending it usually costs; null where that is not known, nor how long it takes. */
  typicalFee: z.nullable(z.enum(FEE_LEVELS)),
  /** How long it usually takes until it counts. */
  typicalSeconds: z.nullable(int),
})

export type PaymentOption = z.output<typeof PaymentOption>

/** What a payer may know of a project. */
export const ProjectPublic = z.object({
  id,
  name: text,
  logoPath: text,
  brandColor: text,
  checkoutLanguage: text,
  checkoutTheme: z.enum(CHECKOUT_THEMES),
  backText: text,
  website: text,
  successEndpoint: text,
  cancelEndpoint: text,
  supportEmail: text,
  twitterURL: text,
  discordURL: text,
  linkedInURL: text,
  telegramURL: text,
})

export type ProjectPublic = z.output<typeof ProjectPublic>

export const WalletPublic = z.object({ id, name: text, family: text, walletType: text, walletSubType: text })

export const PaymentChannel = z.object({ channel: z.literal('crypto'), enabled: z.boolean() })

/** A row of the payment search: empty keys are absent; the four numbers are for existing clients, `exact` for sums. */
export const PaymentRow = z.object({
  projectName: text,
  blockId: z.optional(int),
  referenceId: uuid,
  txHash: z.optional(text),
  fromAddress: z.optional(text),
  toAddress: z.optional(text),
  paymentStatus: paymentState,
  currency: z.optional(text),
  network: z.optional(text),
  createdAt: ts,
  updatedAt: ts,
  invoiceId: text,
  customerId: text,
  email: z.optional(text),
  amountInUSD: z.number(),
  amount: z.optional(z.number()),
  filledAmountInUSD: z.optional(z.number()),
  filledAmount: z.optional(z.number()),
  createdBy: z.enum(['user', 'system']),
  trxTimestamp: z.optional(ts),
  webhookStatus: z.optional(text),
  exact: z.object({
    amountInUSD: usd,
    amount: z.optional(dec),
    filledAmountInUSD: z.optional(usd),
    filledAmount: z.optional(dec),
    amountDueInUSD: usd,
    /** With `dateField=paid`: the final deposits of the payment within the dates. */
    paidInUSD: z.optional(usd),
  }),
  fundingState: z.enum(FUNDING_STATES),
  cancelReason: z.optional(z.enum(CANCEL_REASONS)),
  late: z.boolean(),
  /** It needs an operator: what the status filter `NEEDS_ATTENTION` finds. */
  needsAttention: z.boolean(),
  externalPlatformID: id,
  id,
})

export type PaymentRow = z.output<typeof PaymentRow>

export const PaymentPage = z.object({
  data: z.array(PaymentRow),
  totalCount: int,
  attributes: z.array(Attribute),
  nextCursor: z.nullable(text),
  prevCursor: z.nullable(text),
  totalIsEstimate: z.boolean(),
})

export type PaymentPage = z.output<typeof PaymentPage>

export const PaymentSummary = z.object({ totalCount: int, closedCount: int, openCount: int, cancelledCount: int })

export type PaymentSummary = z.output<typeof PaymentSummary>

const anything = z.record(text, z.unknown())

/** What happened to a payment, oldest first. */
export const TimelineEntry = z.object({ at: ts, event: text, actor: text, data: anything })

export const JournalLine = z.object({
  id,
  at: ts,
  account: text,
  debit: z.nullable(dec),
  credit: z.nullable(dec),
  asset: text,
})

/** Who decided, and why. */
const Decision = z.object({ at: ts, actor: text, note: text })

/** All an operator may see of a payment, from creation to webhook. */
export const PaymentDetail = z.object({
  ...PaymentPublic.shape,
  customer: Customer,
  depositAddresses: z.array(DepositAddress),
  quotes: z.array(QuoteDetail),
  timeline: z.array(TimelineEntry),
  deliveries: z.array(Delivery),
  journal: z.array(JournalLine),
  refunds: z.array(Withdrawal),
  /** What can still be given back, by asset and network as received. */
  refundable: z.array(z.object({ currencyCode: text, blockchainCode: text, amount: dec, overpaid: dec })),
  /** Where whoever has the link wants money of it to be returned: not verified. */
  refundClaim: z.nullable(RefundClaim),
  metadata: anything,
  createdBy: z.enum(['user', 'system']),
  /** Every transfer of the payment, reverted ones included. */
  transfers: z.array(Deposit),
  /** Unmatched deposits of the customer, newest first: what Y22 and Y26 may apply to this payment. */
  unmatchedDeposits: z.array(Deposit),
  /** Who accepted less than was asked, and why. */
  acceptance: z.nullable(Decision),
  /** As in `PaymentRow`. */
  needsAttention: z.boolean(),
  /** Who marked it as resolved, and why; null once its deposits have changed since. */
  resolved: z.nullable(Decision),
  /** What may be done now: with the payment, and with each deposit of `transfers` and `unmatchedDeposits`. */
  offers: z.array(Offer),
  /** The payment link, as its creator received it. */
  url: text,
})

export type PaymentDetail = z.output<typeof PaymentDetail>
