/** How states of deposits are drawn, and why one stands where it does. */
import type { DepositState } from '@kassa/contract/deposits/machine.ts'
import type { DepositReason } from '@kassa/contract/deposits/reasons.ts'
import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { DepositWait } from '@kassa/contract/deposits/waits.ts'
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

/** Returns the badge of a deposit of which only the state is known. */
export function depositStateBadge(state: string): Badge {
  if (state === 'seen') return { ...badgeOf(DEPOSIT.seen, state), word: confirmingText(undefined) }
  return badgeOf(isDepositState(state) ? DEPOSIT[state] : undefined, state)
}

function isDepositState(state: string): state is DepositState {
  return Object.hasOwn(DEPOSIT, state)
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
const REASONS: Readonly<Record<DepositReason, MessageDescriptor>> = {
  other_network: msg`Sent on another network than the one chosen.`,
  late: msg`Arrived after the payment had ended.`,
  price_lapsed: msg`Arrived after the rate lock had ended, so it counts at its value when received.`,
  wrong_asset: msg`Not the currency this payment asked for.`,
  no_price: msg`There was no trustworthy price when it arrived.`,
  no_payment: msg`No payment was waiting for it.`,
  below_minimum: msg`Less than the smallest deposit of this currency.`,
  own: msg`Sent from an address of our own.`,
  assigned: msg`A person let it count for this payment.`,
  unassigned: msg`A person took it away from its payment.`,
  released: msg`A person released it from hold, to no payment.`,
  applied_by_policy: msg`It was unmatched, and the payment policy applied it to the customer’s next payment.`,
  AMOUNT_MISMATCH: msg`The token moved less than its transfer says.`,
  ASSET_CHANGED: msg`The token’s contract is no longer the one that was checked.`,
  SENDER_BLOCKED: msg`Sent from an address that this project blocks.`,
  NODE_DISAGREEMENT: msg`Two sources disagree about this transfer.`,
}

/** Returns the reason of a deposit as a sentence; one of a newer server is made readable. */
export function depositReason(reason: DepositReason): string {
  return Object.hasOwn(REASONS, reason) ? t(REASONS[reason]) : `${readable(reason)}.`
}

const WAITS: Readonly<Record<DepositWait, MessageDescriptor>> = {
  second_node_silent: msg`A second node must agree because of the amount, and none answers now. It is asked again.`,
  second_node_behind: msg`Two nodes must call its block final because of the amount, and one does not yet. It is asked again.`,
}

/** Returns why a deposit that is deep enough is not final. */
export function depositWaitText({ code, text }: NonNullable<Deposit['waits']>): string {
  return Object.hasOwn(WAITS, code) ? t(WAITS[code]) : text
}
