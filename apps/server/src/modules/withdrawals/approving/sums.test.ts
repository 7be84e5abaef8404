import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { sumsOf } from './sums.ts'

const payouts = fc.array(
  fc.record({ asset_id: fc.integer({ min: 1, max: 4 }), units: fc.bigInt({ min: 1n, max: 2n ** 200n }).map(String) }),
  { maxLength: 30 },
)

describe('what payouts pay together', () => {
  it('is the exact sum of each asset, and counts every payout once', () => {
    fc.assert(
      fc.property(payouts, (rows) => {
        const sums = sumsOf(rows)
        expect(sums.reduce((total, { count }) => total + count, 0)).toBe(rows.length)
        expect(new Set(sums.map(({ assetId }) => assetId)).size).toBe(sums.length)
        for (const { assetId, units } of sums) {
          const own = rows.filter((row) => row.asset_id === assetId)
          expect(units).toBe(own.reduce((total, row) => total + BigInt(row.units), 0n))
        }
      }),
    )
  })
})
