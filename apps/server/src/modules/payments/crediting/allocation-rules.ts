/** What a deposit means to payments: whose it is, what it counts for, and when it is final (money.md 3.4, 1.4). */
import type { PaymentState } from '@kassa/contract/payments/machine.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'
import type { AssetFacts } from '../payment/payment.ts'
import { boundsOf, type Tolerances } from '../funding/funding-rules.ts'
import { SLACK_MS, HOUR_MS, type PinnedPayment, isOnTime, isRateLocked, scaled } from '../funding/deposit-rules.ts'

/** A transfer that arrived, before it is known whose money it is. */
export type Arrival = {
  readonly asset: AssetFacts
  readonly units: bigint
  readonly blockTime: Date
  /** The project takes this asset. */
  readonly isAccepted: boolean
  /** What it is worth, or null without a price. */
  readonly usd: Usd | null
}

/** Whose money it is, and why it is not plainly so. */
export type Allocation = {
  readonly paymentId: bigint | null
  readonly reason: 'other_network' | 'price_lapsed' | 'late' | 'wrong_asset' | 'no_price' | 'no_payment' | null
  /** It arrived after the end, and counts. */
  readonly late: boolean
  /** It is what was still missing, to the tolerance: then no minimum applies. */
  readonly isExact: boolean
}

/** Finds the payment a transfer is for (money.md 3.4). `payments` are those of the customer who owns the address. */
export function allocate(
  arrival: Arrival,
  payments: readonly PinnedPayment[],
  policy: Tolerances & { readonly lateGraceHours: number },
): Allocation {
  const known = payments.filter(({ createdAt }) => createdAt.getTime() <= arrival.blockTime.getTime() + SLACK_MS)
  const open = known.filter((payment) => isOpen(payment) && isOnTime(payment, arrival.blockTime))
  const same = open.filter(({ terms }) => terms.asset.id === arrival.asset.id)
  if (same.length > 0) return choose(same, arrival, policy, null)
  const elsewhere = open.filter(({ terms }) => terms.asset.currencyCode === arrival.asset.currencyCode)
  if (elsewhere.length > 0 && arrival.isAccepted) return choose(elsewhere, arrival, policy, 'other_network')
  const ended = known.filter(
    ({ status, terms }) => status !== 'FILLED' && status !== 'OVER_FILLED' && terms.asset.id === arrival.asset.id,
  )
  const newest = ended.reduce<PinnedPayment | undefined>(
    (best, one) => (best && best.id > one.id ? best : one),
    undefined,
  )
  if (newest) return afterTheEnd(newest, arrival, policy)
  const [asked, other] = open
  if (!asked) return notAllocated('no_payment')
  // One that could have meant it is shown with it, so that payer and shop see what happened; it counts for nothing yet.
  return { ...notAllocated('wrong_asset'), paymentId: other ? null : asked.id }
}

/** The one still missing just this much, the oldest of several; else the one whose amount was shown last. */
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
  const unpaid = payments.filter(({ seenUnits, terms }) => seenUnits < terms.dueUnits)
  const [latest] = (unpaid.length > 0 ? unpaid : payments).toSorted(
    (a, b) => b.terms.quotedAt.getTime() - a.terms.quotedAt.getTime() || (a.id < b.id ? 1 : -1),
  )
  return latest ? allocated(latest, arrival, { reason, late: false, isExact: false }) : notAllocated('no_payment')
}

/** Within the grace it counts, late unless the block was in time; afterwards it is kept for a person to decide. */
function afterTheEnd(
  payment: PinnedPayment,
  arrival: Arrival,
  policy: Tolerances & { lateGraceHours: number },
): Allocation {
  const late = !isOnTime(payment, arrival.blockTime)
  const isForgiven = arrival.blockTime.getTime() <= payment.expiresAt.getTime() + policy.lateGraceHours * HOUR_MS
  if (late && !isForgiven) return { paymentId: payment.id, reason: 'late', late: true, isExact: false }
  return allocated(payment, arrival, { reason: null, late, isExact: isMissing(payment, arrival, policy) })
}

/**
 * The money is for this payment. Where the held price does not cover it any more, volatile money counts for what it is
 * worth: who pays late must not choose between two prices (P-2, P-5).
 */
function allocated(payment: PinnedPayment, arrival: Arrival, match: Omit<Allocation, 'paymentId'>): Allocation {
  const isLapsed = !match.late && !isRateLocked(payment, arrival.blockTime) && !arrival.asset.isStable
  const needsPrice = isLapsed || (match.late && !arrival.asset.isStable)
  if (needsPrice && arrival.usd === null) return notAllocated('no_price')
  return { ...match, paymentId: payment.id, ...(isLapsed && { reason: 'price_lapsed' as const }) }
}

function notAllocated(reason: Allocation['reason']): Allocation {
  return { paymentId: null, reason, late: false, isExact: false }
}

function isOpen({ status }: { status: PaymentState }): boolean {
  return status === 'OPEN' || status === 'PARTIALLY_FILLED'
}

function isMissing(payment: PinnedPayment, arrival: Arrival, policy: Tolerances): boolean {
  const { least, most } = boundsOf(payment.terms, policy)
  const total = payment.seenUnits + scaled(arrival.units, arrival.asset, payment.terms.asset)
  return total >= least && total <= most
}
