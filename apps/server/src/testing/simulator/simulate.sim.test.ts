import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { MemoryDatabase } from './database.ts'
import { explain } from './explain.ts'
import { sabotage, type SabotageName, SABOTAGES } from './sabotage.ts'
import { simulate } from './simulate.ts'
import { openWorldDatabase } from './template.ts'

/** Fixed, so that a failure comes back. Longer runs: `npm run simulate`. */
const SEEDS = 200

let database: MemoryDatabase

beforeAll(async () => {
  database = await openWorldDatabase()
}, 60_000)
afterAll(() => database.close())

describe('simulate', () => {
  it(`finds nothing wrong in the first ${SEEDS} seeds, and they do something`, async () => {
    const counts = { payments: 0, deposits: 0, told: 0 }
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const outcome = await simulate(seed, { database })
      if (outcome.failure) expect.fail(await explain(outcome, { database }))
      counts.payments += outcome.counts.payments
      counts.deposits += outcome.counts.deposits
      counts.told += outcome.counts.told
    }
    expect(counts.payments).toBeGreaterThan(2 * SEEDS)
    expect(counts.deposits).toBeGreaterThan(2 * SEEDS)
    expect(counts.told).toBeGreaterThan(2 * SEEDS)
  })

  it('takes the same way twice, whatever ran before', async () => {
    for (const seed of [3, 7, 11]) {
      const first = await simulate(seed, { database })
      await simulate(seed + 1, { database })
      expect((await simulate(seed, { database })).hash).toBe(first.hash)
    }
  })
})

describe('simulate notices when', () => {
  it.each(Object.keys(SABOTAGES) as SabotageName[])('%s', async (name) => {
    const broken = await openWorldDatabase()
    try {
      const { rewrite, rewritten } = await sabotage(broken, name)
      const found = await firstFailure(broken, rewrite)
      if ('rewrite' in SABOTAGES[name]) expect(rewritten()).toBeGreaterThan(0)
      expect(found).not.toBeNull()
    } finally {
      await broken.close()
    }
  })
})

async function firstFailure(broken: MemoryDatabase, rewrite: (text: string) => string) {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { failure } = await simulate(seed, { database: broken, rewrite })
    if (failure) return { seed, ...failure }
  }
  return null
}
