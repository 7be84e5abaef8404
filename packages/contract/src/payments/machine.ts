import { defineMachine } from '@kassa/primitives/machine.ts'

/** How much final money a payment has (money.md 3.5). Nothing is final: late money and reorganisations are facts. */
export const paymentMachine = defineMachine({
  name: 'payment',
  states: ['OPEN', 'PARTIALLY_FILLED', 'FILLED', 'OVER_FILLED', 'CANCELLED'],
  initial: 'OPEN',
  final: [],
  moves: {
    fillPartly: { from: ['OPEN', 'PARTIALLY_FILLED', 'CANCELLED'], to: 'PARTIALLY_FILLED' },
    fill: { from: ['OPEN', 'PARTIALLY_FILLED', 'CANCELLED'], to: 'FILLED' },
    overFill: { from: ['OPEN', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED'], to: 'OVER_FILLED' },
    cancel: { from: ['OPEN'], to: 'CANCELLED' },
    /** The rest are caused by a reorganisation: final deposits were reverted. */
    revertSurplus: { from: ['OVER_FILLED'], to: 'FILLED' },
    revertPart: { from: ['FILLED', 'OVER_FILLED'], to: 'PARTIALLY_FILLED' },
    revertAll: { from: ['PARTIALLY_FILLED', 'FILLED', 'OVER_FILLED'], to: 'OPEN' },
    revertLate: { from: ['PARTIALLY_FILLED', 'FILLED', 'OVER_FILLED'], to: 'CANCELLED' },
  },
})

export type PaymentState = (typeof paymentMachine.states)[number]

/** While a payment is in one of these it waits for money, and its end can be moved. */
export const WAITING_STATES = ['OPEN', 'PARTIALLY_FILLED'] as const satisfies readonly PaymentState[]

/** What the chain shows before it is final: informs the payer early and pays nothing. */
export const FUNDING_STATES = ['none', 'detected', 'confirming', 'confirmed', 'reverted'] as const

export type FundingState = (typeof FUNDING_STATES)[number]

export const CANCEL_REASONS = ['expired', 'superseded', 'merchant'] as const

export type CancelReason = (typeof CANCEL_REASONS)[number]
