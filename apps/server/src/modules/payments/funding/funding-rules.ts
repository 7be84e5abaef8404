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
  readonly quote: {
    readonly dueUnits: bigint
    readonly price: Price
    readonly asset: { readonly decimals: number }
  } | null
  /** Units for which an operator accepted an underpayment: the payment is paid while so much is final (money.md 3.5, row 15). */
  readonly acceptance?: { readonly leastUnits: bigint } | null
}

/** What funding reads of a deposit. */
export type FundingDeposit = {
  /** Transaction and position in it: the same transfer in another block is the same fact. */
  readonly transfer: string
  /** `held`: shown with the payment, not counted. */
  readonly state: 'seen' | 'final' | 'held' | 'reverted'
  /** What it counts for, in units of the asset asked for. */
  readonly units: bigint
  readonly isLate: boolean
  /** A newer block follows its own, or it waits for something other than blocks. */
  readonly isBuried: boolean
}

export type Tolerances = {
  /** Percent as decimal text. */
  readonly underpaidTolerancePercent: string
  readonly overpaidTolerancePercent: string
}

/** What the deposits make of a payment. */
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

/** The value that limits a tolerance: it covers rounding by wallets and fees of exchanges, not discounts. */
const MOST_UNDER: Usd = 5_000_000n
const MOST_OVER: Usd = 10_000_000n

/** Percent texts have at most this many decimals. */
const PERCENT_DECIMALS = 6

/**
 * Computes a payment's state from its deposits; their order does not matter (money.md 3.5). Only final deposits change the
 * status; seen ones change `fundingState` and `seenUnits`. A mempool sighting counts for nothing: it keeps the payment open and
 * shows that money is on its way.
 */
export function fund(
  payment: FundingPayment,
  facts: readonly FundingDeposit[],
  policy: Tolerances,
  now: Date,
  isSighted = false,
): Funding {
  const seenUnits = sum(facts.filter(({ state }) => state === 'seen' || state === 'final'))
  const filledUnits = sum(facts.filter(({ state }) => state === 'final'))
  const bounds = payment.quote && accepted(boundsOf(payment.quote, policy), payment.acceptance)
  const status = statusOf(payment, bounds, { seenUnits, filledUnits, isSighted }, now)
  const { quote } = payment
  return {
    status,
    fundingState: fundingStateOf(facts, status, isSighted),
    cancelReason: cancelReasonOf(payment, status, now),
    late: facts.some(({ isLate, state }) => isLate && state !== 'reverted'),
    seenUnits,
    filledUnits,
    overUnits: status === 'OVER_FILLED' && quote ? filledUnits - quote.dueUnits : 0n,
    filledUsd: quote
      ? usdForUnits({ units: filledUnits, price: quote.price, decimals: quote.asset.decimals, rounding: 'half-even' })
      : 0n,
  }
}

/** The least and the most final money that fills a payment, in units. */
export type Bounds = { readonly least: bigint; readonly most: bigint }

/** The least and the most final money that fills a payment, in units: between them it is neither under- nor overpaid. */
export function boundsOf(
  { dueUnits, price, asset: { decimals } }: NonNullable<FundingPayment['quote']>,
  policy: Tolerances,
): Bounds {
  const unitsFor = (usd: Usd) => unitsForUsd({ usd, price, decimals, step: 1n, rounding: 'down' })
  const under = smaller(percentOf(dueUnits, policy.underpaidTolerancePercent), unitsFor(MOST_UNDER))
  const over = smaller(percentOf(dueUnits, policy.overpaidTolerancePercent), unitsFor(MOST_OVER))
  const step = quoteStep({ price, decimals })
  return { least: dueUnits - under, most: dueUnits + (over > step ? over : step) }
}

function accepted(bounds: Bounds, acceptance: FundingPayment['acceptance']): Bounds {
  return acceptance ? { ...bounds, least: smaller(bounds.least, acceptance.leastUnits) } : bounds
}

function statusOf(
  payment: FundingPayment,
  bounds: Bounds | null,
  { seenUnits, filledUnits, isSighted }: { seenUnits: bigint; filledUnits: bigint; isSighted: boolean },
  now: Date,
): PaymentState {
  if (filledUnits > 0n && bounds) {
    if (filledUnits > bounds.most) return 'OVER_FILLED'
    return filledUnits >= bounds.least ? 'FILLED' : 'PARTIALLY_FILLED'
  }
  if (payment.status === 'CANCELLED') return 'CANCELLED'
  const isEnded = isWithdrawn(payment) || now >= payment.expiresAt
  return isEnded && seenUnits === 0n && !isSighted ? 'CANCELLED' : 'OPEN'
}

/** Ended by a newer payment or the merchant, not by the clock. */
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

function fundingStateOf(facts: readonly FundingDeposit[], status: PaymentState, isSighted: boolean): FundingState {
  const counted = facts.filter(({ state }) => state === 'seen' || state === 'final')
  const seen = counted.filter(({ state }) => state === 'seen')
  if (seen.length > 0) return seen.some(({ isBuried }) => isBuried) ? 'confirming' : 'detected'
  const alive = new Set(facts.filter(({ state }) => state !== 'reverted').map(({ transfer }) => transfer))
  const isLost = facts.some(({ state, transfer }) => state === 'reverted' && !alive.has(transfer))
  const isPaid = status === 'FILLED' || status === 'OVER_FILLED'
  if (isSighted && !isPaid) return 'detected'
  if (isLost && !isPaid) return 'reverted'
  return counted.length > 0 ? 'confirmed' : 'none'
}

/** Names the events between two states of a payment, in order (money.md 3.5). */
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
  quote,
  filledUnits,
}: Pick<FundingPayment, 'status' | 'quote' | 'filledUnits'>): bigint {
  if (!quote || status === 'FILLED' || status === 'OVER_FILLED') return 0n
  return quote.dueUnits > filledUnits ? quote.dueUnits - filledUnits : 0n
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

/** How long the rate holds after the first deposit, so that a payment in several parts is not punished (P-4). */
const RATE_LOCK_MS = 60 * MINUTE_MS

/** The end of a payment, or of its rate, once a deposit was seen: an hour from now, or its own end if that is later (P-4). */
export function extended(end: Date, now: Date): Date {
  return new Date(Math.max(end.getTime(), now.getTime() + RATE_LOCK_MS))
}
