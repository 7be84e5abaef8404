import { defineMachine } from '@kassa/primitives/machine.ts'

/** A saved address to pay to (api.md D14–D19). A deleted one keeps its row, so that what was paid to it stays readable. */
export const recipientMachine = defineMachine({
  name: 'recipient',
  states: ['pending-otp-verification', 'active', 'blocked', 'deleted'],
  initial: 'pending-otp-verification',
  final: ['deleted'],
  moves: {
    /** The mailed code was typed. A recipient added with a second factor begins here. */
    verify: { from: ['pending-otp-verification'], to: 'active' },
    /** For good: only a new entry, verified again, lets the address be paid. */
    block: { from: ['pending-otp-verification', 'active'], to: 'blocked' },
    delete: { from: ['pending-otp-verification', 'active', 'blocked'], to: 'deleted' },
  },
})

export type RecipientState = (typeof recipientMachine.states)[number]
