import fc from 'fast-check'
import { newPassword } from '@kassa/contract/operators/schemas.ts'
import { describe, expect, it } from 'vitest'

import { COMMON_WORDS } from './common-words.ts'
import { readCommonPasswords } from './common-passwords.ts'

const isCommon = readCommonPasswords()

describe('readCommonPasswords', () => {
  it.each([
    'Password1!',
    'P@ssw0rd',
    'P@55w0rD!',
    'pASSWORD@123',
    'Passw0rd2024#',
    'Welcome123!',
    'We1come!',
    'Adm1n@2023',
    'Admin@123',
    'Qwerty123$',
    '!Qwerty1',
    '1Qaz@wsx',
    'Abcd@1234',
    'Aa123456!',
    'Aa@12345678',
    'Summer2025!',
    'ILoveYou1!!',
    'DragonDragon1!',
    'L3tm31n!',
    '123Monkey#',
    'Michael1985.',
    'Michael4711!',
    'Anna24121998!',
    'Februar2024!',
    'Lunes123$',
    'Qwertz12345!',
    'Azerty1234!',
    '1qaz!QAZ',
    'Zaq12wsx!',
    'Q1w2e3r4!',
    '1q2w3e4R!',
    'QWEasdzxc123!',
    'A1a1a1a1!',
    'Zzzz1111!!!',
    'Zyx987!!!',
    'Kassa123123!',
  ])('knows %s', (password) => {
    expect(newPassword.safeParse(password).success).toBe(true)
    expect(isCommon(password)).toBe(true)
  })

  it.each([
    'Correct.Horse9',
    'Another.Horse9',
    'Password-of-7-hens!',
    'tR8$kq!vZ2w',
    'Passwordy19!x',
    'Summer!Rain-41',
    'Michael-83920!',
    'Michael839207!',
    'Qwe!Tgb7Kp',
    '1.Aa'.repeat(32),
  ])('does not know %s', (password) => {
    expect(isCommon(password)).toBe(false)
  })

  it('recognises each of its words with any year and sign, in any spelling', () => {
    const sign = fc.constantFrom(...Array.from('.,?@*!$%#^&'))
    const letters = (word: string, capitals: readonly boolean[]) =>
      Array.from(word, (letter, at) => (capitals[at % capitals.length] ? letter.toUpperCase() : letter)).join('')
    fc.assert(
      fc.property(
        fc.constantFrom(...COMMON_WORDS),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1950, max: 2040 }),
        sign,
        (word, capitals, year, end) => {
          expect(isCommon(`${letters(word, capitals)}${year}${end}`)).toBe(true)
        },
      ),
    )
  })

  it('recognises no generated password', () => {
    const signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,?@*!$%#^&-_'
    const made = fc.array(fc.constantFrom(...Array.from(signs)), { minLength: 14, maxLength: 128 })
    fc.assert(
      fc.property(made, (letters) => {
        expect(isCommon(letters.join(''))).toBe(false)
      }),
    )
  })

  it('takes no longer for adversarial input', () => {
    const typed = ['P@ssw0rd', '1!'.repeat(20), '111111'.repeat(6), `${'a1!'.repeat(12)}Zz`, 'x'.repeat(128)]
    const began = performance.now()
    for (let round = 0; round < 20; round += 1) typed.forEach(isCommon)
    // Far above what it takes, on a busy machine too, and far below what going through every division would.
    expect((performance.now() - began) / (20 * typed.length)).toBeLessThan(20)
  })
})
