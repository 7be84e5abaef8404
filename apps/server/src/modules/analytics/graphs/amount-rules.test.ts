import { describe, expect, it } from 'vitest'

import { changeText, countText, dollarText, durationText, percentOf, shortDollarText } from './amount-rules.ts'

describe('analytics amounts (8.5)', () => {
  it('writes dollars with separators and two decimals, beyond any float', () => {
    expect(dollarText(0n)).toBe('$0.00')
    expect(dollarText(1_234_560_000n)).toBe('$1,234.56')
    expect(dollarText(123_456_789_012_345_678_901_234_567n)).toBe('$123,456,789,012,345,678,901.23')
  })

  it('says of less than a cent that it is something', () => {
    expect(dollarText(1n)).toBe('<$0.01')
    expect(dollarText(9_999n)).toBe('<$0.01')
    expect(dollarText(10_000n)).toBe('$0.01')
  })

  it('rounds half a cent to the even one', () => {
    expect([15_000n, 25_000n, 25_001n].map(dollarText)).toEqual(['$0.02', '$0.02', '$0.03'])
  })

  it('leaves out cents where there are none', () => {
    expect([10_000_000n, 10_500_000n].map(shortDollarText)).toEqual(['$10', '$10.50'])
    expect(countText(1_234_567)).toBe('1,234,567')
  })

  it('gives shares and changes with one decimal, and none of nothing', () => {
    expect(percentOf(1n, 3n)).toBe('33.3')
    expect(percentOf(0n, 0n)).toBeNull()
    expect([changeText(1_125n, 1_000n), changeText(97n, 100n), changeText(5n, 5n)]).toEqual([
      '+12.5%',
      '-3.0%',
      '+0.0%',
    ])
    expect([changeText(0n, 0n), changeText(7n, 0n)]).toEqual(['N/A', 'N/A'])
  })

  it('writes durations in their two largest units', () => {
    expect([0, 45, 60, 125, 11_400, 187_200].map(durationText)).toEqual([
      '0 s',
      '45 s',
      '1 min',
      '2 min 5 s',
      '3 h 10 min',
      '2 d 4 h',
    ])
  })
})
