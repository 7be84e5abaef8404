/** What Kassa answers about payouts (api.md 4.1). */
import * as z from 'zod/mini'

import { dec, id, int, ts, usd, uuid } from '../kit/codecs.ts'
import { reasonShape } from '../kit/reason-shape.ts'
import { page } from '../kit/paging.ts'
import { AccountPosting } from '../ledger/schemas.ts'
import type { POLICY_RULES } from '../payout-policy/reasons.ts'
import { Delivery } from '../webhooks/schemas.ts'
import { REFUND_KINDS, WITHDRAWAL_TYPES, withdrawalMachine } from './machine.ts'
import type { PAYOUT_WAITS } from './waits.ts'

const text = z.string()
const textOrNull = z.nullable(text)

/** An operator, as far as a payout names one. */
const Person = z.object({ id, name: text, email: text })

/** How an approval was proved: by a passkey or a code over exactly these bytes, or by the open window of a session. */
export const APPROVAL_METHODS = ['passkey', 'totp', 'backup', 'password', 'window'] as const

export const PayoutApproval = z.object({
  memberID: id,
  email: text,
  at: ts,
  method: z.enum(APPROVAL_METHODS),
  note: text,
  /** What was approved, as `digest` of the payout. */
  digest: text,
  /** False once its operator may not approve any more, or the payout has changed. */
  counts: z.boolean(),
})

export const Withdrawal = z.object({
  id,
  currencyCode: text,
  blockchainCode: text,
  amount: dec,
  priceInUSD: z.nullable(dec),
  amountInUSD: z.nullable(usd),
  fee: z.nullable(dec),
  fromAddress: textOrNull,
  toAddress: text,
  recipientEmail: textOrNull,
  tokenAddress: textOrNull,
  txHash: textOrNull,
  uniqueTxHash: textOrNull,
  txIndex: z.nullable(int),
  blockHash: textOrNull,
  blockNumber: z.nullable(int),
  status: z.enum(withdrawalMachine.states),
  type: z.enum(WITHDRAWAL_TYPES),
  currencyType: z.enum(['coin', 'token']),
  timestamp: z.nullable(ts),
  attributes: z.nullable(z.record(z.string(), z.unknown())),
  failureReason: textOrNull,
  webhookStatus: textOrNull,
  retryCount: int,
  lastRetryAt: z.nullable(ts),
  memberID: z.nullable(id),
  createdByMemberID: z.nullable(id),
  createdByProjectID: z.nullable(id),
  approvedByMemberID: z.nullable(id),
  rejectedByMemberID: z.nullable(id),
  externalPlatformID: id,
  currencyID: int,
  blockchainID: int,
  createdBy: z.enum(['system', 'user', 'merchant_api']),
  member: z.nullable(z.object({ id, name: text, email: text, customer_id: text })),
  createdByMember: z.nullable(Person),
  createdByProject: z.nullable(z.object({ id, name: text })),
  approvedByMember: z.nullable(Person),
  rejectedByMember: z.nullable(Person),
  currency: z.nullable(z.object({ id: int, code: text, name: text })),
  blockchain: z.nullable(z.object({ id: int, code: text, name: text })),
  externalPlatform: z.nullable(z.object({ id, name: text })),
  createdAt: ts,
  updatedAt: ts,
  deletedAt: z.nullable(ts),
  /** While it waits for approval, as its next decision has it: by the policy of the request, or by a stricter one since. */
  approvals: z.object({
    required: int,
    given: z.array(PayoutApproval),
    /** With four eyes, and the caller asked for it: another member must approve (PAYOUT_SELF_APPROVAL). */
    byOthersOnly: z.boolean(),
  }),
  /** The code of `waits`. */
  waitReason: textOrNull,
  waits: z.nullable(reasonShape<typeof PAYOUT_WAITS>()),
  /** While it waits for approval: why it will wait once it is approved, as far as that is known now (`EMAIL_CHANGED`). */
  waitsNext: z.nullable(reasonShape<typeof PAYOUT_WAITS>()),
  confirmations: int,
  confirmationRequired: int,
  explorerTransaction: textOrNull,
  clientReference: textOrNull,
  refundOfReferenceID: z.nullable(uuid),
  refundKind: z.nullable(z.enum(REFUND_KINDS)),
  recipientID: z.nullable(id),
  recipientName: textOrNull,
  /** Payouts of the project that reached this address before. */
  earlierPayouts: int,
  note: text,
  /** SHA-256 of what is approved and signed (money.md X-2): hexadecimal. */
  digest: text,
  /** Four words made of it, for people to compare two screens by. */
  words: text,
})

export type Withdrawal = z.output<typeof Withdrawal>

/** What one confirmation of several payouts caused: all of them were approved. */
export const ApprovedList = z.object({
  /** `pending-approval`: it needs more approvals. */
  payouts: z.array(z.object({ id, status: z.enum(withdrawalMachine.states) })),
  /** SHA-256 over the digests of the payouts (money.md X-2): hexadecimal. */
  digest: text,
  /** Four words made of it. */
  words: text,
})

export type ApprovedList = z.output<typeof ApprovedList>

export const PayoutPage = page(Withdrawal)

export const PayoutStep = z.object({ at: ts, event: text, actor: text, data: z.record(z.string(), z.unknown()) })

/** One payout with its history, and the rule that decided about it. */
export const WithdrawalDetail = z.extend(Withdrawal, {
  timeline: z.array(PayoutStep),
  policyDecision: z.object({
    /** The code of `reason`. */
    rule: text,
    /** The rule of the policy that decided. */
    reason: reasonShape<typeof POLICY_RULES>(),
    approvalsNeeded: int,
    policyVersion: int,
    /** What was paid out within an hour and a day when it was decided, this payout included. */
    hourUsed: usd,
    dayUsed: usd,
    hourLimit: usd,
    limitUsed: usd,
    limit: usd,
    /** Whether the requester cannot approve it. */
    fourEyes: z.boolean(),
    /** The list that it was requested with: the policy decided about its sum. Null for one that was requested alone. */
    list: z.nullable(z.object({ payouts: int, amountInUSD: usd })),
  }),
  deliveries: z.array(Delivery),
  journal: z.array(AccountPosting),
  /** The English text of the reason. */
  sentence: text,
})

export type WithdrawalDetail = z.output<typeof WithdrawalDetail>

export const PayoutMetrics = z.object({
  pendingApproval: int,
  /** Those that wait for an approval of the caller. */
  waitingForMe: int,
  pending: int,
  sent24h: usd,
  processed24h: usd,
  failed24h: int,
  limits: z.object({ hourUsed: usd, hourLimit: usd, dayUsed: usd, dayLimit: usd }),
  /** Since when sending is paused, of the project and of the whole install; null while it is not. */
  paused: z.object({ project: z.nullable(ts), install: z.nullable(ts) }),
  /** What payouts wait for that the hot wallets do not hold. */
  shortOf: z.array(z.object({ blockchainCode: text, currencyCode: text })),
})

export const PayoutBalance = z.object({
  blockchainCode: text,
  currencyCode: text,
  /** In the hot wallet, and not reserved. */
  available: dec,
  /** What the project may pay out of it now: at most what it earned, where `payouts.from` is `earned`. */
  payable: dec,
  /** The price of one in US dollars; null while there is no trustworthy one. */
  priceInUSD: z.nullable(dec),
  /** Held for payouts that are not final. */
  held: dec,
  hotWalletAddress: textOrNull,
})

export type PayoutBalance = z.output<typeof PayoutBalance>
