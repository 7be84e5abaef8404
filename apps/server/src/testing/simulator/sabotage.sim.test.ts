import { describe, expect, it } from 'vitest'

import { sabotage, type Sabotage, type SabotageName, SABOTAGES } from './sabotage.ts'
import { type Failure, simulate, type SimulateOptions } from './simulate.ts'
import { openWorldDatabase } from './template.ts'

/** As many seeds as run with every change (simulate.sim.test.ts): what they miss stays undetected. */
const SEEDS = 120

describe('simulate notices when', () => {
  it.each(Object.keys(SABOTAGES) as SabotageName[])('%s', async (name) => {
    const database = await openWorldDatabase()
    try {
      const { rewrite, rewritten } = await sabotage(database, name)
      const { seed, isPaying, codes }: Sabotage = SABOTAGES[name]
      const found = await firstFailure(seed, {
        database,
        rewrite,
        isPaying: isPaying === true,
        ...(codes && { codes }),
      })
      if ('rewrite' in SABOTAGES[name]) expect(rewritten()).toBeGreaterThan(0)
      expect(found).not.toBeNull()
    } finally {
      await database.close()
    }
  })
})

/** The seed that found it before runs first, then all the others. */
async function firstFailure(known: number, options: SimulateOptions): Promise<Failure | null> {
  const all = Array.from({ length: SEEDS }, (_, index) => index + 1)
  for (const seed of [known, ...all.filter((other) => other !== known)]) {
    const { failure } = await simulate(seed, options)
    if (failure) return failure
  }
  return null
}
