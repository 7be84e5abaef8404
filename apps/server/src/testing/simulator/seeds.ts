import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { MemoryDatabase } from './database.ts'
import { explain } from './explain.ts'
import { simulate } from './simulate.ts'
import { openWorldDatabase } from './template.ts'

const BATCH = 20

/**
 * Tests batches of seeds, starting from these. They are fixed, so that a failure can be repeated; longer runs: `npm run
 * simulate`. The seeds of every change are split over two files, one per core.
 */
export function testSeeds(...starts: readonly number[]): void {
  let database: MemoryDatabase
  beforeAll(async () => {
    database = await openWorldDatabase()
  }, 60_000)
  afterAll(() => database.close())

  describe('simulate', () => {
    it.each(starts)(`finds no failure in ${BATCH} seeds from %i, and each makes payments`, async (from) => {
      const counts = { payments: 0, deposits: 0, received: 0 }
      for (let seed = from; seed < from + BATCH; seed += 1) {
        const outcome = await simulate(seed, { database })
        if (outcome.failure) expect.fail(await explain(outcome, { database }))
        counts.payments += outcome.counts.payments
        counts.deposits += outcome.counts.deposits
        counts.received += outcome.counts.received
      }
      expect(counts.payments).toBeGreaterThan(BATCH)
      expect(counts.deposits).toBeGreaterThan(BATCH)
      expect(counts.received).toBeGreaterThan(BATCH)
    })

    it('produces the same trace twice, whatever ran before', async () => {
      for (const seed of starts.slice(0, 2)) {
        const first = await simulate(seed, { database })
        await simulate(seed + 1, { database })
        expect((await simulate(seed, { database })).hash).toBe(first.hash)
      }
    })
  })
}
