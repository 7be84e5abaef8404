import { defineMachine } from '@kassa/primitives/machine.ts'

/**
 * A transaction that a wallet of ours signed (money.md 7.3), from its stored bytes to what the chain made of it. `failed` is
 * final: it needs proof that no attempt can be mined any more, or a reverted execution in a block that is final.
 */
export const sendMachine = defineMachine({
  name: 'send',
  states: ['initiated', 'sent', 'processed', 'failed'],
  initial: 'initiated',
  final: ['failed'],
  moves: {
    /** A node accepted an attempt, knew it already, or a block holds it. */
    send: { from: ['initiated'], to: 'sent' },
    process: { from: ['sent'], to: 'processed' },
    fail: { from: ['initiated', 'sent'], to: 'failed' },
    /** A reorganisation dropped the block that it was processed in. */
    reopen: { from: ['processed'], to: 'sent' },
  },
})

export type SendState = (typeof sendMachine.states)[number]

/** States in which the chain has not decided: amount and fee ceiling are reserved. */
export const UNDECIDED_STATES = ['initiated', 'sent'] as const satisfies readonly SendState[]

/** What a transaction is for. */
export const SEND_PURPOSES = ['payout', 'sweep', 'topup', 'deploy'] as const

export type SendPurpose = (typeof SEND_PURPOSES)[number]
