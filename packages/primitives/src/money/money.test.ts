import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMoney, compareMoney, type Money, subtractMoney } from './money.ts'

const usdc = (units: bigint): Money => ({ units, asset: 7 })
const amount = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n })

describe('money', () => {
  it('gives back what was added', () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(subtractMoney(addMoney(usdc(a), usdc(b)), usdc(b))).toEqual(usdc(a))
      }),
    )
  })

  it('orders by units', () => {
    expect(compareMoney(usdc(1n), usdc(2n))).toBe(-1)
    expect(compareMoney(usdc(2n), usdc(2n))).toBe(0)
    expect(compareMoney(usdc(3n), usdc(2n))).toBe(1)
  })

  it.each([
    ['add', addMoney],
    ['subtract', subtractMoney],
    ['compare', compareMoney],
  ])('refuses to %s amounts of different assets', (_, combine) => {
    expect(() => combine(usdc(1n), { units: 1n, asset: 8 })).toThrow('different assets (7 and 8)')
  })
})
