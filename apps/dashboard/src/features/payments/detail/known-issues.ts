/** What about a payment needs a person's eye though Kassa can't correct it: each says why, and what can be done. */
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'

import { usd } from '../../../lib/text/format.ts'
import type { Tone } from '../../../ui/feedback/tones.ts'
import { overpaidUsd } from '../../../labels/payment-labels.ts'

export type KnownIssue = {
  readonly name: 'overpaid' | 'late' | 'reopened'
  readonly tone: Tone
  readonly title: string
  readonly text: string
  /** It is settled with the customer, outside of Kassa. */
  readonly isBetweenPeople: boolean
  /** A refund may settle it. */
  readonly canRefund?: boolean
}

/** Returns them in the order of their weight; `hasOffers` says that presses for the payment's money stand above. */
export function knownIssues(payment: PaymentDetail, hasOffers: boolean): KnownIssue[] {
  if (payment.resolved !== null) return []
  return [reopened(payment), overpaid(payment), late(payment, hasOffers)].filter((issue) => issue !== undefined)
}

function reopened({ fundingState }: PaymentDetail): KnownIssue | undefined {
  if (fundingState !== 'reverted') return undefined
  return {
    name: 'reopened',
    tone: 'danger',
    title: t`The network took money back`,
    text: t`It usually returns by itself. Don’t deliver before this payment is paid again.`,
    isBetweenPeople: false,
  }
}

function overpaid({ paymentState: state, fundingState, ...payment }: PaymentDetail): KnownIssue | undefined {
  const surplus = overpaidUsd({ ...payment, state, fundingState, isOnHold: false })
  if (state !== 'OVER_FILLED') return undefined
  const over = usd(surplus ?? '0')
  return {
    name: 'overpaid',
    tone: 'warning',
    title: surplus === null ? t`More came than was asked` : t`${over} more came than was asked`,
    text: t`All of it is credited. Refund the difference, or agree on it with the customer; then mark the payment as resolved.`,
    isBetweenPeople: true,
    canRefund: payment.refundable.length > 0,
  }
}

function late(payment: PaymentDetail, hasOffers: boolean): KnownIssue | undefined {
  const { late: isLate, paymentState, fundingState, refundable } = payment
  if (!isLate) return undefined
  const issue = { name: 'late', tone: 'warning', title: t`Money came after the link had ended` } as const
  if (paymentState === 'FILLED' || paymentState === 'OVER_FILLED') {
    const text = t`It counts all the same. If you can’t deliver any more, refund it. Then mark the payment as resolved.`
    return { ...issue, text, isBetweenPeople: true, canRefund: refundable.length > 0 }
  }
  if (fundingState === 'detected' || fundingState === 'confirming') {
    return { ...issue, text: t`It is not final yet. Wait for the confirmations.`, isBetweenPeople: false }
  }
  if (hasOffers) return undefined
  return {
    ...issue,
    text: t`It doesn’t count for this payment. Its Deposits tab says where it is.`,
    isBetweenPeople: true,
  }
}
