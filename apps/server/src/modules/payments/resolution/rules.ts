/** What an operator may decide about a payment: the offers of a payment and the handlers both ask here (api.md Y21, Y22, Y26, Y34). */
import type { ActionBlock } from '@kassa/contract/payments/action-blocks.ts'

import type { Deposit } from '../../deposits/service.ts'
import { isOnTime, isRateLocked } from '../funding/deposit-rules.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'

/** Why an underpayment cannot be accepted as paid; null when it can. */
export function acceptBlockedBy({ status, seenUnits }: Pick<Payment, 'status' | 'seenUnits'>): ActionBlock | null {
  if (status === 'PARTIALLY_FILLED') return null
  if (status === 'FILLED' || status === 'OVER_FILLED') return 'already_paid'
  return seenUnits > 0n ? 'not_final' : 'nothing_counts'
}

/** Why a payment cannot be marked as resolved, because something else is to be done first; null when it can. */
export function resolveBlockedBy(
  { status, cancelReason, fundingState }: Pick<Payment, 'status' | 'cancelReason' | 'fundingState'>,
  { isNeeded, isOnHold }: { isNeeded: boolean; isOnHold: boolean },
): ActionBlock | null {
  if (isOnHold) return 'on_hold'
  if (!isNeeded) return 'needs_no_attention'
  if (fundingState === 'detected' || fundingState === 'confirming') return 'not_final'
  // A reverted payment may be resolved at any time: it is unknown whether its transfer returns.
  const isPayable = status === 'PARTIALLY_FILLED' && cancelReason === null && fundingState !== 'reverted'
  return isPayable ? 'still_payable' : null
}

/** Why a link cannot be cancelled; null when it can. */
export function cancelBlockedBy({ status, seenUnits }: Pick<Payment, 'status' | 'seenUnits'>): ActionBlock | null {
  if (status === 'CANCELLED') return 'has_ended'
  if (status === 'FILLED' || status === 'OVER_FILLED') return 'already_paid'
  return status === 'OPEN' && seenUnits === 0n ? null : 'has_funds'
}

/**
 * Why the end of a link cannot be moved to a later time; null when it can. Money of a volatile asset came at a rate that ends
 * an hour later (P-4): more time would only ask for the rest at another one.
 */
export function extendBlockedBy(
  payment: Pick<Payment, 'status' | 'cancelReason' | 'fundingState' | 'seenUnits' | 'expiresAt' | 'quote'>,
  now: Date,
): ActionBlock | null {
  const { status, cancelReason, fundingState, seenUnits, expiresAt, quote } = payment
  if (status === 'FILLED' || status === 'OVER_FILLED') return 'already_paid'
  if (status === 'CANCELLED' || cancelReason !== null || now >= expiresAt) return 'has_ended'
  const isSeen = seenUnits > 0n || fundingState === 'detected'
  return isSeen && quote?.asset.isStable !== true ? 'rate_not_held' : null
}

/** Why no deposit can be applied to a payment by hand; null when one can. */
export function applyBlockedBy({ status, quote }: Pick<Payment, 'status' | 'quote'>): ActionBlock | null {
  if (!quote) return 'not_pinned'
  return status === 'FILLED' || status === 'OVER_FILLED' ? 'paid_takes_no_more' : null
}

/** Why a deposit cannot be moved out of this state; null when it is in it. */
export function depositBlockedBy(
  { status }: Pick<Deposit, 'status'>,
  wanted: 'unapplied' | 'quarantined' | 'applied',
): ActionBlock | null {
  return status === wanted ? null : BLOCKED_IN[status]
}

const BLOCKED_IN: Readonly<Record<Deposit['status'], ActionBlock>> = {
  seen: 'deposit_not_final',
  reverted: 'deposit_reverted',
  ignored: 'deposit_ignored',
  applied: 'deposit_applied',
  unapplied: 'deposit_unapplied',
  quarantined: 'deposit_quarantined',
}

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
