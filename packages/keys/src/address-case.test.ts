import { describe, expect, it } from 'vitest'
import { foldLike, inCapitals, isSameAddress } from './address-case.ts'

const EVM = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const TRON = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

describe('keys.isSameAddress', () => {
  it.each([
    [EVM, EVM.toLowerCase()],
    [EVM, `0X${EVM.slice(2).toUpperCase()}`],
    [EVM, ` ${EVM}\n`],
    [SEGWIT, SEGWIT.toUpperCase()],
    [TRON, TRON],
  ])('takes %s and %s for one', (one, other) => {
    expect([isSameAddress(one, other), isSameAddress(other, one)]).toEqual([true, true])
  })

  it.each([
    [TRON, TRON.toLowerCase()],
    ['TB1qSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'tb1qsdksodhqmezwihtdobin46zxhgwydh'],
    [EVM, EVM.slice(0, -1)],
    [EVM, ''],
  ])('tells %s from %s', (one, other) => {
    expect(isSameAddress(one, other)).toBe(false)
  })
})

describe('keys.foldLike', () => {
  it('folds a text that only holds an address as the address allows', () => {
    const uri = `ethereum:${EVM}@1`
    expect(foldLike(EVM, uri)).toBe(uri.toLowerCase())
    expect(foldLike(TRON, uri)).toBe(uri)
  })
})

describe('keys.inCapitals', () => {
  it('changes what stays the same address, and nothing else', () => {
    expect([SEGWIT, TRON, EVM].map(inCapitals)).toEqual([SEGWIT.toUpperCase(), TRON, EVM])
  })
})
