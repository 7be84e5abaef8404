import { defineMachine } from '@kassa/primitives/machine.ts'

/**
 * One transaction that moves deposits to the cold address (money.md 6.9), from its plan to what the chain made of it. `failed`
 * needs proof that no attempt can move anything any more; a cancelled sweep continues if its transaction appears after all.
 */
export const sweepMachine = defineMachine({
  name: 'sweep',
  states: ['planned', 'sweep-initiated', 'broadcast', 'completed', 'sweep-cancelled', 'failed'],
  initial: 'planned',
  final: ['failed'],
  moves: {
    /** It is signed and stored, or its transaction was handed to the wallet of an operator. */
    initiate: { from: ['planned'], to: 'sweep-initiated' },
    broadcast: { from: ['sweep-initiated'], to: 'broadcast' },
    /** A block may hold it before any node reported that it accepted it. */
    complete: { from: ['sweep-initiated', 'broadcast'], to: 'completed' },
    fail: { from: ['sweep-initiated', 'broadcast'], to: 'failed' },
    /** It has no transaction; or no node knows that of an operator's wallet any more. */
    cancel: { from: ['planned', 'sweep-initiated', 'broadcast'], to: 'sweep-cancelled' },
    /** The chain holds the transaction of a cancelled sweep. */
    find: { from: ['sweep-cancelled'], to: 'broadcast' },
    /** The block that held it was dropped. */
    reopen: { from: ['completed'], to: 'broadcast' },
  },
})

export type SweepState = (typeof sweepMachine.states)[number]

/** States in which money of a sweep is on its way, in the ledger `chain:transit`. */
export const SWEEP_UNDER_WAY = ['sweep-initiated', 'broadcast'] as const satisfies readonly SweepState[]

/** States in which a sweep has not ended: its addresses are in no other one. */
export const OPEN_SWEEPS = ['planned', ...SWEEP_UNDER_WAY] as const satisfies readonly SweepState[]

/** The part of one address in a sweep. */
export const sweepItemMachine = defineMachine({
  name: 'sweep_item',
  states: ['open', 'swept', 'failed', 'released'],
  initial: 'open',
  final: [],
  moves: {
    /** A log of its token, or the vault's log for a native coin, proves that it arrived at the collector. */
    settle: { from: ['open', 'failed', 'released'], to: 'swept' },
    /** The transaction left it out: the address goes back to the queue with a reason. */
    fail: { from: ['open'], to: 'failed' },
    /** Its sweep was cancelled or failed, or its deposit was undone. */
    release: { from: ['open'], to: 'released' },
    reopen: { from: ['swept', 'failed'], to: 'open' },
  },
})

export type SweepItemState = (typeof sweepItemMachine.states)[number]

/** An address and an asset between two sweeps (money.md 6.6). Only addresses that hold a key of their own need approval. */
export const addressSweepMachine = defineMachine({
  name: 'address_sweep',
  states: ['idle', 'pending-approval', 'approved', 'sweep-initiated', 'swept'],
  initial: 'idle',
  final: [],
  moves: {
    ask: { from: ['idle', 'swept'], to: 'pending-approval' },
    approve: { from: ['pending-approval'], to: 'approved' },
    /** The time of its lock is over and no signature came. */
    lapse: { from: ['pending-approval'], to: 'idle' },
    /** Its permission is no longer valid. */
    expire: { from: ['approved'], to: 'idle' },
    initiate: { from: ['idle', 'approved', 'swept'], to: 'sweep-initiated' },
    settle: { from: ['sweep-initiated', 'approved', 'idle'], to: 'swept' },
    /** Its sweep was cancelled, failed or left it out; its permission is still valid. */
    cancel: { from: ['sweep-initiated'], to: 'approved' },
    /** The same for an address that needs no permission. */
    release: { from: ['sweep-initiated'], to: 'idle' },
    /** The block that held its sweep was dropped. */
    reopen: { from: ['swept'], to: 'sweep-initiated' },
  },
})

export type AddressSweepState = (typeof addressSweepMachine.states)[number]

/** What the key of a deposit address signed, so that its money can be moved to the collector and nowhere else. */
export const PERMISSION_KINDS = ['approve_tx', 'permit', 'authorization', 'transfer_tx'] as const

export type PermissionKind = (typeof PERMISSION_KINDS)[number]

export const sweepPermissionMachine = defineMachine({
  name: 'sweep_permission',
  states: ['signed', 'broadcast', 'approved', 'used', 'stale'],
  initial: 'signed',
  final: [],
  moves: {
    broadcast: { from: ['signed'], to: 'broadcast' },
    /** No node got its transaction: the address is asked again. */
    release: { from: ['signed'], to: 'stale' },
    approve: { from: ['signed', 'broadcast'], to: 'approved' },
    use: { from: ['approved'], to: 'used' },
    /** Its nonce was used by something else, or the account is delegated to another contract. */
    expire: { from: ['signed', 'broadcast', 'approved', 'used'], to: 'stale' },
    /** The block that held the approval, or the sweep that used it, was dropped. */
    reopen: { from: ['approved', 'used', 'stale'], to: 'broadcast' },
    /** Its address gave the same signature again: a node, or a paused token, had reported it as invalid for a while. */
    renew: { from: ['stale'], to: 'signed' },
  },
})

export type SweepPermissionState = (typeof sweepPermissionMachine.states)[number]
