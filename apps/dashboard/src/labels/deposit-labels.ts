/** How states of deposits are drawn, and why one stands where it does. */
import type { DepositState } from '@kassa/contract/deposits/machine.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { badgeOf, confirmingText, readable } from './payment-labels.ts'
import type { Badge, Look } from './payment-labels.ts'

const DEPOSIT: Readonly<Record<DepositState, Look>> = {
  seen: { tone: 'progress', word: msg`Seen` },
  applied: { tone: 'success', word: msg`Credited` },
  unapplied: { tone: 'warning', word: msg`Unmatched` },
  quarantined: { tone: 'danger', word: msg`On hold` },
  reverted: { tone: 'danger', word: msg`Dropped by the network` },
  ignored: { tone: 'neutral', word: msg`Ignored` },
}

/** Returns the badge of a deposit; one that is seen counts its confirmations. */
export function depositBadge(deposit: {
  readonly status: DepositState
  readonly confirmations: number
  readonly confirmationRequired: number
}): Badge {
  const { status, confirmations, confirmationRequired } = deposit
  const badge = badgeOf(DEPOSIT[status], status)
  if (status !== 'seen' || confirmations === 0) return badge
  return { ...badge, word: confirmingText({ current: confirmations, required: confirmationRequired }) }
}

/** Why a deposit stands where it does, for a person who has to decide. */
const REASONS: Readonly<Record<string, MessageDescriptor>> = {
  other_network: msg`Sent on another network than the one chosen.`,
  late: msg`Arrived after the payment had ended.`,
  price_lapsed: msg`Arrived after the price was held, so it counts for what it was worth.`,
  wrong_asset: msg`Not the currency this payment asked for.`,
  no_price: msg`There was no trustworthy price when it arrived.`,
  no_payment: msg`No payment was waiting for it.`,
  below_minimum: msg`Less than the smallest deposit of this currency.`,
  own: msg`Sent from an address of our own.`,
  assigned: msg`A person let it count for this payment.`,
  unassigned: msg`A person took it away from its payment.`,
  AMOUNT_MISMATCH: msg`The token moved less than its transfer says.`,
  ASSET_CHANGED: msg`The token’s contract is no longer the one that was checked.`,
  NODE_DISAGREEMENT: msg`Two sources disagree about this transfer.`,
}

/** Returns the reason of a deposit as a sentence; a reason without one is made readable. */
export function depositReason(reason: string): string {
  const sentence = REASONS[reason]
  return sentence === undefined ? `${readable(reason)}.` : t(sentence)
}
