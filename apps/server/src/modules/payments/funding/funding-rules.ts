import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import { type Price, quoteStep, type Usd, unitsForUsd, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

export const MINUTE_MS = 60_000

/** What funding depends on besides the deposits. */
export type FundingPayment = {
  readonly status: PaymentState
  readonly cancelReason: CancelReason | null
  readonly filledUnits: bigint
  readonly expiresAt: Date
  readonly terms: {
    readonly dueUnits: bigint
    readonly price: Price
    readonly asset: { readonly decimals: number }
  } | null
  /** A person accepted less than was asked: it is paid while so much is final (money.md 3.5, row 15). */
  readonly acceptance?: { readonly leastUnits: bigint } | null
}

/** A deposit as far as a payment is concerned. */
export type FundingDeposit = {
  /** Transaction and position in it: the same transfer in another block is the same fact. */
  readonly transfer: string
  /** `held` money is shown with the payment but does not count for it. */
  readonly state: 'seen' | 'final' | 'held' | 'reverted'
  /** What it counts for, in units of the asset asked for. */
  readonly units: bigint
  readonly isLate: boolean
  /** Another block lies on top of its own, or it waits for something else than blocks. */
  readonly isBuried: boolean
}

export type Tolerances = {
  /** Percent as decimal text. */
  readonly underpaidTolerancePercent: string
  readonly overpaidTolerancePercent: string
}

/** What the facts make of a payment. */
export type Funding = {
  readonly status: PaymentState
  readonly fundingState: FundingState
  readonly cancelReason: CancelReason | null
  readonly late: boolean
  readonly seenUnits: bigint
  readonly filledUnits: bigint
  readonly overUnits: bigint
  readonly filledUsd: Usd
}

/** Tolerances are shares, but never worth more than this: rounding of wallets and fees of exchanges, not discounts. */
const MOST_UNDER: Usd = 5_000_000n
const MOST_OVER: Usd = 10_000_000n

/** Percent texts have at most this many decimals. */
const PERCENT_DECIMALS = 6

/**
 * Computes what a payment is from the facts: total, and the same whatever order they came in (money.md 3.5). Only final
 * money moves the status; seen money shows in `fundingState` and `seenUnits`.
 */
export function fund(
  payment: FundingPayment,
  facts: readonly FundingDeposit[],
  policy: Tolerances,
  now: Date,
): Funding {
  const seenUnits = sum(facts.filter(({ state }) => state === 'seen' || state === 'final'))
  const filledUnits = sum(facts.filter(({ state }) => state === 'final'))
  const bounds = payment.terms && accepted(boundsOf(payment.terms, policy), payment.acceptance)
  const status = statusOf(payment, bounds, { seenUnits, filledUnits }, now)
  const { terms } = payment
  return {
    status,
    fundingState: fundingStateOf(facts, status),
    cancelReason: cancelReasonOf(payment, status, now),
    late: facts.some(({ isLate, state }) => isLate && state !== 'reverted'),
    seenUnits,
    filledUnits,
    overUnits: status === 'OVER_FILLED' && terms ? filledUnits - terms.dueUnits : 0n,
    filledUsd: terms
      ? usdForUnits({ units: filledUnits, price: terms.price, decimals: terms.asset.decimals, rounding: 'half-even' })
      : 0n,
  }
}

/** The least and the most final money that fills a payment, in units. */
export type Bounds = { readonly least: bigint; readonly most: bigint }

/** The least and the most final money that fills a payment, in units: what lies between is neither short nor too much. */
export function boundsOf(
  { dueUnits, price, asset: { decimals } }: NonNullable<FundingPayment['terms']>,
  policy: Tolerances,
): Bounds {
  const worth = (usd: Usd) => unitsForUsd({ usd, price, decimals, step: 1n, rounding: 'down' })
  const under = smaller(percentOf(dueUnits, policy.underpaidTolerancePercent), worth(MOST_UNDER))
  const over = smaller(percentOf(dueUnits, policy.overpaidTolerancePercent), worth(MOST_OVER))
  const step = quoteStep({ price, decimals })
  return { least: dueUnits - under, most: dueUnits + (over > step ? over : step) }
}

function accepted(bounds: Bounds, acceptance: FundingPayment['acceptance']): Bounds {
  return acceptance ? { ...bounds, least: smaller(bounds.least, acceptance.leastUnits) } : bounds
}

function statusOf(
  payment: FundingPayment,
  bounds: Bounds | null,
  { seenUnits, filledUnits }: { seenUnits: bigint; filledUnits: bigint },
  now: Date,
): PaymentState {
  if (filledUnits > 0n && bounds) {
    if (filledUnits > bounds.most) return 'OVER_FILLED'
    return filledUnits >= bounds.least ? 'FILLED' : 'PARTIALLY_FILLED'
  }
  if (payment.status === 'CANCELLED') return 'CANCELLED'
  const isEnded = isWithdrawn(payment) || now >= payment.expiresAt
  return isEnded && seenUnits === 0n ? 'CANCELLED' : 'OPEN'
}

/** Somebody ended it; the clock has nothing to do with it. */
function isWithdrawn({ cancelReason }: FundingPayment): boolean {
  return cancelReason === 'superseded' || cancelReason === 'merchant'
}

function cancelReasonOf(payment: FundingPayment, status: PaymentState, now: Date): CancelReason | null {
  if (status === 'CANCELLED') return payment.cancelReason ?? 'expired'
  if (isWithdrawn(payment)) return payment.cancelReason
  const isOver = now >= payment.expiresAt
  if (status === 'PARTIALLY_FILLED' && isOver) return 'expired'
  return isOver ? payment.cancelReason : null
}

function fundingStateOf(facts: readonly FundingDeposit[], status: PaymentState): FundingState {
  const counted = facts.filter(({ state }) => state === 'seen' || state === 'final')
  const seen = counted.filter(({ state }) => state === 'seen')
  if (seen.length > 0) return seen.some(({ isBuried }) => isBuried) ? 'confirming' : 'detected'
  const alive = new Set(facts.filter(({ state }) => state !== 'reverted').map(({ transfer }) => transfer))
  const isLost = facts.some(({ state, transfer }) => state === 'reverted' && !alive.has(transfer))
  const isPaid = status === 'FILLED' || status === 'OVER_FILLED'
  if (isLost && !isPaid) return 'reverted'
  return counted.length > 0 ? 'confirmed' : 'none'
}

/** Names the events a change of facts causes, in order (money.md 3.5): events are the difference. */
export function eventsBetween(
  before: Pick<Funding, 'status' | 'filledUnits' | 'cancelReason'>,
  after: Pick<Funding, 'status' | 'filledUnits' | 'cancelReason'>,
): EventType[] {
  const events: EventType[] = []
  if (after.filledUnits < before.filledUnits) events.push('payment.reopened')
  else if (after.filledUnits > before.filledUnits || reached(before, after)) events.push(...FILLED_EVENTS[after.status])
  if (after.status === 'CANCELLED' && before.status !== 'CANCELLED') events.push('payment.cancelled')
  const isLapsed = after.status === 'PARTIALLY_FILLED' && after.cancelReason === 'expired'
  if (isLapsed && before.cancelReason !== 'expired') events.push('payment.expired_partial')
  return events
}

function reached(before: { status: PaymentState }, after: { status: PaymentState }): boolean {
  return before.status !== after.status && (after.status === 'FILLED' || after.status === 'OVER_FILLED')
}

const FILLED_EVENTS: Readonly<Record<PaymentState, readonly EventType[]>> = {
  OPEN: [],
  CANCELLED: [],
  PARTIALLY_FILLED: ['payment.partially_filled'],
  FILLED: ['payment.filled'],
  OVER_FILLED: ['payment.over_filled'],
}

/** What is still missing, in units of the asset asked for; nothing once it counts as filled. */
export function remainingUnits({
  status,
  terms,
  filledUnits,
}: Pick<FundingPayment, 'status' | 'terms' | 'filledUnits'>): bigint {
  if (!terms || status === 'FILLED' || status === 'OVER_FILLED') return 0n
  return terms.dueUnits > filledUnits ? terms.dueUnits - filledUnits : 0n
}

/** What is still missing, in micro-dollars. */
export function remainingUsd(payment: { status: PaymentState; amountUsd: Usd; filledUsd: Usd }): Usd {
  if (payment.status === 'FILLED' || payment.status === 'OVER_FILLED') return 0n
  return payment.amountUsd > payment.filledUsd ? payment.amountUsd - payment.filledUsd : 0n
}

function percentOf(units: bigint, percent: string): bigint {
  return (units * parseUnits(percent, PERCENT_DECIMALS)) / (100n * 10n ** BigInt(PERCENT_DECIMALS))
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function sum(facts: readonly FundingDeposit[]): bigint {
  return facts.reduce((total, { units }) => total + units, 0n)
}

/** From the first money on the rest may follow at the same price for this long (P-4). */
const RATE_LOCK_MS = 60 * MINUTE_MS

/** The end of a payment, or of its price, once money was seen: an hour from now, or later if it was later (P-4). */
export function extended(end: Date, now: Date): Date {
  return new Date(Math.max(end.getTime(), now.getTime() + RATE_LOCK_MS))
}
