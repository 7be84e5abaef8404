import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dueUnits,
  median,
  PRICE_DECIMALS,
  quoteStep,
  type Rounding,
  unitsForUsd,
  USD_DECIMALS,
  usdForUnits,
} from './rate.ts'
import { parseUnits } from './units.ts'

const usd = (text: string) => parseUnits(text, USD_DECIMALS)
const price = (text: string) => parseUnits(text, PRICE_DECIMALS)

/** From a ten-billionth of a dollar to a billion dollars per whole unit, the bound of admitted prices. */
const prices = fc.bigInt({ min: 10n ** 8n, max: 10n ** 27n })
const amounts = fc.bigInt({ min: 1n, max: 10n ** 18n })
const decimals = fc.integer({ min: 0, max: 18 })
const roundings = fc.constantFrom<Rounding>('up', 'down', 'half-even')

/** Value of units in the exact common scale 10^(decimals + 18), where nothing is rounded. */
const valueOf = (units: bigint, rate: bigint) => units * rate
const asked = (amount: bigint, places: number) => amount * 10n ** BigInt(places + PRICE_DECIMALS - USD_DECIMALS)
const cent = (places: number) => 10n ** BigInt(places + PRICE_DECIMALS - 2)

describe('rate.quoteStep (P-1)', () => {
  it.each([
    ['ETH at $3,000', '3000', 18, 10n ** 12n],
    ['a dollar token', '1', 6, 10_000n],
    ['BTC at $100,000', '100000', 8, 10n],
    ['a whole-unit token of more than a cent', '5', 0, 1n],
    ['exactly one cent', '0.01', 0, 1n],
    ['just below one cent', '0.009999', 0, 1n],
    ['a tenth of a cent', '0.001', 0, 10n],
  ])('for %s', (_, rate, places, step) => {
    expect(quoteStep({ price: price(rate), decimals: places })).toBe(step)
  })

  it('is the largest power of ten of at most a cent, and at least one unit', () => {
    fc.assert(
      fc.property(prices, decimals, (rate, places) => {
        const step = quoteStep({ price: rate, decimals: places })
        expect(step.toString()).toMatch(/^10*$/)
        if (step > 1n) expect(valueOf(step, rate)).toBeLessThanOrEqual(cent(places))
        expect(valueOf(step * 10n, rate)).toBeGreaterThan(cent(places))
      }),
    )
  })
})

describe('rate.dueUnits (P-1)', () => {
  it('prices $49 of ETH at $3,000 in amounts a person can type', () => {
    expect(dueUnits({ usd: usd('49'), price: price('3000'), decimals: 18 })).toBe(parseUnits('0.016334', 18))
  })

  it('asks a dollar for a dollar token', () => {
    expect(dueUnits({ usd: usd('49'), price: price('1'), decimals: 6 })).toBe(49_000_000n)
  })

  it('never has a lower value than asked, and less than one step more', () => {
    fc.assert(
      fc.property(amounts, prices, decimals, (amount, rate, places) => {
        const step = quoteStep({ price: rate, decimals: places })
        const due = dueUnits({ usd: amount, price: rate, decimals: places })
        expect(due % step).toBe(0n)
        expect(valueOf(due, rate)).toBeGreaterThanOrEqual(asked(amount, places))
        expect(valueOf(due - step, rate)).toBeLessThan(asked(amount, places))
      }),
    )
  })
})

describe('rate.unitsForUsd and usdForUnits', () => {
  it('round within one step, on the side that `rounding` says', () => {
    fc.assert(
      fc.property(amounts, prices, decimals, roundings, (amount, rate, places, rounding) => {
        const units = unitsForUsd({ usd: amount, price: rate, decimals: places, step: 1n, rounding })
        const off = valueOf(units, rate) - asked(amount, places)
        const limits = { up: [0n, rate], down: [-rate, 0n], 'half-even': [-rate / 2n, rate / 2n] } as const
        const [least, most] = limits[rounding]
        expect(off).toBeGreaterThanOrEqual(least)
        expect(off).toBeLessThanOrEqual(most)
      }),
    )
  })

  it('give back the dollars when nothing had to be rounded', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const units = unitsForUsd({ usd: amount, price: price('0.5'), decimals: 6, step: 1n, rounding: 'down' })
        expect(usdForUnits({ units, price: price('0.5'), decimals: 6, rounding: 'down' })).toBe(amount)
      }),
    )
  })

  it('stay exact for amounts up to 2^256−1', () => {
    const units = 2n ** 256n - 1n
    expect(usdForUnits({ units, price: price('1'), decimals: 6, rounding: 'down' })).toBe(units)
  })

  it.each([
    ['up', 1n, 1n],
    ['up', -1n, -1n],
    ['down', 19n, 1n],
    ['down', -19n, -1n],
    ['half-even', 5n, 0n],
    ['half-even', 15n, 2n],
    ['half-even', 16n, 2n],
    ['half-even', -15n, -2n],
    ['half-even', -14n, -1n],
  ] as const)('round %s: %s tenths of a micro-dollar are %s', (rounding, units, expected) => {
    expect(usdForUnits({ units, price: price('1'), decimals: 7, rounding })).toBe(expected)
  })

  it.each([0n, -1n])('refuse the price %s', (bad) => {
    expect(() => usdForUnits({ units: 1n, price: bad, decimals: 6, rounding: 'up' })).toThrow(RangeError)
    expect(() => dueUnits({ usd: 1n, price: bad, decimals: 6 })).toThrow(RangeError)
    expect(() => unitsForUsd({ usd: 1n, price: 1n, decimals: 6, step: bad, rounding: 'up' })).toThrow('A step')
  })
})

describe('rate.median', () => {
  it.each([
    [[3n, 1n, 2n], 2n],
    [[4n, 1n], 2n],
    [[1n, 2n, 9n, 4n], 3n],
    [[5n], 5n],
    [[10n, 9n, 100n], 10n],
  ])('of %s is %s', (given, expected) => {
    expect(median(given)).toBe(expected)
  })

  it('cannot be moved outside the other prices by a single wrong source', () => {
    fc.assert(
      fc.property(fc.array(prices, { minLength: 2, maxLength: 6 }), fc.bigInt(), (good, wrong) => {
        const sorted = good.toSorted((a, b) => (a < b ? -1 : 1))
        const middle = median([...good, wrong])
        expect(middle >= (sorted[0] ?? 0n) || good.length < 2).toBe(true)
        expect(middle <= (sorted.at(-1) ?? 0n) || good.length < 2).toBe(true)
      }),
    )
  })

  it('leaves its input alone and refuses an empty one', () => {
    const given = [2n, 1n]
    median(given)
    expect(given).toEqual([2n, 1n])
    expect(() => median([])).toThrow(RangeError)
  })
})
