import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../testing/context.ts'
import { createRateLimiter } from './rate-limit.ts'

let database: TestContext

beforeAll(async () => {
  database = await testContext()
})
afterAll(() => database.stop())

const limit = createRateLimiter()

/** Lets the time pass by which every bucket fills. */
const pass = (seconds: number) =>
  sql`UPDATE rate_buckets SET filled_at = filled_at - make_interval(secs => ${seconds})`.execute(database.ctx.db)

/** Calls once; returns the seconds to wait that a refusal names, 0 when the call was let through. */
const waitOf = (subject: string) =>
  limit(database.ctx, 'otp', subject).then(
    () => 0,
    (refusal: { retryAfter?: number }) => refusal.retryAfter ?? Number.NaN,
  )

describe('http: buckets that all processes share', () => {
  it('let a caller through who returns at the time that the refusal named', async () => {
    for (let i = 0; i < 5; i += 1) expect(await waitOf('obedient')).toBe(0)
    for (let i = 0; i < 3; i += 1) {
      const wait = await waitOf('obedient')
      expect(wait).toBeGreaterThan(0)
      await pass(wait)
      expect(await waitOf('obedient')).toBe(0)
    }
  })

  it('are not emptied further by what they refuse', async () => {
    for (let i = 0; i < 5; i += 1) await waitOf('impatient')
    const first = await waitOf('impatient')
    for (let i = 0; i < 10; i += 1) expect(await waitOf('impatient')).toBeLessThanOrEqual(first)
    await pass(first)
    expect(await waitOf('impatient')).toBe(0)
    expect(await waitOf('impatient')).toBeGreaterThan(0)
  })
})
