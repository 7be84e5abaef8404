import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uuidv7 } from './ids.ts'

const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const random = fc.uint8Array({ minLength: 10, maxLength: 10 })

describe('ids.uuidv7', () => {
  it('prints the example of RFC 9562 appendix A.6', () => {
    // rand_a is 0xCC3, rand_b 0x18C4DC0C0C07398F; four bits of the first and two of the third byte are not used.
    const bytes = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f])
    expect(uuidv7(0x017f22e279b0, bytes)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')
  })

  it('has the version, the variant and its time', () => {
    fc.assert(
      fc.property(time, random, (ms, bytes) => {
        const id = uuidv7(ms, bytes)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(ms)
      }),
    )
  })

  it('sorts by time', () => {
    fc.assert(
      fc.property(time, time, random, random, (a, b, one, other) => {
        fc.pre(a < b)
        expect(uuidv7(a, one) < uuidv7(b, other)).toBe(true)
      }),
    )
  })

  it('uses 74 random bits', () => {
    const ids = new Set(Array.from({ length: 80 }, (_, bit) => uuidv7(0, oneBit(bit))))
    expect(ids.size).toBe(75)
  })

  it('refuses other times and sizes', () => {
    const bytes = new Uint8Array(10)
    for (const ms of [-1, 0.5, 2 ** 48, Number.NaN]) expect(() => uuidv7(ms, bytes)).toThrow(RangeError)
    expect(() => uuidv7(0, new Uint8Array(9))).toThrow(RangeError)
  })
})

function oneBit(bit: number): Uint8Array {
  const bytes = new Uint8Array(10)
  bytes[bit >> 3] = 128 >> (bit & 7)
  return bytes
}
