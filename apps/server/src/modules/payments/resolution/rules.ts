/** What a person may decide about a payment, and why not (api.md Y22, Y26): the sentence says what to do instead. */
import type { Deposit } from '../../deposits/service.ts'
import { isOnTime, isRateLocked } from '../funding/deposit-rules.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'

/** Says why less than was asked cannot be accepted as paid; null when it can. */
export function acceptBlockedBy({ status, seenUnits }: Payment): string | null {
  if (status === 'PARTIALLY_FILLED') return null
  if (status === 'FILLED' || status === 'OVER_FILLED') return 'It is paid already.'
  if (seenUnits > 0n) return 'Its money is not final yet. Wait for the confirmations.'
  return 'No money counts for it. Apply kept money to it first, or make a new request.'
}

/** Says why a payment cannot be called settled while something else is to be done; null when it can. */
export function resolveBlockedBy(
  { status, cancelReason, fundingState }: Pick<Payment, 'status' | 'cancelReason' | 'fundingState'>,
  { isNeeded, isOnHold }: { isNeeded: boolean; isOnHold: boolean },
): string | null {
  if (isOnHold) return 'Some of its money is on hold. Release it, or keep it for the customer, first.'
  if (!isNeeded) return 'Nothing about it needs attention.'
  if (fundingState === 'detected' || fundingState === 'confirming')
    return 'Its money is not final yet. Wait for the confirmations.'
  // What the network took back may be settled at any time: nobody knows whether it returns.
  const isPayable = status === 'PARTIALLY_FILLED' && cancelReason === null && fundingState !== 'reverted'
  return isPayable
    ? 'The customer can still send the rest. Accept what came as paid, or wait until the link ends.'
    : null
}

/** Says why a payment cannot be given any money by hand; null when it can. */
export function applyBlockedBy({ status, terms }: Payment): string | null {
  if (!terms) return 'Nothing is asked yet: the payer has not picked a currency. Wait until they have.'
  if (status === 'FILLED' || status === 'OVER_FILLED') return 'It is paid already. Choose an open request, or refund.'
  return null
}

/** Says why a deposit cannot be moved from where it is; null when it is in that state. */
export function unassignBlockedBy(
  { status }: Pick<Deposit, 'status'>,
  wanted: 'unapplied' | 'quarantined' | 'applied',
): string | null {
  if (status === wanted) return null
  if (status === 'seen' || status === 'confirmed') return 'This money is not final yet. Wait for its confirmations.'
  if (status === 'reverted') return 'The network took this money back. Wait until it returns.'
  if (status === 'ignored')
    return 'This money is below the minimum or moved between own addresses: it counts for nobody.'
  return WHERE[status]
}

const WHERE = {
  applied: 'This money counts for a payment. Take it away from there first.',
  unapplied: 'This money is kept for the customer. Apply it to a payment.',
  quarantined: 'This money is held. Release it first.',
} as const

export type AppliedAs = {
  readonly reason: 'assigned' | 'price_lapsed'
  readonly late: boolean
  /** It counts for what it was worth when it came. */
  readonly needsWorth: boolean
}

/**
 * How a deposit counts for a payment that a person gives it to: as it is, or for what it was worth when it came, which is so
 * for another currency, and for volatile money that came when the price was not held (P-5).
 */
export function appliedAs(
  { blockTime }: Pick<Deposit, 'blockTime'>,
  asset: Pick<AssetFacts, 'currencyCode' | 'isStable'>,
  payment: Pick<Payment, 'terms' | 'expiresAt' | 'rateLockedUntil'>,
): AppliedAs {
  const isOther = asset.currencyCode !== payment.terms?.asset.currencyCode
  const late = !isOnTime(payment, blockTime)
  const isLapsed = !asset.isStable && (late || !isRateLocked(payment, blockTime))
  return { reason: isLapsed ? 'price_lapsed' : 'assigned', late, needsWorth: isOther || isLapsed }
}
