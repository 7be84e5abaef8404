import { defineMachine } from '@kassa/primitives/machine.ts'

/** A transfer that is no deposit: it leaves an address of ours, or reaches one of a wallet (money.md 2.1, W-12). */
export const movementMachine = defineMachine({
  name: 'movement',
  states: ['seen', 'final', 'reverted'],
  initial: 'seen',
  final: [],
  moves: {
    /** Its block is deep enough or finalized, and the ledger shows it. */
    finalize: { from: ['seen'], to: 'final' },
    revert: { from: ['seen', 'final'], to: 'reverted' },
    /** The chain came back to a block it had left. */
    seeAgain: { from: ['reverted'], to: 'seen' },
  },
})

export type MovementState = (typeof movementMachine.states)[number]

/** The kind of a movement: by the intent of its transaction, else by the roles of its addresses (W-13). */
export const MOVEMENT_KINDS = [
  'topup',
  'sweep',
  'foreign-sweep',
  'payout',
  'funded',
  'spent-outside',
  'drawn',
  'deposit-drawn',
] as const

export type MovementKind = (typeof MOVEMENT_KINDS)[number]
