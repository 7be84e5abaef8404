import { afterEach, describe, expect, it } from 'vitest'

import { assetAmount, truncateAmount, fullAmount, shortAddress, shortHash, usd, usdExact } from './format.ts'

describe('usd', () => {
  it.each([
    ['1234.5', '$1,234.50'],
    ['-12', '-$12.00'],
    ['0', '$0.00'],
    ['0.000', '$0.00'],
    ['0.001', '<$0.01'],
    ['0.009999', '<$0.01'],
    ['0.01', '$0.01'],
    ['1.005', '$1.00'],
    ['9.999999', '$9.99'],
    ['12345678901234.25', '$12,345,678,901,234.25'],
  ])('prints %s as %s', (amount, text) => {
    expect(usd(amount)).toBe(text)
  })
})

describe('usdExact', () => {
  it('keeps fractions of a cent', () => {
    expect(usdExact('1.005')).toBe('$1.005')
    expect(usdExact('0.001')).toBe('$0.001')
    expect(usdExact('1234.5')).toBe('$1,234.50')
  })
})

describe('assetAmount', () => {
  it('cuts to six decimals and never rounds up', () => {
    expect(assetAmount('0.0047889999', 'ETH')).toBe('0.004788\u00a0ETH')
    expect(truncateAmount('1.9999999')).toBe('1.999999')
  })

  it('drops trailing zeros and groups thousands', () => {
    expect(truncateAmount('12500.500000')).toBe('12,500.5')
    expect(truncateAmount('49.000000')).toBe('49')
    expect(truncateAmount('-1000')).toBe('-1,000')
  })
})

describe('fullAmount', () => {
  it('shows every digit, more than eight decimals in groups of three', () => {
    expect(fullAmount('0.004788009412', 'ETH')).toBe('0.004\u2009788\u2009009\u2009412\u00a0ETH')
    expect(fullAmount('0.004788009', 'ETH')).toBe('0.004\u2009788\u2009009\u00a0ETH')
    expect(fullAmount('0.00478801', 'BTC')).toBe('0.00478801\u00a0BTC')
    expect(fullAmount('0.2999', 'ETH')).toBe('0.2999\u00a0ETH')
    expect(fullAmount('1000', 'USDC')).toBe('1,000\u00a0USDC')
  })
})

describe('in a text from right to left', () => {
  afterEach(() => {
    document.dir = 'ltr'
  })

  it('amounts keep their order; elsewhere nothing is added to them', () => {
    const texts = () => [
      usd('12'),
      usd('0'),
      usd('0.001'),
      usdExact('12'),
      assetAmount('49', 'USDC'),
      fullAmount('49', 'USDC'),
    ]
    const plain = texts()
    document.dir = 'rtl'
    expect(texts()).toEqual(plain.map((text) => `\u2066${text}\u2069`))
    document.dir = 'ltr'
    expect(texts()).toEqual(plain)
    expect(plain.join(' ')).not.toMatch(/[\u2066-\u2069]/)
  })
})

describe('shortHash', () => {
  it('keeps four characters at each end, the 0x of a family not counted', () => {
    expect(shortHash('0x9f3c000000000000a01b')).toBe('9f3c…a01b')
    expect(shortHash('9f3c000000000000a01b')).toBe('9f3c…a01b')
  })
})

describe('shortAddress', () => {
  it('keeps four characters at each end', () => {
    expect(shortAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe('0x5a…eAed')
    expect(shortAddress('abcdefghi')).toBe('abcdefghi')
    expect(shortAddress('0x5aAeb6053F3E94', 6)).toBe('0x5aAe…3F3E94')
  })
})
