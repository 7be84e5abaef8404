import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { MemoryDatabase } from './database.ts'
import { explain } from './explain.ts'
import { simulate } from './simulate.ts'
import { openWorldDatabase } from './template.ts'

/** Fixed, so that a failure comes back. Longer runs: `npm run simulate`. */
const BATCHES = [1, 51, 101, 151]
const BATCH = 50

let database: MemoryDatabase

beforeAll(async () => {
  database = await openWorldDatabase()
}, 60_000)
afterAll(() => database.close())

describe('simulate', () => {
  it.each(BATCHES)(`finds nothing wrong in ${BATCH} seeds from %i, and they do something`, async (from) => {
    const counts = { payments: 0, deposits: 0, told: 0 }
    for (let seed = from; seed < from + BATCH; seed += 1) {
      const outcome = await simulate(seed, { database })
      if (outcome.failure) expect.fail(await explain(outcome, { database }))
      counts.payments += outcome.counts.payments
      counts.deposits += outcome.counts.deposits
      counts.told += outcome.counts.told
    }
    expect(counts.payments).toBeGreaterThan(BATCH)
    expect(counts.deposits).toBeGreaterThan(BATCH)
    expect(counts.told).toBeGreaterThan(BATCH)
  })

  it('takes the same way twice, whatever ran before', async () => {
    for (const seed of [3, 7, 11]) {
      const first = await simulate(seed, { database })
      await simulate(seed + 1, { database })
      expect((await simulate(seed, { database })).hash).toBe(first.hash)
    }
  })
})
