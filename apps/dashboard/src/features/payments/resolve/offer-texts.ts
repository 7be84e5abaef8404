import { t } from '@lingui/core/macro'
import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'

import { assetAmount, fullAmount, usd } from '../../../lib/format.ts'
import { networkName } from '../../../lib/network-name.ts'
import { depositReason } from '../payment-states.ts'
import type { Offer } from './offers.ts'

export type OfferTexts = {
  /** What the press does; also the menu's and the dialog's words. */
  readonly label: string
  /** The situation, in one line. */
  readonly situation: string
  /** Why it is so. */
  readonly reason: string
  /** What follows from the press, one sentence each. */
  readonly consequences: readonly string[]
  readonly done: string
}

/** Returns the words of an offer. */
export function offerTexts(payment: PaymentDetail, { action, deposit }: Offer): OfferTexts {
  if (action === 'accept_underpaid' || deposit === null) return acceptTexts(payment)
  if (action === 'apply_unapplied') return applyTexts(payment, deposit)
  return action === 'unassign' ? takeAwayTexts(deposit) : releaseTexts(payment, deposit)
}

function acceptTexts({ amountDue, currencySymbol, amountDueInUSD, filledAmount, amount }: PaymentDetail): OfferTexts {
  const code = currencySymbol ?? ''
  const missing = assetAmount(amountDue ?? '0', code)
  return {
    label: t`Accept as paid`,
    situation: t`${missing} (${usd(amountDueInUSD)}) is missing`,
    reason: t`Many exchanges take their fee out of the amount. Wait for the customer to send the rest, or take what came as enough.`,
    consequences: [
      t`${fullAmount(filledAmount ?? '0', code)} of ${fullAmount(amount ?? '0', code)} came. The rest is forgiven.`,
      t`The payment counts as paid and your webhooks say so.`,
    ],
    done: t`Accepted as paid.`,
  }
}

function applyTexts({ currencySymbol }: PaymentDetail, deposit: Deposit): OfferTexts {
  const isOther = deposit.currencyCode !== currencySymbol
  return {
    label: isOther ? t`Accept as payment` : t`Apply kept money`,
    situation: t`${sum(deposit)} is kept for this customer`,
    reason: whyOf(deposit),
    consequences: [
      t`${whole(deposit)} counts for this payment${isOther ? `, ${worthText(deposit)}` : ''}.`,
      t`Your webhooks say how the payment stands then. You can take the money away again.`,
    ],
    done: isOther ? t`Accepted as payment.` : t`The kept money counts for this payment.`,
  }
}

function releaseTexts({ currencySymbol }: PaymentDetail, deposit: Deposit): OfferTexts {
  const isOther = deposit.currencyCode !== currencySymbol
  return {
    label: t`Release held money`,
    situation: t`${sum(deposit)} is on hold`,
    reason: whyOf(deposit),
    consequences: [
      t`Look the transaction up in another explorer first: it was held because something about it did not fit.`,
      t`${whole(deposit)} counts for this payment${isOther ? `, ${worthText(deposit)}` : ''}, and webhooks that waited for it go out.`,
    ],
    done: t`The held money counts for this payment.`,
  }
}

function takeAwayTexts(deposit: Deposit): OfferTexts {
  return {
    label: t`Take away`,
    situation: t`${sum(deposit)} counts for this payment`,
    reason: '',
    consequences: [
      t`${whole(deposit)} no longer counts for this payment. It is kept for the customer.`,
      t`The payment is what is left of it then, and your webhooks say so: it may open again.`,
    ],
    done: t`The money is kept for the customer now.`,
  }
}

function sum({ amount, currencyCode, blockchainCode }: Deposit): string {
  return t`${assetAmount(amount, currencyCode)} on ${networkName(blockchainCode)}`
}

function whole({ amount, currencyCode, blockchainCode }: Deposit): string {
  return t`${fullAmount(amount, currencyCode)} on ${networkName(blockchainCode)}`
}

function worthText({ amountInUSD }: Deposit): string {
  return amountInUSD === null ? 'at its worth when it came' : t`at its worth when it came, ${usd(amountInUSD)}`
}

function whyOf({ reason }: Deposit): string {
  return reason === null ? '' : depositReason(reason)
}
