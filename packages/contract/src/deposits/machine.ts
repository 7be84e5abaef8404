import { defineMachine } from '@kassa/primitives/machine.ts'

/** One incoming transfer (money.md 2.1). Nothing is final: a reorganisation may take any of them back. */
export const depositMachine = defineMachine({
  name: 'deposit',
  states: ['seen', 'confirmed', 'applied', 'unapplied', 'quarantined', 'reverted', 'ignored'],
  initial: 'seen',
  final: [],
  moves: {
    /** Deep enough or finalized; left again in the transaction that decides its disposition. */
    confirm: { from: ['seen'], to: 'confirmed' },
    apply: { from: ['confirmed', 'unapplied', 'quarantined'], to: 'applied' },
    hold: { from: ['confirmed', 'applied', 'quarantined'], to: 'unapplied' },
    quarantine: { from: ['confirmed'], to: 'quarantined' },
    /** Below the minimum, or from an address of ours. */
    ignore: { from: ['confirmed'], to: 'ignored' },
    revert: { from: ['seen', 'confirmed', 'applied', 'unapplied', 'quarantined', 'ignored'], to: 'reverted' },
    /** The chain came back to a block it had left. */
    seeAgain: { from: ['reverted'], to: 'seen' },
  },
})

export type DepositState = (typeof depositMachine.states)[number]
