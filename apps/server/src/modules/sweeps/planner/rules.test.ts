import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { usdForUnits } from '@kassa/primitives/money/rate.ts'

import { type Candidate, ceilingOf, paysOff, planBatches, type Terms, triggerOf } from './rules.ts'

const NOW = new Date('2026-11-01T12:00:00Z')
const E18 = 10n ** 18n

const TERMS: Terms = {
  asset: { price: E18, decimals: 6 },
  coin: { price: 3_000n * E18, decimals: 18 },
  gasPrice: 10n ** 9n,
  costs: {
    base: { gas: 30_000n, beside: 0n },
    first: { gas: 52_000n, beside: 0n },
    repeat: { gas: 10_000n, beside: 0n },
  },
  maxFeeBps: 100n,
  minBalance: null,
  maxItems: 100,
  maxGas: 3_000_000n,
}

const candidate = (over: Partial<Candidate> & { addressId: bigint }): Candidate => ({
  units: 100_000_000n,
  since: NOW,
  isFirst: false,
  blocked: null,
  ...over,
})
const many = (count: number, over: Partial<Candidate> = {}) =>
  Array.from({ length: count }, (_, at) => candidate({ addressId: BigInt(at + 1), ...over }))

const candidates = fc.uniqueArray(
  fc.record({
    addressId: fc.bigInt({ min: 1n, max: 10_000n }),
    units: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    since: fc.constant(NOW),
    isFirst: fc.boolean(),
    blocked: fc.constantFrom<Candidate['blocked']>(null, null, null, 'QUARANTINED', 'LOCKED', 'NOT_APPROVED'),
  }),
  { selector: ({ addressId }) => addressId, maxLength: 60 },
)
const terms = fc.record({
  asset: fc.record({
    price: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    decimals: fc.constantFrom(6, 8, 18),
  }),
  coin: fc.record({ price: fc.bigInt({ min: 10n ** 15n, max: 10n ** 22n }), decimals: fc.constant(18) }),
  gasPrice: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  costs: fc.record({
    base: fc.record({
      gas: fc.bigInt({ min: 21_000n, max: 60_000n }),
      beside: fc.bigInt({ min: 0n, max: 10n ** 13n }),
    }),
    first: fc.record({
      gas: fc.bigInt({ min: 20_000n, max: 400_000n }),
      beside: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    }),
    repeat: fc.record({
      gas: fc.bigInt({ min: 5_000n, max: 20_000n }),
      beside: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    }),
  }),
  maxFeeBps: fc.bigInt({ min: 0n, max: 10_000n }),
  minBalance: fc.option(fc.bigInt({ min: 1n, max: 10n ** 9n })),
  maxItems: fc.integer({ min: 1, max: 20 }),
  maxGas: fc.bigInt({ min: 100_000n, max: 3_000_000n }),
})

describe('sweeps.plan', () => {
  it('S-6 plans no batch whose fee is more than the allowed part of what it moves', () => {
    fc.assert(
      fc.property(candidates, terms, (all, given) => {
        for (const { usd, feeUsd, fee, items, units } of planBatches(all, given).batches) {
          expect(feeUsd * 10_000n).toBeLessThanOrEqual(given.maxFeeBps * usd)
          expect(usdForUnits({ units: fee, ...given.coin, rounding: 'up' })).toBe(feeUsd)
          expect(items.reduce((sum, item) => sum + item.units, 0n)).toBe(units)
        }
      }),
    )
  })

  it('puts every address in one batch or gives it one reason', () => {
    fc.assert(
      fc.property(candidates, terms, (all, given) => {
        const { batches, skipped } = planBatches(all, given)
        const placed = [...batches.flatMap(({ items }) => items), ...skipped.map((one) => one.candidate)]
        expect(new Set(placed.map(({ addressId }) => addressId))).toEqual(
          new Set(all.map(({ addressId }) => addressId)),
        )
        expect(placed).toHaveLength(all.length)
      }),
    )
  })

  it('makes the same plan for every order of the addresses', () => {
    fc.assert(
      fc.property(candidates, terms, fc.integer(), (all, given, seed) => {
        const shuffled = all.toSorted((a, b) =>
          Number(((a.addressId * BigInt(seed)) % 97n) - ((b.addressId * BigInt(seed)) % 97n)),
        )
        expect(planBatches(shuffled, given)).toEqual(planBatches(all, given))
      }),
    )
  })

  it('keeps to the limits of one transaction, but for an address that exceeds them alone', () => {
    fc.assert(
      fc.property(candidates, terms, (all, given) => {
        for (const { items, gas } of planBatches(all, given).batches) {
          expect(items.length).toBeLessThanOrEqual(given.maxItems)
          if (items.length > 1) expect(gas).toBeLessThanOrEqual(given.maxGas)
        }
      }),
    )
  })

  it('S-8 skips an address with quarantined money whole', () => {
    const { batches, skipped } = planBatches([...many(2), candidate({ addressId: 9n, blocked: 'QUARANTINED' })], TERMS)
    expect(batches.map(({ items }) => items.length)).toEqual([2])
    expect(skipped.map(({ code }) => code)).toEqual(['QUARANTINED'])
  })

  it('leaves out balances below the minimum, and those below their own fee', () => {
    const all = [
      candidate({ addressId: 1n }),
      candidate({ addressId: 2n, units: 4_000_000n }),
      // A repeat costs $0.03 of $3, a first sweep $0.156.
      candidate({ addressId: 3n, units: 5_000_000n, isFirst: true }),
    ]
    const { batches, skipped } = planBatches(all, { ...TERMS, minBalance: 5_000_000n })
    expect(batches.map(({ units }) => units)).toEqual([100_000_000n])
    expect(skipped.map(({ candidate: { addressId }, code }) => [addressId, code])).toEqual([
      [2n, 'BELOW_MINIMUM'],
      [3n, 'BELOW_FEE'],
    ])
  })

  it('drops the least valuable while the transaction itself is too dear', () => {
    // Each pays for itself; together they move $6 for $0.15.
    const { batches, skipped } = planBatches(many(2, { units: 3_000_000n }), TERMS)
    expect(batches).toEqual([])
    expect(skipped.map(({ code }) => code)).toEqual(['BELOW_FEE', 'BELOW_FEE'])
  })
})

describe('sweeps.ceilingOf', () => {
  const quoted = { gasLimit: 120_000n, beside: 0n, usd: 1_000_000_000n }

  it('S-6 allows half as much again as it costs now', () => {
    expect(ceilingOf(quoted, TERMS)).toBe(180_000n * 10n ** 9n)
  })

  it('S-6 never signs a fee that would be a loss', () => {
    fc.assert(
      fc.property(
        terms,
        fc.bigInt({ min: 21_000n, max: 3_000_000n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        (given, gas, usd) => {
          const ceiling = ceilingOf({ gasLimit: gas, beside: 0n, usd }, given)
          if (ceiling === null) return
          const feeUsd = usdForUnits({ units: ceiling, ...given.coin, rounding: 'down' })
          expect(paysOff({ usd, feeUsd }, given)).toBe(true)
        },
      ),
    )
  })

  it('S-6 refuses what costs too much already', () => {
    expect(ceilingOf({ ...quoted, usd: 30_000_000n }, TERMS)).toBeNull()
  })
})

describe('sweeps.triggerOf', () => {
  const triggers = { minUsd: 500_000_000n, minItems: 50, maxAgeMs: 86_400_000 }
  const batch = (count: number, over: Partial<Candidate> = {}) => {
    const items = many(count, over)
    return { items, usd: items.reduce((sum, { units }) => sum + units, 0n) }
  }

  it.each([
    ['amount', batch(5)],
    ['count', batch(50, { units: 1_000_000n })],
    ['time', batch(1, { since: new Date(NOW.getTime() - 86_400_000) })],
    [null, batch(4)],
  ])('starts a batch because of its %s', (expected, given) => {
    expect(triggerOf(given, triggers, NOW)).toBe(expected)
  })
})
