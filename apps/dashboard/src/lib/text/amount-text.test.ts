import { describe, expect, it } from 'vitest'

import { CENTS, dollarErrors, amountError } from './amount-text.ts'

describe('an amount as it is typed', () => {
  it('is none that must be guessed at', () => {
    const wrong = ['1,5', '1.234,56', '1.234', '10.000', '1.2.3', '1,23,456', '5x', '1e3', '٣']
    expect(wrong.filter((text) => amountError(text, CENTS) === undefined)).toEqual([])
  })

  it('is one with the decimals of its currency, however its thousands are parted', () => {
    const right = ['', '0', '49', '49.', '.5', '49.5', '1,234', '12,345,678.90']
    expect(right.filter((text) => amountError(text, CENTS) !== undefined)).toEqual([])
    expect(amountError('0.000001', 6)).toBeUndefined()
    expect(amountError('0.0000001', 6)).toBe('At most 6 decimals')
  })

  it('is never read as less than what its digits say in another country’s writing', () => {
    const wholes = [1000, 1234, 9999, 10_000, 123_456, 1_000_000, 999_999_999]
    const german = new Intl.NumberFormat('de-DE')
    const exact = new Intl.NumberFormat('de-DE', { minimumFractionDigits: 2 })
    const writings = wholes.flatMap((whole) => [german.format(whole), exact.format(whole + 0.5)])
    expect(writings.filter((text) => amountError(text, CENTS) === undefined)).toEqual([])
  })

  it('has its error under its own name', () => {
    expect(dollarErrors({ least: '1', most: '1,5' }, ['least', 'most'])).toEqual({
      most: 'For decimals use a point, as in 1.50',
    })
  })
})
