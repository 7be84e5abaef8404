import type { PaymentDetail, TimelineEntry } from '@kassa/contract/payments/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type * as z from 'zod/mini'

import { assetAmount } from '../../../lib/text/format.ts'
import { dayAndMinute } from '../../../lib/time/time.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import type { TimelineEvent } from '../../../ui/facts/Timeline.tsx'
import type { Tone } from '../../../ui/feedback/tones.ts'
import { PAYMENT_STATES, readable } from '../../../labels/payment-labels.ts'
import { deliveryLine, type EndpointHosts } from './delivery-line.ts'

type Entry = z.output<typeof TimelineEntry>

/** A line of the story, before it is drawn. */
export type TimelineLine = Omit<TimelineEvent, 'text'> & {
  readonly text?: string
  /** The transaction it is about; whole. */
  readonly hash?: string | undefined
}

export type Knowledge = {
  readonly hosts: EndpointHosts
  /** The operator who reads it; unknown at first. */
  readonly operatorId: number | undefined
}

/** Returns the history of a payment, newest first: its events and who was notified. Ledger entries have their own tab. */
export function paymentTimeline(payment: PaymentDetail, { hosts, operatorId }: Knowledge): TimelineLine[] {
  const notified = payment.timeline.map((entry, index) => eventLine(entry, index, payment.transfers, operatorId))
  const strange = payment.transfers.filter(({ reason }) => reason === 'wrong_asset').map(unknownLine)
  const events = Map.groupBy(payment.deliveries, ({ id }) => id)
  const delivered = [...events].map(([id, deliveries]) => deliveryLine(id, deliveries, hosts))
  // Entries of one moment are listed in the order they were made; the newest of them stands on top.
  return [...notified, ...strange, ...delivered]
    .map((line, at) => ({ line, at }))
    .toSorted((a, b) => b.line.at.getTime() - a.line.at.getTime() || b.at - a.at)
    .map(({ line }) => line)
}

/** Returns what became of a payment since it was read before: what a person decided, else what happened last. */
export function newsSince(
  before: PaymentDetail,
  payment: PaymentDetail,
  operatorId?: number,
): TimelineLine | undefined {
  const { timeline } = payment
  const isNew = (at: number) => at >= before.timeline.length
  const decided = timeline.findLastIndex(({ event }, at) => isNew(at) && event === 'payment.resolved')
  const at = decided === -1 ? timeline.length - 1 : decided
  const entry = timeline[at]
  return entry !== undefined && isNew(at) ? eventLine(entry, at, payment.transfers, operatorId) : undefined
}

/** Whether this operator decided about a payment with this note since it was read before. */
export function hasDecidedSince(
  before: PaymentDetail,
  payment: PaymentDetail,
  operatorId: number,
  note: string,
): boolean {
  const fresh = payment.timeline.slice(before.timeline.length)
  return fresh.some(
    ({ event, actor, data }) =>
      event === 'payment.resolved' && actor === `operator:${operatorId}` && factsOf(data).note === note,
  )
}

type Wording = {
  readonly title: (data: Facts) => string
  readonly tone: Tone
  readonly text?: (data: Facts) => string
  /** It is about the last transfer that its message carries. */
  readonly hasHash?: true
}

const EVENTS: Readonly<Record<string, Wording>> = {
  'payment.created': { title: () => t`Created`, tone: 'neutral' },
  'payment.pinned': {
    title: ({ currency, network }) => (network === '' ? t`${currency} chosen` : t`${currency} on ${network} chosen`),
    tone: 'info',
    text: ({ amount }) => t`${amount} requested, rate locked`,
  },
  'payment.extended': {
    title: () => t`Link extended`,
    tone: 'info',
    text: ({ until }) => (until === '' ? '' : t`until ${until}`),
  },
  'payment.reminded': { title: () => t`Customer reminded by e-mail`, tone: 'neutral' },
  'payment.receipt_mailed': { title: () => t`Receipt sent by e-mail`, tone: 'neutral', text: ({ email }) => email },
  'payment.refund_claimed': { title: () => t`The payer asks for money back`, tone: 'warning' },
  'payment.refund_claim_declined': {
    title: () => t`Claimed refund declined`,
    tone: 'info',
    text: ({ note }) => (note === '' ? '' : t`“${note}”`),
  },
  'payment.detected': { title: () => t`Transfer seen`, tone: 'progress', hasHash: true },
  'payment.partially_filled': {
    title: () => t(PAYMENT_STATES.PARTIALLY_FILLED),
    tone: 'warning',
    text: ({ filled }) => t`${filled} so far`,
  },
  'payment.filled': { title: () => t(PAYMENT_STATES.FILLED), tone: 'success', text: ({ filled }) => filled },
  'payment.over_filled': { title: () => t(PAYMENT_STATES.OVER_FILLED), tone: 'success', text: ({ filled }) => filled },
  'payment.expired_partial': { title: () => t`Ended, partly paid`, tone: 'warning', text: ({ filled }) => filled },
  'payment.cancelled': { title: ({ ending }) => ending, tone: 'neutral' },
  'payment.late_deposit': { title: () => t`Money arrived late`, tone: 'warning', hasHash: true },
  'payment.reopened': { title: () => t`Reopened: money was taken back`, tone: 'danger' },
  'payment.resolved': {
    title: ({ decision }) => decision,
    tone: 'info',
    text: ({ amount, note }) => [amount, note && t`“${note}”`].filter(Boolean).join(' · '),
  },
}

function eventLine(
  { at, event, actor, data }: Entry,
  index: number,
  transfers: PaymentDetail['transfers'],
  operatorId: number | undefined,
): TimelineLine {
  const wording = EVENTS[event]
  const id = `event-${index}`
  if (wording === undefined) return { id, at, title: readable(event) }
  const facts = factsOf(data)
  const hash = wording.hasHash && lastHash(data.payment_info)
  const moved = hash === undefined ? undefined : amountsOf(transfers, hash)
  const parts = [wording.text?.(facts), moved, actorText(actor, operatorId)].filter(
    (part) => part !== undefined && part !== '',
  )
  return {
    id,
    at,
    title: wording.title(facts),
    tone: wording.tone,
    ...(parts.length > 0 && { text: parts.join(' · ') }),
    ...(hash !== undefined && { hash }),
  }
}

/** What the message of an event tells, as text; a part it does not carry is empty. */
type Facts = {
  readonly currency: string
  readonly network: string
  readonly amount: string
  readonly filled: string
  readonly ending: string
  /** What a person decided, and why. */
  readonly decision: string
  readonly note: string
  /** Masked. */
  readonly email: string
  /** Until when a link can be paid. */
  readonly until: string
}

function factsOf(data: Entry['data']): Facts {
  const read = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  const currency = read('currency')
  const money = (amount: string) => (amount === '' ? '' : assetAmount(amount, currency))
  return {
    currency,
    network: networkName(read('network')),
    amount: money(read('amount')),
    filled: money(read('filled_amount')),
    ending: t(ENDINGS[read('cancel_reason')] ?? PAYMENT_STATES.CANCELLED_BY_MERCHANT),
    decision: t(DECISIONS[read('action')] ?? msg`Decided by a person`),
    note: read('note'),
    email: read('email'),
    until: timeText(read('expires_at')),
  }
}

function timeText(iso: string): string {
  return iso === '' ? '' : dayAndMinute(new Date(iso))
}

const DECISIONS: Readonly<Record<string, MessageDescriptor>> = {
  accept_underpaid: msg`Accepted as paid`,
  apply_unapplied: msg`Unmatched funds applied`,
  release_quarantine: msg`Released from hold`,
  mark_resolved: msg`Marked as resolved`,
  unassign: msg`Removed from this payment, unmatched for the customer`,
  assign: msg`Unmatched deposit assigned`,
}

const ENDINGS: Readonly<Record<string, MessageDescriptor>> = {
  expired: PAYMENT_STATES.EXPIRED,
  superseded: msg`Replaced by a newer link`,
}

function lastHash(transfers: unknown): string | undefined {
  const last: unknown = Array.isArray(transfers) ? transfers.at(-1) : undefined
  const hash = typeof last === 'object' && last !== null && 'transaction_hash' in last ? last.transaction_hash : ''
  return typeof hash === 'string' && hash !== '' ? hash : undefined
}

/** What a transaction brought: the message of an event names it by its hash alone. */
function amountsOf(transfers: PaymentDetail['transfers'], hash: string): string {
  const brought = transfers.filter(({ txHash }) => txHash === hash)
  return brought.map(({ amount, currencyCode }) => assetAmount(amount, currencyCode)).join(' + ')
}

/** The author: the server sends only the id of operators, so only one's own name is shown. */
function actorText(actor: string, operatorId: number | undefined): string {
  if (operatorId !== undefined && actor === `operator:${operatorId}`) return t`by you`
  if (actor.startsWith('operator:')) return t`by an operator`
  if (actor.startsWith('key:')) return t`by an API key`
  return actor === 'payer' ? t`by the customer` : ''
}

/** Money of another currency is no event of the payment: it counts for nothing until a person decides. */
function unknownLine({ id, createdAt, ...deposit }: PaymentDetail['transfers'][number]): TimelineLine {
  const amount = assetAmount(deposit.amount, deposit.currencyCode)
  const network = networkName(deposit.blockchainCode)
  const parts = [t`${amount} on ${network}`, t`Doesn’t count by itself`]
  return {
    id: `deposit-${id}`,
    at: createdAt,
    title: t`Money of another currency arrived`,
    tone: 'warning',
    text: parts.join(' · '),
    hash: deposit.txHash,
  }
}
