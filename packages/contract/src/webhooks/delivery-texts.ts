import type { StateText } from '../payments/state-texts.ts'
import type { DELIVERY_STATUSES } from './delivery-statuses.ts'

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
