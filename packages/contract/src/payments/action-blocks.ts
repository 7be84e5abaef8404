import { type CodeOf, sentence } from '../kit/reason.ts'

/** Why an operator may not take an action about a payment or a deposit; each sentence says what to do instead. */
export const ACTION_BLOCKS = {
  already_paid: sentence('It is paid already.'),
  not_final: sentence('Its money is not final yet. Wait for the confirmations.'),
  nothing_counts: sentence('No money counts for it. Apply unmatched funds to it first, or create a new payment.'),
  on_hold: sentence('Some of its money is on hold. Release it to this payment or to the customer first.'),
  needs_no_attention: sentence('Nothing about it needs attention.'),
  still_payable: sentence(
    'The customer can still send the rest. Accept what came as paid, or wait until the link ends.',
  ),
  not_pinned: sentence('The payer has not picked a currency yet. Wait until they have.'),
  paid_takes_no_more: sentence('It is paid already. Choose an open request, or refund.'),
  deposit_not_final: sentence('This money is not final yet. Wait for its confirmations.'),
  deposit_reverted: sentence('A reorganisation reverted this deposit. Wait until it returns.'),
  deposit_ignored: sentence(
    'This money is below the minimum or moved between own addresses: it counts for no payment.',
  ),
  deposit_applied: sentence('This money counts for a payment. Unassign it there first.'),
  deposit_unapplied: sentence('This money is unmatched. Apply it to a payment.'),
  deposit_quarantined: sentence('This money is on hold. Release it first.'),
  other_payment: sentence('This money counts for another payment.'),
  other_customer: sentence('This deposit belongs to another customer. Choose one of their payments.'),
  no_price_known: sentence('No trustworthy price is known for the time this deposit arrived. Refund it instead.'),
  several_deposits: sentence('Several deposits are possible. Name one.'),
  no_unmatched_deposit: sentence('This customer has no unmatched funds.'),
  no_quarantined_deposit: sentence('No funds of this customer are on hold.'),
  no_applied_deposit: sentence('No money counts for this payment.'),
  has_funds: sentence('Money has already been seen for it. Wait until it is final.'),
  rate_not_held: sentence(
    'Money was paid at a rate that cannot be locked for longer. Accept what was paid, refund it, or create a new payment for the rest.',
  ),
  has_ended: sentence('It has ended already. Create a new payment instead.'),
} as const

/** None of them has parameters. */
export type ActionBlock = CodeOf<typeof ACTION_BLOCKS>
