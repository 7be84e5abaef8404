import type { PaymentCreated } from '@kassa/contract/payments/schemas.ts'
import { describe, expect, it } from 'vitest'

import { RequestError } from '../../../api/request-error.ts'
import { COLUMNS } from './link-rows.ts'
import type { ColumnName, LinkRow } from './link-rows.ts'
import { runRows } from './useBulkRun.ts'
import type { RowOutcome } from './useBulkRun.ts'

const link: PaymentCreated = {
  reference_id: '0192a7de-0000-7000-8000-000000000001',
  url: 'https://pay.example/1',
  host: 'https://pay.example',
  expiresAt: new Date(0),
  superseded: [],
}

const values = Object.fromEntries(COLUMNS.map((name) => [name, ''])) as Record<ColumnName, string>
const rowsTo = (last: number): LinkRow[] =>
  Array.from({ length: last }, (_, at) => ({ line: at + 2, values, errors: {} }))
const failure = (status: number, code: RequestError['code'], message = 'No.') =>
  new RequestError({ status, code, message })

async function run(count: number, send: (line: number, tries: number) => PaymentCreated | RequestError, abortAt = 0) {
  const abort = new AbortController()
  const tries = new Map<number, number>()
  const outcomes = new Map<number, RowOutcome>()
  const halted = await runRows({
    rows: rowsTo(count),
    signal: abort.signal,
    perSecond: 2000,
    restMs: 5,
    onOutcome: (line, outcome) => {
      expect(outcomes.has(line)).toBe(false)
      outcomes.set(line, outcome)
      if (outcomes.size === abortAt) abort.abort()
    },
    send: async ({ line }) => {
      tries.set(line, (tries.get(line) ?? 0) + 1)
      const answer = send(line, tries.get(line) ?? 0)
      if (answer instanceof RequestError) throw answer
      return answer
    },
  })
  return { halted, tries, outcomes, made: [...outcomes.values()].filter((outcome) => 'link' in outcome).length }
}

describe('bulk.runRows', () => {
  it('sends every row once', async () => {
    const { made, tries, halted } = await run(30, () => link)
    expect({ made, sent: [...tries.values()].every((times) => times === 1), halted }).toEqual({
      made: 30,
      sent: true,
      halted: undefined,
    })
  })

  it('rests and sends again what was too much', async () => {
    const { made, halted } = await run(12, (_, times) => (times === 1 ? failure(429, 'RATE_LIMITED') : link))
    expect({ made, halted }).toEqual({ made: 12, halted: undefined })
  })

  it('keeps the refusal of a row and goes on', async () => {
    const { made, outcomes, halted } = await run(6, (line) =>
      line === 4 ? failure(409, 'INVOICE_EXISTS', 'This invoice has a link.') : link,
    )
    expect({ made, halted }).toEqual({ made: 5, halted: undefined })
    expect(outcomes.get(4)).toEqual({ refusal: 'This invoice has a link.', isKept: true })
  })

  it.each([
    ['the connection is lost', failure(0, 'NETWORK_FAILED', 'The server could not be reached.')],
    ['the session is over', failure(401, 'UNAUTHORIZED', 'Sign in again.')],
    ['the server is broken', failure(500, 'INTERNAL_ERROR', 'Something broke.')],
  ])('stops when %s, with no verdict on the rows it was about', async (_, error) => {
    const { made, outcomes, halted } = await run(20, (line) => (line < 6 ? link : error))
    expect(halted).toBe(error.message)
    expect(outcomes.size).toBe(made)
  })

  it('stops when every row is refused for one reason', async () => {
    const { outcomes, halted } = await run(500, () => failure(409, 'PROJECT_NOT_READY', 'No wallet.'))
    expect(halted).toBe('10 lines in a row were refused. No wallet.')
    expect(outcomes.size).toBeLessThan(20)
  })

  it('stops when told to, without a word about what was on its way', async () => {
    const { outcomes, halted } = await run(200, () => link, 5)
    expect(halted).toBeUndefined()
    expect(outcomes.size).toBeLessThan(10)
  })

  it('asks for no second link where one was made from other values', async () => {
    const { outcomes } = await run(1, () => failure(409, 'IDEMPOTENCY_KEY_REUSED'))
    expect(outcomes.get(2)).toEqual({
      refusal: 'A link was made from this line before, with other values.',
      isKept: false,
    })
  })
})
