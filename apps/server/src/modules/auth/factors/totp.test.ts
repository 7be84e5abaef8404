import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { checkTotp, otpauthUri, secretText, totpCode } from './totp.ts'

/** The secret of RFC 6238, appendix B, for SHA-1. */
const SECRET = Buffer.from('12345678901234567890')

const at = (seconds: number) => new Date(seconds * 1000)
const check = (code: string, seconds: number, { lastStep = 0, isOwner = false } = {}) =>
  checkTotp(SECRET, code, { now: at(seconds), lastStep, isOwner })

/** Appendix B has eight digits; ours are the last six of them. */
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const

describe('auth.checkTotp', () => {
  it.each(VECTORS)('takes the code of RFC 6238 at %d', (seconds, code) => {
    expect(check(code.slice(2), seconds)).toEqual({ step: Math.floor(seconds / 30) })
  })

  it('takes a code of one step early or late, and none further away', () => {
    const now = 1_111_111_109
    const step = Math.floor(now / 30)
    for (const by of [-1, 0, 1]) expect(check(totpCode(SECRET, step + by), now)).toEqual({ step: step + by })
    expect(check(totpCode(SECRET, step + 2), now)).toEqual({ refused: { code: 'unknown', params: {} } })
    expect(check(totpCode(SECRET, step - 2), now)).toMatchObject({ refused: { code: 'clock_behind' } })
  })

  it('takes a step once, and none before it', () => {
    expect.hasAssertions()
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 10 ** 9 }), fc.integer({ min: -1, max: 1 }), (step, by) => {
        const code = totpCode(SECRET, step + by)
        const taken = check(code, step * 30)
        // Two steps may have one code by chance; the one that counts is then the nearest.
        expect(taken).toHaveProperty('step')
        if (!('step' in taken)) return
        const again = check(code, step * 30, { lastStep: Math.max(taken.step, step + 1) })
        expect(again).toEqual({ refused: { code: 'used', params: {} } })
      }),
      { numRuns: 200 },
    )
  })

  it('says that the clock is five minutes off, and only to the owner which code will be right', () => {
    const now = 1_234_567_890
    const [late, early] = [-10, 10].map((by) => totpCode(SECRET, Math.floor(now / 30) + by))
    const behind = { refused: { code: 'clock_behind', params: { minutes: 5 } } }
    expect(check(late ?? '', now)).toEqual(behind)
    expect(check(late ?? '', now, { isOwner: true })).toEqual(behind)
    expect(check(early ?? '', now, { isOwner: true })).toEqual({
      refused: { code: 'clock_ahead', params: { minutes: 5 } },
    })
    expect(check(early ?? '', now)).toEqual({ refused: { code: 'unknown', params: {} } })
  })

  it.each(['', '12345', '1234567', '12345a', '１２３４５６', '-12345'])('refuses %j', (code) => {
    expect(check(code, 59)).toEqual({ refused: { code: 'unknown', params: {} } })
  })

  it('reads a code that was typed in two groups', () => {
    expect(check(' 287 082 ', 59)).toEqual({ step: 1 })
  })
})

describe('auth.otpauthUri', () => {
  it('names the account and the secret as apps read them', () => {
    expect(secretText(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    const uri = new URL(otpauthUri(SECRET, 'owner@shop.example'))
    expect([uri.protocol, decodeURIComponent(uri.pathname)]).toEqual(['otpauth:', '/Kassa:owner@shop.example'])
    expect(uri.searchParams.get('secret')).toBe(secretText(SECRET))
    expect(uri.searchParams.get('issuer')).toBe('Kassa')
  })
})
