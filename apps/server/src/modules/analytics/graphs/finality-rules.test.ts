import { describe, expect, it } from 'vitest'

import { BUCKET_RATIO, quantile } from './finality-rules.ts'

describe('analytics.quantile', () => {
  it('is at most a bucket off, whatever the durations', () => {
    const durations = Array.from({ length: 2000 }, (_, at) => 1 + ((at * 7919) % 100_000))
    const groups = Map.groupBy(durations, (seconds) => Math.floor(Math.log(seconds) / Math.log(BUCKET_RATIO)))
    const counts = [...groups]
      .map(([bucket, { length }]) => ({ bucket, count: length }))
      .toSorted((a, b) => a.bucket - b.bucket)
    const sorted = durations.toSorted((a, b) => a - b)
    for (const share of [0.5, 0.95]) {
      const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0
      expect(Math.abs(quantile(counts, share) - exact) / exact).toBeLessThan(0.02)
    }
    expect(quantile([], 0.5)).toBe(0)
  })
})
