import { createHmac } from 'node:crypto'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { hmacFrom, hmacStates } from './hmac-states.ts'
import { newKey } from './new-key.ts'

describe('api-keys.hmacFrom', () => {
  it('is the HMAC-SHA256 of any key of a block at most, and any message', () => {
    const keys = fc.string({ unit: 'grapheme-ascii', maxLength: 64 })
    fc.assert(
      fc.property(keys, fc.uint8Array({ maxLength: 300 }), (key, message) => {
        const expected = createHmac('sha256', key).update(message).digest()
        expect(hmacFrom(hmacStates(key), message)).toEqual(expected)
      }),
    )
  })

  it('agrees with RFC 4231, test case 2', () => {
    const hmac = hmacFrom(hmacStates('Jefe'), Buffer.from('what do ya want for nothing?')).toString('hex')
    expect(hmac).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
  })

  it('holds every key of ours in 64 bytes, without its text', () => {
    const { text } = newKey('mainnet')
    const states = hmacStates(text)
    expect(states).toHaveLength(64)
    expect(states.toString('latin1')).not.toContain(text.slice(8, 20))
    expect(() => hmacStates('k'.repeat(65))).toThrow(RangeError)
  })
})
