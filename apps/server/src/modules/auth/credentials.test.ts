import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { isSetupCode, newSessionCredentials, newSetupCode } from './credentials.ts'

describe('auth.newSessionCredentials', () => {
  it('makes three different secrets in the documented forms', () => {
    const { key, access, refresh } = newSessionCredentials()
    expect(key.text).toMatch(/^ks_[\w-]{43}$/)
    expect(access.text).toMatch(/^ka_[\w-]{43}$/)
    expect(refresh.text).toMatch(/^kr_[\w-]{43}$/)
    expect(new Set([key.text.slice(3), access.text.slice(3), refresh.text.slice(3)]).size).toBe(3)
  })

  it('stores the SHA-256 of the text', () => {
    const { key } = newSessionCredentials()
    expect(key.hash).toEqual(createHash('sha256').update(key.text).digest())
  })
})

describe('auth.newSetupCode', () => {
  it('is found again however it was typed, and no other code is', () => {
    const code = newSetupCode()
    expect(code.text).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    expect(isSetupCode(code.text.toLowerCase().replaceAll('-', ' '), code.hash)).toBe(true)
    expect(isSetupCode(newSetupCode().text, code.hash)).toBe(false)
    expect(isSetupCode('', code.hash)).toBe(false)
  })
})
