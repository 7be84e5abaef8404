import { defineMachine } from '@kassa/primitives/machine.ts'

/**
 * A payout from its request to its end (money.md 7.1). Money is held from `pending` on; from `initiated` on a signed
 * transaction exists, which only the chain decides about.
 */
export const withdrawalMachine = defineMachine({
  name: 'withdrawal',
  states: ['pending-approval', 'pending', 'initiated', 'sent', 'processed', 'failed', 'rejected', 'cancelled'],
  initial: 'pending-approval',
  final: ['failed', 'rejected', 'cancelled'],
  moves: {
    decide: { from: ['pending-approval'], to: 'pending' },
    /** The policy became stricter, or an approval no longer counts, between the decision and the signature. */
    askAgain: { from: ['pending'], to: 'pending-approval' },
    sign: { from: ['pending'], to: 'initiated' },
    send: { from: ['initiated'], to: 'sent' },
    /** A block may hold it before any node reported that it accepted it. */
    process: { from: ['initiated', 'sent'], to: 'processed' },
    fail: { from: ['initiated', 'sent'], to: 'failed' },
    /** The block that held it was dropped. */
    reopen: { from: ['processed'], to: 'sent' },
    reject: { from: ['pending-approval'], to: 'rejected' },
    cancel: { from: ['pending-approval', 'pending'], to: 'cancelled' },
  },
})

export type WithdrawalState = (typeof withdrawalMachine.states)[number]

/** States in which money of the project is held for a payout. */
export const HELD_STATES = ['pending', 'initiated', 'sent'] as const satisfies readonly WithdrawalState[]

/** States in which a payout has not ended. */
export const OPEN_STATES = ['pending-approval', ...HELD_STATES] as const satisfies readonly WithdrawalState[]

/** `payout`: by an operator to a recipient · `payout_merchant`: by an API key · `withdrawal`: of a referral reward. */
export const WITHDRAWAL_TYPES = ['payout', 'payout_merchant', 'withdrawal'] as const

export type WithdrawalType = (typeof WITHDRAWAL_TYPES)[number]

/** Which part of a payment a refund gives back (money.md 3.6). */
export const REFUND_KINDS = ['full', 'overpaid', 'unapplied', 'custom'] as const

export type RefundKind = (typeof REFUND_KINDS)[number]
