import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUnits, parseUnits } from './units.ts'

const decimals = fc.integer({ min: 0, max: 36 })
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

describe('money.parseUnits', () => {
  it.each([
    ['12.5', 6, 12_500_000n],
    ['0', 0, 0n],
    ['007.10', 2, 710n],
    ['0.000001', 6, 1n],
    ['20999999.9769', 8, 2_099_999_997_690_000n],
    [(2n ** 256n - 1n).toString(), 0, 2n ** 256n - 1n],
  ])('reads %s with %i decimals exactly', (text, places, units) => {
    expect(parseUnits(text, places)).toBe(units)
  })

  it.each([
    '',
    ' ',
    '1e3',
    '-1',
    '+1',
    '.5',
    '5.',
    '1.2.3',
    '1,5',
    '1 000',
    '0x10',
    'NaN',
    'Infinity',
    '١٢',
    '1\n',
    '1_000',
  ])('refuses %j as not plain decimal text', (text) => {
    expect(() => parseUnits(text, 6)).toThrow(TypeError)
  })

  it('refuses a number, which may already have lost cents', () => {
    expect(() => parseUnits(0.1 as unknown as string, 6)).toThrow(TypeError)
  })

  it('refuses more decimals than the asset has, zeros included', () => {
    expect(() => parseUnits('1.0000001', 6)).toThrow('at most 6 decimals')
    expect(() => parseUnits('1.0000000', 6)).toThrow(RangeError)
    expect(() => parseUnits('1.0', 0)).toThrow(RangeError)
  })

  it('refuses text that is too long to be an amount', () => {
    expect(() => parseUnits('1'.repeat(121), 6)).toThrow(RangeError)
  })

  it.each([-1, 0.5, 37, Number.NaN])('refuses %d decimals', (places) => {
    expect(() => parseUnits('1', places)).toThrow(RangeError)
  })
})

describe('money.formatUnits', () => {
  it.each([
    [12_500_000n, 6, '12.5'],
    [-10_000n, 6, '-0.01'],
    [0n, 18, '0'],
    [100n, 0, '100'],
    [3_000_000n, 6, '3'],
    [1n, 18, '0.000000000000000001'],
  ])('prints %i with %i decimals as %s', (units, places, text) => {
    expect(formatUnits(units, places)).toBe(text)
  })

  it('is undone by parseUnits for every amount up to 2^256−1', () => {
    fc.assert(
      fc.property(uint256, decimals, (units, places) => {
        expect(parseUnits(formatUnits(units, places), places)).toBe(units)
      }),
    )
  })

  it('has no needless zero', () => {
    fc.assert(
      fc.property(uint256, decimals, (units, places) => {
        expect(formatUnits(units, places)).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
  })
})
