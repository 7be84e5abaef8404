import type { PaymentState } from './machine.ts'

/** What a state means to a shop, and what it does then. */
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
