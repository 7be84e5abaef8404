/** Rules of a deposit for payments: which payment it belongs to, what it counts for, when it is final (money.md 3.4, 1.4). */
import type { PaymentState } from '@kassa/contract/payments/machine.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'
import type { AssetFacts } from '../payment/payment.ts'
import { boundsOf, type Tolerances } from '../funding/funding-rules.ts'
import { SLACK_MS, HOUR_MS, type PinnedPayment, isOnTime, isRateLocked, scaled } from '../funding/deposit-rules.ts'

/** A received transfer before it is allocated to a payment. */
export type Arrival = {
  readonly asset: AssetFacts
  readonly units: bigint
  /** When it counts as paid: that of its block, or when it was first seen waiting for one. */
  readonly blockTime: Date
  /** The time whose rate applies to it, where that is another one. */
  readonly rateTime?: Date
  /** The project takes this asset. */
  readonly isAccepted: boolean
  /** Its value in US dollars, or null without a price. */
  readonly usd: Usd | null
}

/** Which payment a transfer goes to; `reason` says why it is not simply applied to it. */
export type Allocation = {
  readonly paymentId: bigint | null
  readonly reason: 'other_network' | 'price_lapsed' | 'late' | 'wrong_asset' | 'no_price' | 'no_payment' | null
  /** It arrived after the end, and counts. */
  readonly late: boolean
  /** It pays what was still missing, within the tolerance; then no minimum applies. */
  readonly isExact: boolean
}

/** Finds the payment a transfer pays. `payments` are those of the customer who owns the address (money.md 3.4). */
export function allocate(
  arrival: Arrival,
  payments: readonly PinnedPayment[],
  policy: Tolerances & { readonly lateGraceHours: number },
): Allocation {
  const known = payments.filter(({ createdAt }) => createdAt.getTime() <= arrival.blockTime.getTime() + SLACK_MS)
  const open = known.filter((payment) => isOpen(payment) && isOnTime(payment, arrival.blockTime))
  const same = open.filter(({ quote }) => quote.asset.id === arrival.asset.id)
  if (same.length > 0) return choose(same, arrival, policy, null)
  const elsewhere = open.filter(({ quote }) => quote.asset.currencyCode === arrival.asset.currencyCode)
  if (elsewhere.length > 0 && arrival.isAccepted) return choose(elsewhere, arrival, policy, 'other_network')
  const ended = known.filter(
    ({ status, quote }) => status !== 'FILLED' && status !== 'OVER_FILLED' && quote.asset.id === arrival.asset.id,
  )
  // One that may still take late money is not passed over for a newer one that may not.
  const forgiving = ended.filter((payment) => isForgiven(payment, arrival, policy))
  const newest = (forgiving.length > 0 ? forgiving : ended).reduce<PinnedPayment | undefined>(
    (best, one) => (best && best.id > one.id ? best : one),
    undefined,
  )
  if (newest) return afterTheEnd(newest, arrival, policy)
  const [asked, other] = open
  if (!asked) return notAllocated('no_payment')
  // A single open payment shows the transfer, so that payer and shop see what happened; it counts for nothing yet.
  return { ...notAllocated('wrong_asset'), paymentId: other ? null : asked.id }
}

/**
 * Chooses the payment that is still missing exactly this amount, the oldest of several; else the one whose amount was shown
 * last.
 */
function choose(
  payments: readonly PinnedPayment[],
  arrival: Arrival,
  policy: Tolerances,
  reason: Allocation['reason'],
): Allocation {
  const exact = payments
    .filter((payment) => isMissing(payment, arrival, policy))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const [oldest] = exact
  if (oldest) return allocated(oldest, arrival, { reason, late: false, isExact: true })
  const unpaid = payments.filter(({ seenUnits, quote }) => seenUnits < quote.dueUnits)
  const [latest] = (unpaid.length > 0 ? unpaid : payments).toSorted(
    (a, b) => b.quote.quotedAt.getTime() - a.quote.quotedAt.getTime() || (a.id < b.id ? 1 : -1),
  )
  return latest ? allocated(latest, arrival, { reason, late: false, isExact: false }) : notAllocated('no_payment')
}

/**
 * Within the grace period it counts, and is late unless its block was in time; afterwards it stays unapplied until an operator
 * decides.
 */
function afterTheEnd(
  payment: PinnedPayment,
  arrival: Arrival,
  policy: Tolerances & { lateGraceHours: number },
): Allocation {
  const late = !isOnTime(payment, arrival.blockTime)
  if (!isForgiven(payment, arrival, policy)) {
    return { paymentId: payment.id, reason: 'late', late: true, isExact: false }
  }
  return allocated(payment, arrival, { reason: null, late, isExact: isMissing(payment, arrival, policy) })
}

/** Whether the transfer is on time for a payment, or within its grace period. */
function isForgiven(
  payment: PinnedPayment,
  { blockTime }: Arrival,
  { lateGraceHours }: { readonly lateGraceHours: number },
): boolean {
  return isOnTime(payment, blockTime) || blockTime.getTime() <= payment.expiresAt.getTime() + lateGraceHours * HOUR_MS
}

/**
 * The transfer belongs to this payment. Once the locked rate has ended, a volatile asset counts at its current value: a
 * late payer must not be able to choose the better of two prices (P-2, P-5).
 */
function allocated(payment: PinnedPayment, arrival: Arrival, allocation: Omit<Allocation, 'paymentId'>): Allocation {
  const isLapsed =
    !allocation.late && !isRateLocked(payment, arrival.rateTime ?? arrival.blockTime) && !arrival.asset.isStable
  const needsPrice = isLapsed || (allocation.late && !arrival.asset.isStable)
  if (needsPrice && arrival.usd === null) return notAllocated('no_price')
  return { ...allocation, paymentId: payment.id, ...(isLapsed && { reason: 'price_lapsed' as const }) }
}

function notAllocated(reason: Allocation['reason']): Allocation {
  return { paymentId: null, reason, late: false, isExact: false }
}

function isOpen({ status }: { status: PaymentState }): boolean {
  return status === 'OPEN' || status === 'PARTIALLY_FILLED'
}

function isMissing(payment: PinnedPayment, arrival: Arrival, policy: Tolerances): boolean {
  const { least, most } = boundsOf(payment.quote, policy)
  const total = payment.seenUnits + scaled(arrival.units, arrival.asset, payment.quote.asset)
  return total >= least && total <= most
}
