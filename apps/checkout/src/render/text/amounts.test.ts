import { describe, expect, it } from 'vitest'

import { digits, estimate, price, trimZeros, usd } from './amounts.ts'

describe('usd', () => {
  it('prints exactly, in US form, however large', () => {
    expect(usd('1234.5')).toBe('$1,234.50')
    expect(usd('-12')).toBe('-$12.00')
    expect(usd('1.005')).toBe('$1.005')
    expect(usd('999999999999.99')).toBe('$999,999,999,999.99')
  })

  it('never prints nothing for something', () => {
    expect(usd('0.004')).toBe('<$0.01')
    expect(usd('0')).toBe('$0.00')
  })
})

describe('digits', () => {
  it('shows every digit, and reads as the plain number', () => {
    const drawn = digits('1234567.004788009412').text
    expect(drawn.replace(/<[^>]+>/g, '')).toBe('1234567.004788009412')
    expect(drawn.match(/class="gap"/g)).toHaveLength(5)
  })

  it('leaves up to eight decimals in one piece, also beside a grouped whole', () => {
    expect(digits('0.0016').text).toBe('0.0016')
    expect(digits('0.00478801').text).toBe('0.00478801')
    expect(digits('0.004788009').text.match(/class="gap"/g)).toHaveLength(2)
    expect(digits('49').text).toBe('49')
    expect(digits('12345.67').text.match(/class="gap"/g)).toHaveLength(1)
  })

  it('drops needless zeros only', () => {
    expect([trimZeros('49.000000'), trimZeros('48.60'), trimZeros('100'), trimZeros('0.10')]).toEqual([
      '49',
      '48.6',
      '100',
      '0.1',
    ])
  })
})

describe('estimate', () => {
  it('gives the amount a quote would ask for', () => {
    expect(estimate('49', '1', 6)).toBe('49')
    expect(estimate('49', '3012.55', 18)).toBe('0.016266')
  })

  it('gives nothing without a usable price', () => {
    expect([estimate('49', null, 6), estimate('49', '0', 6), estimate('49', 'NaN', 6)]).toEqual([null, null, null])
  })
})

describe('price', () => {
  it('keeps the decimals of a cheap token', () => {
    expect([price('1'), price('0.00001234')]).toEqual(['$1.00', '$0.00001234'])
  })
})
