/** What the server offers for a payment of a test, as the rules of the server have it for the payments that tests draw. */
import { ACTION_BLOCKS, type ActionBlock } from '@kassa/contract/payments/action-blocks.ts'
import { withText } from '@kassa/contract/kit/reason.ts'
import type { Offer } from '@kassa/contract/payments/offers.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'

type Payment = Omit<PaymentDetail, 'offers'>

/** Returns the offers of a payment: its own first and last, those of its deposits between them. */
export function offersFor(payment: Payment): Offer[] {
  const { transfers, unmatchedDeposits, referenceID } = payment
  const shown = new Set(transfers.map(({ id }) => id))
  const deposits = [...transfers, ...unmatchedDeposits.filter(({ id }) => !shown.has(id))]
  const ofDeposits = deposits.flatMap((deposit): Offer[] => {
    const { id, status } = deposit
    const isOwn = deposit.referenceID === referenceID
    if (status === 'applied') return isOwn ? [offer('unassign', id, null)] : []
    if (status === 'unapplied') return [offer('apply_unapplied', id, applyBlock(payment))]
    if (status !== 'quarantined') return []
    return [offer('release_quarantine', id, isOwn && payment.currencySymbol !== null ? null : applyBlock(payment))]
  })
  return [
    offer('accept_underpaid', null, acceptBlock(payment)),
    ...ofDeposits,
    offer('mark_resolved', null, resolveBlock(payment)),
    offer('extend', null, extendBlock(payment)),
    offer('cancel', null, cancelBlock(payment)),
  ]
}

function offer(action: Offer['action'], depositID: number | null, block: ActionBlock | null): Offer {
  return { action, depositID, blockedBy: block && withText(ACTION_BLOCKS, { code: block, params: {} }) }
}

function acceptBlock({ paymentState, fundingState }: Payment): ActionBlock | null {
  if (paymentState === 'PARTIALLY_FILLED') return null
  if (isPaid(paymentState)) return 'already_paid'
  return fundingState === 'detected' || fundingState === 'confirming' ? 'not_final' : 'nothing_counts'
}

function applyBlock({ paymentState, currencySymbol }: Payment): ActionBlock | null {
  if (currencySymbol === null) return 'not_pinned'
  return isPaid(paymentState) ? 'paid_takes_no_more' : null
}

function resolveBlock({ paymentState, fundingState, expiresAt, needsAttention, transfers }: Payment) {
  if (transfers.some(({ status }) => status === 'quarantined')) return 'on_hold'
  if (!needsAttention) return 'needs_no_attention'
  if (fundingState === 'detected' || fundingState === 'confirming') return 'not_final'
  const isPayable = paymentState === 'PARTIALLY_FILLED' && fundingState !== 'reverted' && expiresAt > new Date()
  return isPayable ? 'still_payable' : null
}

function extendBlock({ paymentState, expiresAt }: Payment): ActionBlock | null {
  if (isPaid(paymentState)) return 'already_paid'
  return paymentState === 'CANCELLED' || expiresAt <= new Date() ? 'has_ended' : null
}

function cancelBlock({ paymentState, fundingState, transfers }: Payment): ActionBlock | null {
  if (paymentState === 'CANCELLED') return 'has_ended'
  if (isPaid(paymentState)) return 'already_paid'
  const hasMoney = transfers.some(({ status }) => status !== 'reverted') || fundingState === 'detected'
  return paymentState === 'OPEN' && !hasMoney ? null : 'has_funds'
}

function isPaid(state: Payment['paymentState']): boolean {
  return state === 'FILLED' || state === 'OVER_FILLED'
}
