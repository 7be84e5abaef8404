import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { covers, listOf } from './approvals.ts'

const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
const digests = fc.uniqueArray(digest, { minLength: 1, maxLength: 8, selector: (one) => one.toString('hex') })

describe('the digest of a list of payouts (X-2)', () => {
  it('covers each of its payouts, in whatever order they were chosen', () => {
    fc.assert(
      fc.property(digests, (some) => {
        const list = listOf(some)
        expect(some.every((one) => covers(list, one))).toBe(true)
        expect(listOf(some.toReversed())).toEqual(list)
      }),
    )
  })

  it('covers no other bytes, also where they were put among its items afterwards', () => {
    fc.assert(
      fc.property(digests, digest, (some, stranger) => {
        fc.pre(!some.some((one) => one.equals(stranger)))
        const list = listOf(some)
        expect(covers(list, stranger)).toBe(false)
        const changed = { ...list, items: [stranger, ...list.items.slice(1)] }
        expect(covers(changed, stranger)).toBe(false)
        expect(covers({ ...list, items: [...list.items, stranger] }, stranger)).toBe(false)
      }),
    )
  })

  it('is another one for every other set of payouts, and never that of one payout', () => {
    fc.assert(
      fc.property(digests, digests, (some, others) => {
        const [one, other] = [listOf(some), listOf(others)]
        expect(one.digest.equals(other.digest)).toBe(Buffer.concat(one.items).equals(Buffer.concat(other.items)))
        expect(one.items.some((item) => item.equals(one.digest))).toBe(false)
      }),
    )
  })

  it('is the SHA-256 over a prefix and the sorted digests', () => {
    const [a, b] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const expected = createHash('sha256')
      .update(Buffer.concat([Buffer.from('kassa payouts\n'), a, b]))
      .digest()
    expect(listOf([b, a]).digest).toEqual(expected)
  })
})
