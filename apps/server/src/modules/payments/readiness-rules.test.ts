import { describe, expect, it } from 'vitest'

import { leastCents } from './readiness-rules.ts'

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

  it('is not known while one has no price', () => {
    expect(leastCents([])).toBeNull()
    // The one without a price may come back within the link's time and take less than the others.
    expect(leastCents([eth, { ...usdc, price: null }])).toBeNull()
  })
})
