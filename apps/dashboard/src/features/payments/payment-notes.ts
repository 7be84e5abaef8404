import { msg, t } from '@lingui/core/macro'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'

import { assetAmount } from '../../lib/format.ts'
import { networkName } from '../../lib/network-name.ts'

const ENDED_FIRST = msg`It ended before its money came.`

/** Returns what a payment waits for, or why it stands where it does: one sentence each. */
export function paymentNotes(payment: PaymentDetail): string[] {
  const { fundingState, late } = payment
  const state = stateNote(payment)
  return [
    state,
    late && state !== ENDED_FIRST ? t`Money arrived after this payment had ended.` : undefined,
    fundingState === 'reverted' ? t`The block holding this deposit was dropped. Waiting for it to return.` : undefined,
  ].filter((note) => note !== undefined)
}

function stateNote(payment: PaymentDetail): string | undefined {
  const { paymentState, cancelReason, fundingState, confirmationRequired, blockchainSymbol } = payment
  if (fundingState === 'detected' || fundingState === 'confirming') {
    return t`Seen on ${blockchainSymbol === null ? 'the network' : networkName(blockchainSymbol)}; it counts after ${confirmationRequired} confirmations.`
  }
  if (paymentState === 'OPEN') return waitsFor(payment)
  // What is short otherwise needs a person: it says so itself, with what can be done about it.
  if (paymentState === 'PARTIALLY_FILLED') return fundingState === 'reverted' ? t`${due(payment)} missing.` : undefined
  if (paymentState !== 'CANCELLED') return undefined
  if (cancelReason === 'superseded') return t`This customer got a newer link.`
  if (payment.late) return ENDED_FIRST
  return cancelReason === 'expired' ? t`Nobody paid before it ended.` : t`Cancelled before any money was seen.`
}

function waitsFor(payment: PaymentDetail): string {
  const { currencySymbol, blockchainSymbol } = payment
  if (currencySymbol === null || blockchainSymbol === null) return t`Waiting for the customer to choose how to pay.`
  return t`Waiting for ${due(payment)} on ${networkName(blockchainSymbol)}.`
}

function due({ amountDue, currencySymbol }: PaymentDetail): string {
  return assetAmount(amountDue ?? '0', currencySymbol ?? '')
}

/** Returns why an open link cannot be cancelled; `undefined` when it can. */
export function cannotCancel({ paymentState, fundingState, transfers }: PaymentDetail): string | undefined {
  if (paymentState === 'CANCELLED') return t`It has ended already.`
  const hasMoney = transfers.some(({ status }) => status !== 'reverted') || fundingState === 'detected'
  if (paymentState !== 'OPEN' || hasMoney) return t`Money has already been seen.`
  return undefined
}
