import { argon2Sync } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { readEnvironment } from '../../../config/config.ts'
import { testConfig } from '../../../testing/config.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'

/** What a test need not pay the real cost for, it does not. */
const ctx = { config: testConfig('postgres://nowhere'), memory: new Map() }
const { passwordCost } = readEnvironment({})
const real = { config: testConfig('postgres://nowhere', { passwordCost }), memory: new Map() }
const hash = (password: string, by = ctx) => hashPassword(by, { password, network: '203.0.113.9' })
const verify = (password: string, stored: string | null, by = ctx) =>
  verifyPassword(by, { password, network: '203.0.113.9' }, stored)

describe('auth.verifyPassword', () => {
  it('knows the password it hashed and no other', async () => {
    const stored = await hash('Correct horse 1!', real)
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    expect(await verify('Correct horse 1!', stored)).toBe(true)
    expect(await verify('Correct horse 1?', stored)).toBe(false)
  })

  it('salts: equal passwords have different hashes', async () => {
    const [one, other] = await Promise.all([hash('Same 1!'), hash('Same 1!')])
    expect(one).not.toBe(other)
  })

  it('reads the cost from the stored text, so that the cost may change', async () => {
    const nonce = Buffer.from('somesaltsomesalt')
    const cost = { parallelism: 2, tagLength: 32, memory: 64, passes: 4 }
    const derived = argon2Sync('argon2id', { message: 'Older 1!', nonce, ...cost })
    const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
    expect(await verify('Older 1!', `$argon2id$v=19$m=64,t=4,p=2$${text(nonce)}$${text(derived)}`)).toBe(true)
  })

  it('takes a password typed on another system, where letters are composed differently', async () => {
    expect(await verify('Stra\u00dfe \u00e9 1!', await hash('Stra\u00dfe e\u0301 1!'))).toBe(true)
  })

  it('says no to every password when there is no hash, after the same work', async () => {
    const started = performance.now()
    expect(await verify('', null, real)).toBe(false)
    const unknownMs = performance.now() - started
    expect(unknownMs).toBeGreaterThan(20)
  })

  it('runs any number of checks, two at a time', async () => {
    const stored = await hash('Correct horse 1!')
    const answers = await Promise.all(
      ['Correct horse 1!', 'x', 'Correct horse 1!', 'y', 'z'].map((password) => verify(password, stored)),
    )
    expect(answers).toEqual([true, false, true, false, false])
  })
})
