import { describe, expect, it } from 'vitest'

import { ApiError } from '../../../api/api-error.ts'
import type { ApiErrorFacts } from '../../../api/api-error.ts'
import { runEach } from './run-each.ts'
import type { Outcome } from './run-each.ts'

const refused = (status: number, code: ApiErrorFacts['code'], message: string) =>
  new ApiError({ status, code, message })

type Act = (row: string, key: string) => Promise<string>

async function run(act: Act, { rows = ['a', 'b', 'c'], signal = new AbortController().signal } = {}) {
  const outcomes: Record<string, Outcome> = {}
  const keys: string[] = []
  const halted = await runEach({
    rows,
    signal,
    restMs: 0,
    keyOf: (row) => `run-${row}`,
    act: (row, key) => {
      keys.push(key)
      return act(row, key)
    },
    onOutcome: (row, outcome) => {
      outcomes[row] = outcome
    },
  })
  return { outcomes, keys, halted }
}

describe('runEach', () => {
  it('goes on after a refusal, which is that row’s outcome', async () => {
    const { outcomes, halted } = await run(async (row) => {
      if (row === 'b') throw refused(409, 'PAYMENT_HAS_FUNDS', 'Money has already been seen.')
      return 'Cancelled'
    })
    expect(outcomes).toEqual({
      a: { done: 'Cancelled' },
      b: { refusal: 'Money has already been seen.' },
      c: { done: 'Cancelled' },
    })
    expect(halted).toBeUndefined()
  })

  it('rests when it was too much, and tries the same row with the same key', async () => {
    let calls = 0
    const { outcomes, keys } = await run(async () => {
      calls += 1
      if (calls === 2) throw refused(429, 'RATE_LIMITED', 'Too many requests.')
      return 'Done'
    })
    expect(keys).toEqual(['run-a', 'run-b', 'run-b', 'run-c'])
    expect(Object.keys(outcomes)).toEqual(['a', 'b', 'c'])
  })

  it('does not rest for ever', async () => {
    const { outcomes, keys } = await run(
      async () => {
        throw refused(429, 'RATE_LIMITED', 'Too many requests.')
      },
      { rows: ['a'] },
    )
    expect(outcomes).toEqual({ a: { refusal: 'Too many requests.' } })
    expect(keys).toHaveLength(5)
  })

  it('stops without an answer: nobody knows what became of that row', async () => {
    const { outcomes, halted } = await run(async (row) => {
      if (row === 'b') throw refused(0, 'NETWORK_FAILED', 'The server did not answer.')
      return 'Done'
    })
    expect(outcomes).toEqual({ a: { done: 'Done' } })
    expect(halted).toBe('The server did not answer.')
  })

  it('stops before the next row when told so', async () => {
    const abort = new AbortController()
    const { outcomes } = await run(
      async (row) => {
        if (row === 'b') abort.abort()
        return 'Done'
      },
      { signal: abort.signal },
    )
    expect(Object.keys(outcomes)).toEqual(['a', 'b'])
  })
})
