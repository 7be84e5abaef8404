import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'

import { assetAmount, fullAmount, usd } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { depositReason } from '../../../labels/deposit-labels.ts'
import type { Offer } from './offers.ts'

export type OfferTexts = {
  /** What the button does; also the label of the menu item and of the dialog. */
  readonly label: string
  /** The situation, in one line. */
  readonly situation: string
  /** The reason for the situation. */
  readonly reason: string
  /** What the action causes, one sentence each. */
  readonly consequences: readonly string[]
  readonly done: string
}

/** Returns the texts of an offer. */
export function offerTexts(payment: PaymentDetail, { action, deposit }: Offer): OfferTexts {
  if (action === 'mark_resolved') return markResolvedTexts()
  if (action === 'accept_underpaid' || deposit === null) return acceptTexts(payment)
  if (action === 'apply_unapplied') return applyTexts(payment, deposit)
  return action === 'unassign' ? unassignTexts(deposit) : releaseTexts(payment, deposit)
}

function acceptTexts(payment: PaymentDetail): OfferTexts {
  const { amountDue, currencySymbol, amountDueInUSD, filledAmount, amount } = payment
  const code = currencySymbol ?? ''
  const missing = assetAmount(amountDue ?? '0', code)
  const value = usd(amountDueInUSD)
  const came = fullAmount(filledAmount ?? '0', code)
  const asked = fullAmount(amount ?? '0', code)
  return {
    label: t`Accept as paid`,
    situation: t`${missing} (${value}) is missing`,
    reason:
      payment.expiresAt > new Date()
        ? t`Many exchanges take their fee out of the amount. Wait for the customer to send the rest, or accept what came as full payment.`
        : t`Many exchanges take their fee out of the amount. The link has ended: accept what came as full payment, or refund it.`,
    consequences: [
      t`${came} of ${asked} came. The rest is waived.`,
      t`The payment counts as paid and your webhooks say so.`,
    ],
    done: t`Accepted as paid.`,
  }
}

function markResolvedTexts(): OfferTexts {
  return {
    label: t`Mark as resolved`,
    situation: '',
    reason: '',
    consequences: [
      t`Nothing more is to be done. No money moves, and your shop is not notified.`,
      t`It needs attention again when money comes or is taken back, or a webhook fails.`,
    ],
    done: t`Marked as resolved.`,
  }
}

function applyTexts({ currencySymbol }: PaymentDetail, deposit: Deposit): OfferTexts {
  const isOther = deposit.currencyCode !== currencySymbol
  const { amount, network } = sumOf(deposit)
  return {
    label: isOther ? t`Accept as payment` : t`Apply to this payment`,
    situation: t`${amount} on ${network} is unmatched, for this customer`,
    reason: whyOf(deposit),
    consequences: [
      appliedText(deposit, isOther),
      t`Your webhooks report the new state of the payment. You can unassign the deposit again.`,
    ],
    done: isOther ? t`Accepted as payment.` : t`The deposit counts for this payment.`,
  }
}

function releaseTexts({ currencySymbol }: PaymentDetail, deposit: Deposit): OfferTexts {
  const isOther = deposit.currencyCode !== currencySymbol
  const { amount, network } = sumOf(deposit)
  return {
    label: t`Release from hold`,
    situation: t`${amount} on ${network} is on hold`,
    reason: whyOf(deposit),
    consequences: [
      t`Look the transaction up in another explorer first: it was held because something about it did not fit.`,
      releasedText(deposit, isOther),
    ],
    done: t`The deposit counts for this payment.`,
  }
}

function unassignTexts(deposit: Deposit): OfferTexts {
  const { amount, exact, network } = sumOf(deposit)
  return {
    label: t`Unassign`,
    situation: t`${amount} on ${network} counts for this payment`,
    reason: '',
    consequences: [
      t`${exact} on ${network} no longer counts for this payment. It stays unmatched, for this customer.`,
      t`The payment counts only what is left, and your webhooks report its new state: it may open again.`,
    ],
    done: t`The deposit is unmatched now, for this customer.`,
  }
}

/** What applying an unmatched deposit causes; one in another currency than requested counts at its value when it was received. */
function appliedText(deposit: Deposit, isOther: boolean): string {
  const { exact, network, value } = sumOf(deposit)
  if (!isOther) return t`${exact} on ${network} counts for this payment.`
  if (value === null) return t`${exact} on ${network} counts for this payment, at its value when received.`
  return t`${exact} on ${network} counts for this payment, at its value when received, ${value}.`
}

/** The same for a deposit on hold, whose webhooks were held back. */
function releasedText(deposit: Deposit, isOther: boolean): string {
  const { exact, network, value } = sumOf(deposit)
  if (!isOther) return t`${exact} on ${network} counts for this payment, and webhooks that waited for it go out.`
  if (value === null) {
    return t`${exact} on ${network} counts for this payment, at its value when received, and webhooks that waited for it go out.`
  }
  return t`${exact} on ${network} counts for this payment, at its value when received, ${value}, and webhooks that waited for it go out.`
}

/** A deposit, as the sentences name it. */
function sumOf({ amount, currencyCode, blockchainCode, amountInUSD }: Deposit) {
  return {
    amount: assetAmount(amount, currencyCode),
    exact: fullAmount(amount, currencyCode),
    network: networkName(blockchainCode),
    value: amountInUSD === null ? null : usd(amountInUSD),
  }
}

function whyOf({ reason }: Deposit): string {
  return reason === null ? '' : depositReason(reason)
}
