import { performance } from 'node:perf_hooks'

import { median } from './quantile.ts'

/** Returns how many seconds the work takes. */
export async function secondsOf(work: () => Promise<unknown> | void): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** Returns the median of the seconds that the work takes, repeated so often. */
export async function medianSecondsOf(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const samples: number[] = []
  for (let round = 0; round < rounds; round += 1) samples.push(await secondsOf(work))
  return median(samples)
}
