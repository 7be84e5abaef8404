import { quoteStep, usdForUnits } from '@kassa/primitives/money/rate.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extended, boundsOf } from '../funding/funding-rules.ts'
import { makeQuote } from './rules.ts'

const now = new Date('2026-01-31T09:30:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
const ETH_PRICE = 3000n * 10n ** 18n

describe('payments.makeQuote', () => {
  it('P-1 rounds up to a step of at most a cent', () => {
    const { dueUnits } = makeQuote({
      amountUsd: 49_000_000n,
      price: ETH_PRICE,
      decimals: 18,
      now,
      expiresAt: minutes(60),
    })
    expect(dueUnits).toBe(16_334n * 10n ** 12n)
    expect(
      makeQuote({ amountUsd: 49_000_000n, price: 10n ** 18n, decimals: 6, now, expiresAt: minutes(60) }).dueUnits,
    ).toBe(49_000_000n)
  })

  it('P-2 holds the price for 15 minutes, never past the end of the payment', () => {
    const ask = { amountUsd: 1n, price: ETH_PRICE, decimals: 18, now }
    expect(makeQuote({ ...ask, expiresAt: minutes(60) }).lockedUntil).toEqual(minutes(15))
    expect(makeQuote({ ...ask, expiresAt: minutes(5) }).lockedUntil).toEqual(minutes(5))
  })

  it('never asks for less than the value of the amount, nor for a cent more, and fills when it is paid', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n }),
        fc.bigInt({ min: 10n ** 12n, max: 10n ** 26n }),
        fc.integer({ min: 6, max: 18 }),
        (amountUsd, price, decimals) => {
          const { dueUnits } = makeQuote({ amountUsd, price, decimals, now, expiresAt: minutes(60) })
          const value = usdForUnits({ units: dueUnits, price, decimals, rounding: 'up' })
          expect(value).toBeGreaterThanOrEqual(amountUsd)
          const step = quoteStep({ price, decimals })
          expect(dueUnits % step).toBe(0n)
          expect(usdForUnits({ units: dueUnits - step, price, decimals, rounding: 'down' })).toBeLessThanOrEqual(
            amountUsd,
          )
          const bounds = boundsOf(
            { dueUnits, price, asset: { decimals } },
            { underpaidTolerancePercent: '0', overpaidTolerancePercent: '0' },
          )
          expect(bounds.least).toBe(dueUnits)
        },
      ),
    )
  })
})

describe('payments.extended', () => {
  it('P-4 gives an hour from the first money, and never takes time away', () => {
    expect(extended(minutes(5), now)).toEqual(minutes(60))
    expect(extended(minutes(600), now)).toEqual(minutes(600))
  })
})
