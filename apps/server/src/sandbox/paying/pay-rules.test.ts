import { PAY_CASES } from '@kassa/contract/sandbox/schemas.ts'
import { quoteStep } from '@kassa/primitives/money/rate.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { partsOf } from './pay-rules.ts'

const ONE_DOLLAR = 10n ** 18n

describe('sandbox.partsOf', () => {
  it('sends what is due exactly, in one part or in two', () => {
    const price = { price: ONE_DOLLAR, decimals: 6 }
    fc.assert(
      fc.property(fc.bigInt({ min: 20_000n, max: 10n ** 12n }), (units) => {
        const due = (units / quoteStep(price)) * quoteStep(price)
        expect(partsOf('exact', due, price)).toEqual([due])
        const [first, second = 0n] = partsOf('two_parts', due, price)
        expect(first + second).toBe(due)
      }),
    )
  })

  it('sends clearly less and clearly more', () => {
    const price = { price: ONE_DOLLAR, decimals: 6 }
    expect(partsOf('under', 10_000_000n, price)).toEqual([6_000_000n])
    expect(partsOf('over', 10_000_000n, price)).toEqual([11_000_000n])
  })

  it('sends something in every case', () => {
    for (const payCase of PAY_CASES) {
      for (const units of partsOf(payCase, 10_000n, { price: ONE_DOLLAR, decimals: 6 }))
        expect(units).toBeGreaterThan(0n)
    }
  })
})
