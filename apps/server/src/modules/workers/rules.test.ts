import { describe, expect, it } from 'vitest'

import { type Heartbeat, listenerState, type Reading, workerState } from './rules.ts'
import { isLate } from './service.ts'

const heartbeat = (changes: Partial<Heartbeat> = {}): Heartbeat => ({
  name: 'rate-processor',
  heartbeat: 1,
  begun: 600,
  lastRun: 3,
  failure: null,
  isRestarting: false,
  ...changes,
})
const reading = (changes: Partial<Reading> = {}): Reading => ({
  state: 'running',
  reason: null,
  blocksBehind: 0,
  sinceAnswer: 2,
  ...changes,
})
const state = (heartbeats: readonly Heartbeat[], waiting: number | null = 0) =>
  workerState(heartbeats, { role: 'worker', waiting })

describe('workerState', () => {
  it('shows the last run of all processes and the pending work', () => {
    expect(state([heartbeat(), heartbeat({ lastRun: 240 })])).toEqual({
      status: 'RUNNING',
      details: 'Last run 3 s ago, 0 waiting, in 2 processes.',
    })
    expect(state([heartbeat({ lastRun: null })], 1_001).details).toBe('Started 10 min ago, over 1,000 waiting.')
    expect(state([heartbeat({ lastRun: 8_000 })], null).details).toBe('Last run 2 h ago.')
  })

  it('holds back only when every process that runs fails', () => {
    const failing = heartbeat({ failure: 'prices.poll: no source answered' })
    expect(state([failing, heartbeat()]).status).toBe('RUNNING')
    expect(state([failing, heartbeat({ heartbeat: 21 })])).toEqual({
      status: 'BACKOFF',
      details: 'The last run failed: prices.poll: no source answered. It is tried again, 0 waiting.',
    })
  })

  it('counts a process in until it is silent for 20 seconds', () => {
    expect(state([heartbeat({ heartbeat: 19.9 })]).status).toBe('RUNNING')
    expect(state([heartbeat({ heartbeat: 20 })]).status).toBe('STOPPED')
  })

  it('says that it is about to restart', () => {
    expect(state([heartbeat({ isRestarting: true })])).toEqual({
      status: 'RUNNING',
      details: 'Restarts as soon as its current run has ended.',
    })
  })
})

describe('listenerState', () => {
  it('shows how far reading got', () => {
    expect(listenerState([heartbeat()], reading({ blocksBehind: 1 }))).toEqual({
      status: 'RUNNING',
      details: 'Last read 2 s ago, 1 block behind.',
    })
  })

  it('is held back while it is behind, silent, or has not begun', () => {
    expect(listenerState([heartbeat()], reading({ state: 'behind', blocksBehind: 84 }))).toEqual({
      status: 'BACKOFF',
      details: 'It is 84 blocks behind.',
    })
    expect(listenerState([heartbeat()], reading({ state: 'behind', reason: 'HTTP 429' })).details).toBe('HTTP 429.')
    expect(listenerState([heartbeat()], reading({ sinceAnswer: 600 })).status).toBe('BACKOFF')
    expect(listenerState([heartbeat()], null).status).toBe('BACKOFF')
    expect(listenerState([heartbeat()], reading({ sinceAnswer: null, blocksBehind: 7 }))).toEqual({
      status: 'BACKOFF',
      details: 'No node has answered yet, 7 blocks behind.',
    })
  })

  it('needs a person when it was halted, whether or not a process runs', () => {
    const halted = reading({ state: 'halted', reason: 'Block 7 is another one than before' })
    expect(listenerState([heartbeat()], halted)).toEqual({
      status: 'FATAL',
      details: 'Block 7 is another one than before.',
    })
    expect(listenerState([], halted).status).toBe('FATAL')
  })

  it('does not trust stored reports when no process reads any more', () => {
    expect(listenerState([heartbeat({ heartbeat: 30 })], reading()).status).toBe('STOPPED')
  })
})

describe('isLate', () => {
  it.each([
    ['email-processor', 'BACKOFF', false],
    ['base-listener', 'BACKOFF', true],
    ['node-processor', 'BACKOFF', true],
    ['email-processor', 'STOPPED', true],
    ['base-listener', 'FATAL', true],
    ['base-listener', 'RUNNING', false],
  ] as const)('asks of the %s with %s: %s', (name, status, late) => expect(isLate(name, status)).toBe(late))
})
