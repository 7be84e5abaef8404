import { defineMachine } from '@kassa/primitives/machine.ts'

/** The states of a bulk job. `failed`: it could not continue; finished rows stay finished. */
export const bulkJobMachine = defineMachine({
  name: 'bulk job',
  states: ['queued', 'running', 'done', 'cancelled', 'failed'],
  initial: 'queued',
  final: ['done', 'cancelled', 'failed'],
  moves: {
    start: { from: ['queued'], to: 'running' },
    finish: { from: ['running'], to: 'done' },
    cancel: { from: ['queued', 'running'], to: 'cancelled' },
    /** The operator who started it has lost the permission, or the project takes no writes. */
    fail: { from: ['queued', 'running'], to: 'failed' },
  },
})

export type BulkJobState = (typeof bulkJobMachine.states)[number]

/** One row of a bulk job. `running` exists only inside the transaction of the row: it commits with the outcome. */
export const bulkRowMachine = defineMachine({
  name: 'bulk job row',
  states: ['waiting', 'running', 'done', 'refused'],
  initial: 'waiting',
  final: ['done', 'refused'],
  moves: {
    claim: { from: ['waiting'], to: 'running' },
    finish: { from: ['running'], to: 'done' },
    refuse: { from: ['waiting'], to: 'refused' },
  },
})

export type BulkRowState = (typeof bulkRowMachine.states)[number]
