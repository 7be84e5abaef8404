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
  const credited = new Map<string, number>()
  beforeAll(async () => {
    database = await openWorldDatabase()
  }, 180_000)
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
        for (const [code, number] of Object.entries(outcome.counts.credited))
          credited.set(code, (credited.get(code) ?? 0) + number)
      }
      expect(counts.payments).toBeGreaterThan(BATCH)
      expect(counts.deposits).toBeGreaterThan(BATCH)
      expect(counts.received).toBeGreaterThan(BATCH)
    })

    it('credits payments on chains of every family in them', () => {
      const without = ['ETH', 'BASE', 'TRX', 'BTC', 'SOLANA'].filter((code) => !credited.get(code))
      expect(without).toEqual([])
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

const COUNTED = ['paid', 'listed', 'swept', 'signed', 'approved'] as const

/**
 * Tests worlds whose shops also pay out and whose deposits are swept; these seeds bring one of each kind at least. Each takes three
 * times as long as another one.
 */
export function testPayingSeeds(...seeds: readonly number[]): void {
  let database: MemoryDatabase
  beforeAll(async () => {
    database = await openWorldDatabase()
  }, 180_000)
  afterAll(() => database.close())

  describe('simulate where shops pay out and bring deposits home', () => {
    it(`finds no failure in the seeds ${seeds.join(', ')}, pays, also what was approved together, sweeps, approves, and signs with devices`, async () => {
      const counts = { paid: 0, listed: 0, swept: 0, signed: 0, approved: 0 }
      for (const seed of seeds) {
        const options = { database, isPaying: true }
        const outcome = await simulate(seed, options)
        if (outcome.failure) expect.fail(await explain(outcome, options))
        for (const name of COUNTED) counts[name] += outcome.counts[name]
      }
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0)
    })
  })
}
