import { describe, expect, it } from 'vitest'

import { type Clues, type Comparable, fits } from './without-hash-rules.ts'

const transfer: Comparable = {
  from: '0xsender',
  to: '0xours',
  units: 49_000_000n,
  decimals: 6,
  at: new Date('2026-01-31T12:00:00Z'),
}
const clues = (more: Partial<Clues>): Clues => ({ addresses: null, amount: null, day: null, ...more })

describe('payments.diagnose without a hash: what fits', () => {
  it('either end of a transfer, in any of the spellings', () => {
    for (const address of ['0xsender', '0xours'])
      expect(fits(clues({ addresses: ['x', address] }), transfer)).toBe(true)
    expect(fits(clues({ addresses: ['0xelse'] }), transfer)).toBe(false)
    expect(fits(clues({ addresses: ['null'] }), { ...transfer, from: null })).toBe(false)
  })

  it('an amount within a tenth, with more digits than the coin has too', () => {
    for (const amount of ['49', '49.0', '45', '54', '49.123456789']) {
      expect([amount, fits(clues({ amount }), transfer)]).toEqual([amount, true])
    }
    for (const amount of ['44.5', '55', '0', '490']) {
      expect([amount, fits(clues({ amount }), transfer)]).toEqual([amount, false])
    }
    expect(fits(clues({ amount: '49' }), { ...transfer, units: null })).toBe(false)
    expect(fits(clues({ amount: '5.4' }), { ...transfer, units: 5n, decimals: 0 })).toBe(true)
    expect(fits(clues({ amount: '0' }), { ...transfer, units: 0n })).toBe(true)
  })

  it('a day wherever the payer is, and the days beside it', () => {
    for (const day of ['2026-01-30', '2026-01-31', '2026-02-01']) expect(fits(clues({ day }), transfer)).toBe(true)
    for (const day of ['2026-01-27', '2026-02-04']) expect(fits(clues({ day }), transfer)).toBe(false)
  })

  it('all that is known together', () => {
    const known = clues({ addresses: ['0xsender'], amount: '49', day: '2026-01-31' })
    expect(fits(known, transfer)).toBe(true)
    expect(fits({ ...known, amount: '60' }, transfer)).toBe(false)
  })
})
