/** What an operator may decide about a payment; the sentence of a refusal says what to do instead (api.md Y22, Y26). */
import type { Deposit } from '../../deposits/service.ts'
import { isOnTime, isRateLocked } from '../funding/deposit-rules.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'

/** Why an underpayment cannot be accepted as paid; null when it can. */
export function acceptBlockedBy({ status, seenUnits }: Payment): string | null {
  if (status === 'PARTIALLY_FILLED') return null
  if (status === 'FILLED' || status === 'OVER_FILLED') return 'It is paid already.'
  if (seenUnits > 0n) return 'Its money is not final yet. Wait for the confirmations.'
  return 'No money counts for it. Apply unmatched funds to it first, or create a new payment.'
}

/** Why a payment cannot be marked as resolved, because something else is to be done first; null when it can. */
export function resolveBlockedBy(
  { status, cancelReason, fundingState }: Pick<Payment, 'status' | 'cancelReason' | 'fundingState'>,
  { isNeeded, isOnHold }: { isNeeded: boolean; isOnHold: boolean },
): string | null {
  if (isOnHold) return 'Some of its money is on hold. Release it to this payment or to the customer first.'
  if (!isNeeded) return 'Nothing about it needs attention.'
  if (fundingState === 'detected' || fundingState === 'confirming')
    return 'Its money is not final yet. Wait for the confirmations.'
  // A reverted payment may be resolved at any time: nobody knows whether its transfer returns.
  const isPayable = status === 'PARTIALLY_FILLED' && cancelReason === null && fundingState !== 'reverted'
  return isPayable
    ? 'The customer can still send the rest. Accept what came as paid, or wait until the link ends.'
    : null
}

/** Why no deposit can be applied to a payment by hand; null when one can. */
export function applyBlockedBy({ status, quote }: Payment): string | null {
  if (!quote) return 'The payer has not picked a currency yet. Wait until they have.'
  if (status === 'FILLED' || status === 'OVER_FILLED') return 'It is paid already. Choose an open request, or refund.'
  return null
}

/** Why a deposit cannot be moved out of this state; null when it is in it. */
export function unassignBlockedBy(
  { status }: Pick<Deposit, 'status'>,
  wanted: 'unapplied' | 'quarantined' | 'applied',
): string | null {
  if (status === wanted) return null
  if (status === 'seen') return 'This money is not final yet. Wait for its confirmations.'
  if (status === 'reverted') return 'A reorganisation reverted this deposit. Wait until it returns.'
  if (status === 'ignored')
    return 'This money is below the minimum or moved between own addresses: it counts for no payment.'
  return WHERE[status]
}

const WHERE = {
  applied: 'This money counts for a payment. Unassign it there first.',
  unapplied: 'This money is unmatched. Apply it to a payment.',
  quarantined: 'This money is on hold. Release it first.',
} as const

export type AppliedAs = {
  readonly reason: 'assigned' | 'price_lapsed'
  readonly late: boolean
  /** It counts at its value when received. */
  readonly needsValue: boolean
}

/**
 * How a deposit counts for a payment that an operator applies it to: as it is, or at its value when received. The value is
 * used for another currency, and for a volatile asset that arrived while the rate was not locked (P-5).
 */
export function appliedAs(
  { blockTime }: Pick<Deposit, 'blockTime'>,
  asset: Pick<AssetFacts, 'currencyCode' | 'isStable'>,
  payment: Pick<Payment, 'quote' | 'expiresAt' | 'rateLockedUntil'>,
): AppliedAs {
  const isOther = asset.currencyCode !== payment.quote?.asset.currencyCode
  const late = !isOnTime(payment, blockTime)
  const isLapsed = !asset.isStable && (late || !isRateLocked(payment, blockTime))
  return { reason: isLapsed ? 'price_lapsed' : 'assigned', late, needsValue: isOther || isLapsed }
}
