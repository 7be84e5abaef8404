import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { checkCharacters, newKey } from './new-key.ts'

describe('apiKeys.newKey', () => {
  it('says whether real money moves', () => {
    expect(newKey('mainnet').text).toMatch(/^kp_live_[\w-]{43}[0-9A-Za-z]{6}$/)
    expect(newKey('sandbox').text).toMatch(/^kp_test_[\w-]{43}[0-9A-Za-z]{6}$/)
    expect(newKey('testnet').text).toMatch(/^kp_test_/)
  })

  it('keeps the hash, and of the text only both ends', () => {
    const key = newKey('sandbox')
    expect(key.hash).toEqual(createHash('sha256').update(key.text).digest())
    expect(key.prefix).toBe(key.text.slice(0, 12))
    expect(key.last4).toBe(key.text.slice(-4))
  })

  it('ends in check characters of all that stands before them', () => {
    const { text } = newKey('sandbox')
    expect(checkCharacters(text.slice(0, -6))).toBe(text.slice(-6))
  })
})

describe('apiKeys.checkCharacters', () => {
  it('is CRC-32 in six digits of base 62', () => {
    // CRC-32 of "123456789" is 0xcbf43926 = 3421780262 (the check value of the CRC catalogue).
    expect(checkCharacters('123456789')).toBe('3jZRME')
  })
})
