import { dueUnits } from '@kassa/primitives/money/rate.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { leastCents } from './rules.ts'

const usdc = { minDepositUnits: 100_000n, decimals: 6, price: 10n ** 18n }
const eth = { minDepositUnits: 200_000_000_000_000n, decimals: 18, price: 3000n * 10n ** 18n }

describe('leastCents', () => {
  it('is the smallest minimum, in cents', () => {
    expect(leastCents([eth, usdc])).toBe(10n)
    expect(leastCents([eth])).toBe(60n)
  })

  it('is rounded up, so that it can be paid', () => {
    expect(leastCents([{ ...usdc, minDepositUnits: 100_001n }])).toBe(11n)
    expect(leastCents([{ ...usdc, minDepositUnits: 1n }])).toBe(1n)
  })

  it('is the first cent at which the minimum is due, whatever the price', () => {
    const step = { minDepositUnits: 500_000_000_000_000n, decimals: 18, price: 3123n * 10n ** 18n }
    expect(leastCents([step])).toBe(156n)
    const price = fc.bigInt({ min: 10n ** 14n, max: 10n ** 24n })
    const decimals = fc.integer({ min: 6, max: 18 })
    fc.assert(
      fc.property(price, decimals, fc.integer({ min: 1, max: 10_000 }), (price, decimals, share) => {
        const minDepositUnits = BigInt(share) * 10n ** BigInt(decimals - 4)
        const cents = leastCents([{ minDepositUnits, decimals, price }]) ?? 0n
        const due = (cents: bigint) => dueUnits({ usd: cents * 10_000n, price, decimals })
        expect(due(cents)).toBeGreaterThanOrEqual(minDepositUnits)
        if (cents > 1n) expect(due(cents - 1n)).toBeLessThan(minDepositUnits)
      }),
    )
  })

  it('is not known while one has no price', () => {
    expect(leastCents([])).toBeNull()
    // The one without a price may come back within the link's time and take less than the others.
    expect(leastCents([eth, { ...usdc, price: null }])).toBeNull()
  })
})
