/** What a person may decide about a payment, and why not: the server decides again, with the same sentences (api.md Y22). */
import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { ResolutionAction } from '@kassa/contract/payments/resolution.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'

export type Offer = {
  readonly action: ResolutionAction
  /** The money it is about; null when it is about the payment alone. */
  readonly deposit: Deposit | null
  /** Why it cannot be done now, and what to do instead. */
  readonly offReason: string | undefined
}

/** Returns the offer to forgive what is missing. */
export function acceptOffer({ paymentState, fundingState }: PaymentDetail): Offer {
  const offReason =
    paymentState === 'PARTIALLY_FILLED'
      ? undefined
      : isPaid(paymentState)
        ? t`It is paid already.`
        : fundingState === 'detected' || fundingState === 'confirming'
          ? t`Its money is not final yet. Wait for the confirmations.`
          : t`No money counts for it.`
  return { action: 'accept_underpaid', deposit: null, offReason }
}

/** Returns the offer to say that nothing more is to be done about a payment. */
export function markResolvedOffer(payment: PaymentDetail): Offer {
  return { action: 'mark_resolved', deposit: null, offReason: resolveBlockedBy(payment) }
}

function resolveBlockedBy(payment: PaymentDetail): string | undefined {
  const { paymentState, fundingState, expiresAt, needsAttention, transfers } = payment
  if (transfers.some(({ status }) => status === 'quarantined'))
    return t`Some of its money is on hold. Decide about it first.`
  if (!needsAttention) return t`Nothing about it needs attention.`
  if (fundingState === 'detected' || fundingState === 'confirming') {
    return t`Its money is not final yet. Wait for the confirmations.`
  }
  const isPayable = paymentState === 'PARTIALLY_FILLED' && fundingState !== 'reverted' && expiresAt > new Date()
  return isPayable ? t`The customer can still send the rest. Accept what came, or wait until the link ends.` : undefined
}

/** Returns what may be done with a deposit of the payment's customer; undefined when there is nothing. */
export function depositOffer(payment: PaymentDetail, deposit: Deposit): Offer | undefined {
  const { status, referenceID } = deposit
  const isItsOwn = referenceID === payment.referenceID
  if (status === 'applied' && isItsOwn) return { action: 'unassign', deposit, offReason: undefined }
  if (status === 'unapplied') return { action: 'apply_unapplied', deposit, offReason: applyBlockedBy(payment) }
  if (status !== 'quarantined') return undefined
  const offReason = isItsOwn && payment.currencySymbol !== null ? undefined : applyBlockedBy(payment)
  return { action: 'release_quarantine', deposit, offReason }
}

/** Returns why an offer made before cannot be taken any more as the payment is now; undefined while it can. */
export function whyOvertaken(payment: PaymentDetail, { action, deposit }: Offer): string | undefined {
  if (action === 'mark_resolved') return resolveBlockedBy(payment)
  if (action === 'accept_underpaid' || deposit === null) return acceptOffer(payment).offReason
  const money = [...payment.transfers, ...payment.unmatchedDeposits].find(({ id }) => id === deposit.id)
  const now = money && depositOffer(payment, money)
  return now?.action === action ? now.offReason : t`This money has been decided about already.`
}

/** Returns money of the customer that lies beside the payment and is not among its transfers. */
export function unmatchedElsewhere({ unmatchedDeposits, transfers }: PaymentDetail): Deposit[] {
  const shown = new Set(transfers.map(({ id }) => id))
  return unmatchedDeposits.filter(({ id }) => !shown.has(id))
}

/** Returns the offers that wait for a person: what is short, held, or kept and could count for this payment. */
export function openOffers(payment: PaymentDetail): Offer[] {
  // Once it is settled only held money asks for somebody; the menu has the rest.
  const offers = allOffers(payment)
  return payment.resolved === null ? offers : offers.filter(({ action }) => action === 'release_quarantine')
}

function allOffers(payment: PaymentDetail): Offer[] {
  const accept = acceptOffer(payment)
  const ofMoney = [...payment.transfers, ...unmatchedElsewhere(payment)]
    .map((deposit) => depositOffer(payment, deposit))
    .filter((offer) => offer !== undefined && offer.action !== 'unassign')
    .filter((offer) => offer !== undefined)
  const isItsOwn = ({ deposit }: Offer) => deposit?.referenceID === payment.referenceID
  // Money beside a paid payment is no matter of this payment; its own stays one until somebody decides.
  const ofThis = ofMoney.filter((offer) => offer.offReason === undefined || isItsOwn(offer))
  // What is short because a block was dropped usually comes back by itself.
  const isShort = accept.offReason === undefined && payment.fundingState !== 'reverted'
  return isShort ? [accept, ...ofThis] : ofThis
}

function applyBlockedBy({ paymentState, currencySymbol }: PaymentDetail): string | undefined {
  if (currencySymbol === null) return t`The customer has not picked a currency yet. Wait until they have.`
  return isPaid(paymentState) ? t`It is paid already. Choose an open payment of this customer.` : undefined
}

function isPaid(state: PaymentDetail['paymentState']): boolean {
  return state === 'FILLED' || state === 'OVER_FILLED'
}
