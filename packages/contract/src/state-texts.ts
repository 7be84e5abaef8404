import type { PaymentState } from './payments/machine.ts'
import type { DELIVERY_STATUSES } from './webhooks/delivery-statuses.ts'
import type { WithdrawalState } from './withdrawals/machine.ts'

/** What a state means to a shop, and what the shop should do. */
export type StateText = { readonly means: string; readonly next: string }

export const PAYMENT_STATE_TEXTS: Readonly<Record<PaymentState, StateText>> = {
  OPEN: {
    means: 'No final money has arrived. A transfer may have been seen already: fundingState says so.',
    next: 'Wait for a webhook. Deliver nothing: a transfer that is not final can still disappear.',
  },
  PARTIALLY_FILLED: {
    means: 'Final money has arrived, less than was asked.',
    next: 'Send the customer to the same link: it asks for the rest. An operator can also accept what arrived.',
  },
  FILLED: {
    means: 'Final money covers what was asked.',
    next: 'Deliver the order, once: remember the reference_id.',
  },
  OVER_FILLED: {
    means: 'Final money exceeds what was asked.',
    next: 'Deliver the order as for FILLED. The surplus is recorded for the customer; an operator decides about it.',
  },
  CANCELLED: {
    means:
      'The request has ended without enough money: it expired, a newer link replaced it, or the shop cancelled it.',
    next: 'Release the order. Money that still arrives is credited and may move the payment on: a webhook tells of it.',
  },
}

export const PAYOUT_STATE_TEXTS: Readonly<Record<WithdrawalState, StateText>> = {
  'pending-approval': {
    means: 'The payout was requested and needs people who approve it.',
    next: 'Wait for a webhook. It can still be rejected or cancelled; tell nobody that money is on its way.',
  },
  pending: {
    means: 'The payout is decided and its money is held. It is signed as soon as the hot wallet can pay it.',
    next: 'Nothing. The field waits says what keeps it, such as a hot wallet that must be filled up.',
  },
  initiated: {
    means: 'The transaction is signed and stored. It will be sent, also after a crash, and only once.',
    next: 'Nothing. It can no longer be cancelled.',
  },
  sent: {
    means: 'A node has accepted the transaction. It is not final: the block that holds it can still be dropped.',
    next: 'Show the transaction to whoever is paid. Book it when it is processed.',
  },
  processed: {
    means: 'The payout is final on its blockchain.',
    next: 'Book it, once: remember the payout_id.',
  },
  failed: {
    means: 'The transaction cannot happen any more, or the chain refused it. The money is free again.',
    next: 'Read failure_reason, then request a new payout. The old one is never sent again.',
  },
  rejected: {
    means: 'An operator refused the payout. Nothing left the wallet.',
    next: 'Ask the operator why, then request a new payout where it was a mistake.',
  },
  cancelled: {
    means: 'The payout was cancelled before it was signed. Nothing left the wallet.',
    next: 'Request a new payout where it is still wanted.',
  },
}

export const DELIVERY_TEXTS: Readonly<Record<(typeof DELIVERY_STATUSES)[number], StateText>> = {
  pending: {
    means: 'The message has not been received yet: it is sent now, waits for its next try, or for an earlier message.',
    next: 'Nothing: it is tried again by itself. The field waits says what for, next_retry_at says when.',
  },
  received: {
    means: 'The receiver answered with a status from 200 to 299.',
    next: 'Nothing. The same message can still come twice: drop a webhook-id that you know.',
  },
  failed: {
    means: 'No try was answered with a status from 200 to 299, and none follows.',
    next: 'Repair the receiver, then send the message again on the page Developers, or replay all that failed.',
  },
  discarded: {
    means: 'There was no active endpoint to send it to, or the endpoint was deleted.',
    next: 'Switch the endpoint on or add one, then send the message again.',
  },
  waiting_for_approval: {
    means: 'A deposit of its payment is on hold, so nothing is said of the payment yet.',
    next: 'Let an operator release or refuse the deposit. The message is sent after that.',
  },
}
