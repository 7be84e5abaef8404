/** What an operator may do with a payment, as the server offers it (api.md Y21, Y22), with texts for what is blocked. */
import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { ActionBlock } from '@kassa/contract/payments/action-blocks.ts'
import type { ResolutionAction } from '@kassa/contract/payments/offers.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

export type Offer = {
  readonly action: ResolutionAction
  /** The deposit it is about; null when it is about the payment alone. */
  readonly deposit: Deposit | null
  /** Why it cannot be done now, and what to do instead. */
  readonly offReason: string | undefined
}

const BLOCKS: Readonly<Record<ActionBlock, MessageDescriptor>> = {
  already_paid: msg`It is paid already.`,
  not_final: msg`Its money is not final yet. Wait for the confirmations.`,
  nothing_counts: msg`No money counts for it.`,
  on_hold: msg`Some of its money is on hold. Decide about it first.`,
  needs_no_attention: msg`Nothing about it needs attention.`,
  still_payable: msg`The customer can still send the rest. Accept what came, or wait until the link ends.`,
  not_pinned: msg`The customer has not picked a currency yet. Wait until they have.`,
  paid_takes_no_more: msg`It is paid already. Choose an open payment of this customer.`,
  deposit_not_final: msg`This deposit is not final yet. Wait for its confirmations.`,
  deposit_reverted: msg`The network dropped this deposit. Wait until it returns.`,
  deposit_ignored: msg`This deposit is below the minimum or came from an address of our own: it counts for no payment.`,
  deposit_applied: msg`This deposit counts for a payment. Unassign it there first.`,
  deposit_unapplied: msg`This deposit is unmatched. Apply it to a payment.`,
  deposit_quarantined: msg`This deposit is on hold. Release it first.`,
  other_payment: msg`This deposit counts for another payment.`,
  other_customer: msg`This deposit belongs to another customer. Choose one of their payments.`,
  no_price_known: msg`No trustworthy price is known for the time this deposit arrived. Send it back from your own wallet.`,
  several_deposits: msg`There are several such deposits. Choose one.`,
  no_unmatched_deposit: msg`This customer has no unmatched deposit.`,
  no_quarantined_deposit: msg`No deposit of this customer is on hold.`,
  no_applied_deposit: msg`No deposit counts for this payment.`,
  has_funds: msg`Money has already been seen.`,
  rate_not_held: msg`Money was paid at a rate that cannot be locked for longer. Accept what was paid, refund it, or create a new link for the rest.`,
  has_ended: msg`It has ended already.`,
}

/** An unknown code of a newer server is shown unchanged. */
function blockText({ code, text }: NonNullable<PaymentDetail['offers'][number]['blockedBy']>): string {
  return Object.hasOwn(BLOCKS, code) ? t(BLOCKS[code]) : text
}

/** Returns every offer to resolve something about a payment, in the order of the server. */
export function offersOf(payment: PaymentDetail): Offer[] {
  const { transfers, unmatchedDeposits, offers } = payment
  const deposits = new Map([...transfers, ...unmatchedDeposits].map((deposit) => [deposit.id, deposit]))
  return offers.flatMap(({ action, depositID, blockedBy }) => {
    if (action === 'cancel' || action === 'extend') return []
    const deposit = depositID === null ? null : deposits.get(depositID)
    const offReason = blockedBy === null ? undefined : blockText(blockedBy)
    return deposit === undefined ? [] : [{ action, deposit, offReason }]
  })
}

/** Returns why the link of a payment cannot be cancelled; undefined when it can. */
export function cancelOffReason(payment: PaymentDetail): string | undefined {
  return linkOffReason(payment, 'cancel')
}

/** Returns why the link of a payment cannot be extended; undefined when it can. */
export function extendOffReason(payment: PaymentDetail): string | undefined {
  return linkOffReason(payment, 'extend')
}

function linkOffReason({ offers }: PaymentDetail, wanted: 'cancel' | 'extend'): string | undefined {
  const blockedBy = offers.find(({ action }) => action === wanted)?.blockedBy ?? null
  return blockedBy === null ? undefined : blockText(blockedBy)
}

/** Returns the offer to mark a payment as resolved. */
export function markResolvedOffer(payment: PaymentDetail): Offer | undefined {
  return offersOf(payment).find(({ action }) => action === 'mark_resolved')
}

/** Returns what may be done with a deposit of the payment's customer; undefined when there is nothing. */
export function depositOffer(payment: PaymentDetail, { id }: Deposit): Offer | undefined {
  return offersOf(payment).find(({ deposit }) => deposit?.id === id)
}

/** Returns why an earlier offer is no longer possible for the payment; undefined while it is. */
export function whyOvertaken(payment: PaymentDetail, { action, deposit }: Offer): string | undefined {
  const now = offersOf(payment).find((offer) => offer.action === action && offer.deposit?.id === deposit?.id)
  return now === undefined ? t`This deposit has been decided about already.` : now.offReason
}

/** Returns unmatched deposits of the customer that are not among the payment's transfers. */
export function unmatchedElsewhere({ unmatchedDeposits, transfers }: PaymentDetail): Deposit[] {
  const shown = new Set(transfers.map(({ id }) => id))
  return unmatchedDeposits.filter(({ id }) => !shown.has(id))
}

/** Returns the offers that wait for an operator: what is short, on hold, or unmatched and could count for this payment. */
export function openOffers(payment: PaymentDetail): Offer[] {
  // A resolved payment needs a decision only about deposits on hold; the menu has the other offers.
  const isAsked = ({ action }: Offer) => payment.resolved === null || action === 'release_quarantine'
  return offersOf(payment).filter((offer) => isAsked(offer) && isOpen(payment, offer))
}

function isOpen(payment: PaymentDetail, { action, deposit, offReason }: Offer): boolean {
  // A payment that is short because a block was dropped usually recovers.
  if (action === 'accept_underpaid') return offReason === undefined && payment.fundingState !== 'reverted'
  if (deposit === null || action === 'unassign') return false
  // A deposit besides a paid payment is not an issue of this payment; it remains an issue of its own until an operator decides.
  return offReason === undefined || deposit.referenceID === payment.referenceID
}

/** Returns why the customer of a payment cannot be reminded; undefined when they can. */
export function remindOffReason(payment: PaymentDetail): string | undefined {
  const { paymentState, fundingState, transfers, customer, timeline } = payment
  if (paymentState !== 'OPEN') return t(BLOCKS.has_ended)
  if (fundingState === 'detected' || transfers.length > 0) return t(BLOCKS.has_funds)
  if (customer.email === '') return t`No e-mail of the customer is known.`
  const isReminded = timeline.some(({ event }) => event === 'payment.reminded')
  return isReminded ? t`The customer was reminded already.` : undefined
}
