import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashFrom, stateAfter } from './sha256-states.ts'

describe('api-keys.hashFrom', () => {
  it('is SHA-256 of a block and a rest of every length up to four blocks', () => {
    for (let length = 0; length <= 256; length++) {
      const [block, rest] = [randomBytes(64), randomBytes(length)]
      const expected = createHash('sha256').update(block).update(rest).digest('hex')
      expect(hashFrom(stateAfter(block), rest).toString('hex'), `${length} bytes`).toBe(expected)
    }
  })

  it('takes up a state that lies anywhere in a buffer, and leaves it as it was', () => {
    const block = randomBytes(64)
    const within = Buffer.concat([randomBytes(3), stateAfter(block)]).subarray(3)
    expect(hashFrom(within, Buffer.from('ab'))).toEqual(createHash('sha256').update(block).update('ab').digest())
    expect(within).toEqual(stateAfter(block))
  })
})
