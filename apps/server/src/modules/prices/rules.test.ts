import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decidePrice, inDollars, judgePrice, type PriceQuestion, priceText, type Reading } from './rules.ts'

const now = new Date('2026-01-31T09:30:00Z')
const ONE = 10n ** 18n

const eth: PriceQuestion = { now, isStable: false, minSources: 2, previous: null }
const usdc: PriceQuestion = { ...eth, isStable: true }
const sandbox: PriceQuestion = { ...eth, minSources: 1, previous: 3000n * ONE }

function readings(...prices: string[]): Reading[] {
  return prices.map((price, index) => ({ name: `source ${index}`, price, at: now }))
}

function decided(prices: string[], question: PriceQuestion): string | null {
  const facts = decidePrice(readings(...prices), question)
  return facts && priceText(facts.price)
}

describe('prices.decidePrice', () => {
  it('takes the median of the sources', () => {
    expect(decided(['3000', '3010', '2990'], eth)).toBe('3000')
    expect(decided(['3000', '3001'], eth)).toBe('3000.5')
  })

  it('drops a source more than 2 % away, a stable one more than 0.5 %', () => {
    expect(decided(['3000', '3010', '3100'], eth)).toBe('3005')
    expect(decided(['1', '1.001', '1.02'], usdc)).toBe('1')
    const facts = decidePrice(readings('3000', '3010', '3100'), eth)
    expect(facts?.sources.map(({ used }) => used)).toEqual([true, true, false])
    expect(facts?.sources[2]?.why).toBe('too far from the others')
  })

  it('applies these limits exactly', () => {
    const counted = (prices: string[], question: PriceQuestion) =>
      decidePrice(readings(...prices), question)?.sources.filter(({ used }) => used).length
    expect([counted(['3000', '3000', '3060'], eth), counted(['3000', '3000', '3060.01'], eth)]).toEqual([3, 2])
    expect([counted(['1', '1', '1.005'], usdc), counted(['1', '1', '1.00501'], usdc)]).toEqual([3, 2])
  })

  it('needs two sources that agree', () => {
    expect(decided(['3000'], eth)).toBeNull()
    expect(decided(['3000', '4000'], eth)).toBeNull()
    expect(decided([], eth)).toBeNull()
  })

  it('prices a stable coin at exactly one dollar near its peg, at its price a little off, and not at all beyond', () => {
    expect(decided(['0.9951', '0.9952'], usdc)).toBe('1')
    expect(decided(['1.004', '1.005'], usdc)).toBe('1')
    expect(decided(['0.99', '0.99'], usdc)).toBe('0.99')
    expect(decided(['0.9799', '0.9799'], usdc)).toBeNull()
    expect(decided(['1.021', '1.021'], usdc)).toBeNull()
  })

  it('refuses a jump of more than half unless three sources agree', () => {
    expect(decided(['1499'], sandbox)).toBeNull()
    expect(decided(['1501'], sandbox)).toBe('1501')
    const before: PriceQuestion = { ...eth, previous: 3000n * ONE }
    expect(decided(['9000', '9000'], before)).toBeNull()
    expect(decided(['9000', '9001', '9002'], before)).toBe('9001')
  })

  it('drops what is far from the last price before it takes the median', () => {
    const before: PriceQuestion = { ...eth, previous: 3000n * ONE }
    expect(decided(['3000', '3002', '0.000333', '0.000333'], before)).toBe('3001')
    expect(decided(['3000', '0.000333', '0.000333'], before)).toBeNull()
    expect(decided(['3000', '3001', '3002', '9000', '9000', '9000'], before)).toBe('3001')
    const facts = decidePrice(readings('3000', '3002', '9000'), before)
    expect(facts?.sources[2]).toMatchObject({ used: false, why: 'too far from the last price' })
  })

  it('reports why there is no price, and the price of a coin off its peg', () => {
    expect(judgePrice(readings('0.96', '0.9601'), usdc)).toMatchObject({
      facts: null,
      refusal: 'peg_lost',
      median: (96_005n * ONE) / 100_000n,
    })
    const silent = { name: 'silent', price: '', at: now, failure: 'it answered 503' }
    const verdict = judgePrice([...readings('3000'), silent], eth)
    expect(verdict).toMatchObject({ facts: null, refusal: 'too_few_sources', median: null })
    expect(verdict.sources.map(({ used, why }) => [used, why])).toEqual([
      [true, undefined],
      [false, 'it answered 503'],
    ])
  })

  it('uses what a source reported until it is too old, even when it is unreachable', () => {
    const last = (seconds: number) => {
      const at = new Date(now.getTime() - seconds * 1000)
      return { name: 'lost', price: '3000', at, failure: 'it answered 503' }
    }
    expect(decidePrice([last(60), ...readings('3000')], eth)).not.toBeNull()
    expect(decidePrice([last(61), ...readings('3000')], eth)).toBeNull()
  })

  it('refuses prices that are old or from the future', () => {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
    const stale = [-61, 61].map((seconds) => ({ name: 'stuck clock', price: '3000', at: at(seconds) }))
    expect(decidePrice(stale, eth)).toBeNull()
    expect(decidePrice([{ name: 'fresh', price: '3000', at: at(-60) }], sandbox)).not.toBeNull()
  })

  it.each([
    ['zero', '0'],
    ['zero with decimals', '0.000'],
    ['a negative number', '-3000'],
    ['not a number', 'NaN'],
    ['infinity', 'Infinity'],
    ['an overflowing exponent', '1e400'],
    ['an exponent', '3e3'],
    ['nothing', ''],
    ['a page', '<html><body>503</body></html>'],
    ['a thousandfold price', '3000000'],
    ['a thousandth', '3'],
    ['a swapped pair', '0.000333'],
    ['a billion', '1000000000'],
    ['spaces', ' 3000 '],
    ['separators', '3,000'],
    ['a number without end', '3'.repeat(500)],
    ['less than a price can hold', '0.0000000000000000001'],
  ])('never makes a price of %s', (_what, price) => {
    expect(decided([price], sandbox)).toBeNull()
    expect(decided([price, price], { ...eth, previous: 3000n * ONE })).toBeNull()
  })

  it('decides a price between the lowest and highest source, whatever garbage others send', () => {
    const garbage = fc.oneof(fc.string(), fc.constantFrom('NaN', '1e400', '-1', '0', ''))
    const honest = fc.bigInt({ min: 2_990n, max: 3_010n }).map(String)
    fc.assert(
      fc.property(
        fc.array(honest, { minLength: 3, maxLength: 6 }),
        fc.array(garbage, { maxLength: 2 }),
        (good, bad) => {
          const facts = decidePrice(readings(...good, ...bad), eth)
          expect(facts).not.toBeNull()
          const price = facts?.price ?? 0n
          expect(price).toBeGreaterThanOrEqual(2_990n * ONE)
          expect(price).toBeLessThanOrEqual(3_010n * ONE)
        },
      ),
    )
  })
})

describe('prices.inDollars', () => {
  it('converts a price in another currency into dollars, and leaves nonsense to be refused', () => {
    expect(inDollars('3000', (99n * ONE) / 100n)).toBe('2970')
    expect(inDollars('0.1234567890123456789', ONE)).toBe('0.123456789012345678')
    for (const text of ['', 'NaN', '-1', '1e400', '<html>']) expect(inDollars(text, ONE)).toBe(text)
  })
})
