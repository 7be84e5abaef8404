import { describe, expect, it } from 'vitest'

import { RequestError } from '../../../api/request-error.ts'
import type { RequestErrorFacts } from '../../../api/request-error.ts'
import { runEach } from './useRunEach.ts'
import type { Outcome } from './useRunEach.ts'

const refused = (status: number, code: RequestErrorFacts['code'], message: string) =>
  new RequestError({ status, code, message })

type Act = (row: string, key: string) => Promise<string>

async function run(act: Act, { rows = ['a', 'b', 'c'], signal = new AbortController().signal, perSecond = 2000 } = {}) {
  const outcomes: Record<string, Outcome> = {}
  const keys: string[] = []
  const halted = await runEach({
    rows,
    signal,
    restMs: 0,
    perSecond,
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

  it.each([
    refused(429, 'RATE_LIMITED', 'Too many requests.'),
    refused(409, 'IDEMPOTENCY_IN_PROGRESS', 'Still running.'),
    refused(503, 'REQUEST_IN_PROGRESS', 'Still running.'),
  ])('rests after $code, and tries the same row with the same key', async (error) => {
    let calls = 0
    const { outcomes, keys } = await run(async () => {
      calls += 1
      if (calls === 2) throw error
      return 'Done'
    })
    expect(keys).toEqual(['run-a', 'run-b', 'run-b', 'run-c'])
    expect(outcomes).toEqual({ a: { done: 'Done' }, b: { done: 'Done' }, c: { done: 'Done' } })
  })

  it('does not rest for ever, and refuses nothing for it', async () => {
    const { outcomes, keys, halted } = await run(
      async () => {
        throw refused(429, 'RATE_LIMITED', 'Too many requests.')
      },
      { rows: ['a'] },
    )
    expect({ outcomes, halted }).toEqual({ outcomes: {}, halted: 'Too many requests.' })
    expect(keys).toHaveLength(5)
  })

  it.each([
    refused(0, 'NETWORK_FAILED', 'The server did not answer.'),
    refused(502, 'ANSWER_UNREADABLE', 'The answer could not be read.'),
    refused(503, 'SERVICE_UNAVAILABLE', 'The server is starting or stopping.'),
    refused(500, 'INTERNAL_ERROR', 'Something went wrong.'),
    refused(401, 'UNAUTHORIZED', 'Sign in again.'),
    refused(0, 'KEY_MISSING', 'You are signed out.'),
  ])('stops on $code: that row is refused by nobody, and stays undone', async (error) => {
    const { outcomes, keys, halted } = await run(async (row) => {
      if (row === 'b') throw error
      return 'Done'
    })
    expect({ outcomes, halted }).toEqual({ outcomes: { a: { done: 'Done' } }, halted: error.message })
    expect(keys).toEqual(['run-a', 'run-b'])
  })

  it('stops when one payment after another is refused for one reason', async () => {
    const { outcomes, halted } = await run(
      async () => {
        throw refused(403, 'FORBIDDEN', 'You need the permission.')
      },
      { rows: Array.from({ length: 30 }, (_, at) => `row ${at}`) },
    )
    expect(halted).toBe('10 payments in a row were refused. You need the permission.')
    expect(Object.keys(outcomes)).toHaveLength(10)
  })

  it('keeps within what the server lets one session ask for', async () => {
    const start = Date.now()
    await run(async () => 'Done', { perSecond: 20 })
    expect(Date.now() - start).toBeGreaterThanOrEqual(95)
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
