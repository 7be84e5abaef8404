import { usdOf } from '@kassa/primitives/money/usd.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type CountedRow, listTotalsOf } from './list-totals.ts'

const row: fc.Arbitrary<CountedRow> = fc.record({
  assetId: fc.integer({ min: 1, max: 4 }),
  units: fc.bigInt({ min: 1n, max: 2n ** 200n }),
  usd: fc.bigInt({ min: 0n, max: 2n ** 80n }),
})
const lists = fc.array(row, { minLength: 1, maxLength: 100 })
const sum = (units: readonly bigint[]) => units.reduce((one, other) => one + other, 0n)

describe('what the policy counts of a list', () => {
  it('is the exact sum, the same for each row and in any order', () => {
    fc.assert(
      fc.property(lists, (rows) => {
        const total = sum(rows.map(({ usd }) => usd))
        for (const order of [rows, rows.toReversed()]) {
          expect(listTotalsOf(order).map(({ amountUsd }) => usdOf(amountUsd))).toEqual(rows.map(() => total))
        }
      }),
    )
  })

  it('takes of each asset what its rows take, and nothing of another asset', () => {
    fc.assert(
      fc.property(lists, (rows) => {
        for (const [at, { unitsBefore, unitsOfAsset, payouts }] of listTotalsOf(rows).entries()) {
          const isSame = ({ assetId }: CountedRow) => assetId === rows[at]?.assetId
          expect(unitsOfAsset).toBe(sum(rows.filter(isSame).map(({ units }) => units)))
          expect(unitsBefore).toBe(
            sum(
              rows
                .slice(0, at)
                .filter(isSame)
                .map(({ units }) => units),
            ),
          )
          expect(payouts).toBe(rows.length)
        }
      }),
    )
  })

  it('counts a doubled row twice', () => {
    fc.assert(
      fc.property(row, (one) => {
        const [first, second] = listTotalsOf([one, one])
        expect(usdOf(second?.amountUsd ?? '0')).toBe(one.usd * 2n)
        expect([first?.unitsBefore, second?.unitsBefore, second?.unitsOfAsset]).toEqual([0n, one.units, one.units * 2n])
      }),
    )
  })
})
