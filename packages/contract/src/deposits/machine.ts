import { defineMachine } from '@kassa/primitives/machine.ts'

/** One incoming transfer (money.md 2.1). No state is the last one: a reorganisation may revert any of them. */
export const depositMachine = defineMachine({
  name: 'deposit',
  states: ['seen', 'applied', 'unapplied', 'quarantined', 'reverted', 'ignored'],
  initial: 'seen',
  final: [],
  moves: {
    /** A `seen` deposit gets its disposition once it is deep enough or finalized; an operator may change it later. */
    apply: { from: ['seen', 'unapplied', 'quarantined'], to: 'applied' },
    hold: { from: ['seen', 'applied', 'quarantined'], to: 'unapplied' },
    quarantine: { from: ['seen'], to: 'quarantined' },
    /** Below the minimum, or from an address of ours. */
    ignore: { from: ['seen'], to: 'ignored' },
    revert: { from: ['seen', 'applied', 'unapplied', 'quarantined', 'ignored'], to: 'reverted' },
    /** The chain came back to a block it had left. */
    seeAgain: { from: ['reverted'], to: 'seen' },
  },
})

export type DepositState = (typeof depositMachine.states)[number]
