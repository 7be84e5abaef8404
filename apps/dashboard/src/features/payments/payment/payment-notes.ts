import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { msg, plural, t } from '@lingui/core/macro'

import { assetAmount } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'

const ENDED_FIRST = msg`It ended before its money came.`

/**
 * Returns what a payment waits for, or why it stands where it does: one sentence each. That money came late stands among
 * an issue until an operator resolves it; only then is it a note.
 */
export function paymentNotes(payment: PaymentDetail): string[] {
  const { fundingState, late, resolved } = payment
  const state = stateNote(payment)
  const isNotified = resolved === null || state === t(ENDED_FIRST)
  return [
    state,
    late && !isNotified ? t`Money arrived after this payment had ended.` : undefined,
    fundingState === 'reverted' ? t`The block holding this deposit was dropped. Waiting for it to return.` : undefined,
  ].filter((note) => note !== undefined)
}

function stateNote(payment: PaymentDetail): string | undefined {
  const { paymentState, cancelReason, fundingState } = payment
  if (fundingState === 'detected' || fundingState === 'confirming') return seenOn(payment)
  if (paymentState === 'OPEN') return waitsFor(payment)
  // What is short otherwise needs a person: it says so itself, with what can be done about it.
  if (paymentState === 'PARTIALLY_FILLED') return fundingState === 'reverted' ? missing(payment) : undefined
  if (paymentState !== 'CANCELLED') return undefined
  if (cancelReason === 'superseded') return t`This customer got a newer link.`
  if (payment.late) return payment.resolved === null ? undefined : t(ENDED_FIRST)
  return cancelReason === 'expired' ? t`Nobody paid before it ended.` : t`Cancelled before any money was seen.`
}

function seenOn({ blockchainSymbol, confirmationRequired }: PaymentDetail): string {
  if (blockchainSymbol === null) {
    return t`Seen on the network; it counts after ${plural(confirmationRequired, { one: '# confirmation', other: '# confirmations' })}.`
  }
  const network = networkName(blockchainSymbol)
  return t`Seen on ${network}; it counts after ${plural(confirmationRequired, { one: '# confirmation', other: '# confirmations' })}.`
}

function missing(payment: PaymentDetail): string {
  const amount = due(payment)
  return t`${amount} missing.`
}

function waitsFor(payment: PaymentDetail): string {
  const { currencySymbol, blockchainSymbol } = payment
  if (currencySymbol === null || blockchainSymbol === null) return t`Waiting for the customer to choose how to pay.`
  const amount = due(payment)
  const network = networkName(blockchainSymbol)
  return t`Waiting for ${amount} on ${network}.`
}

function due({ amountDue, currencySymbol }: PaymentDetail): string {
  return assetAmount(amountDue ?? '0', currencySymbol ?? '')
}
