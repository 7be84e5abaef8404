import { createHash } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { newSessionCredentials } from './credentials.ts'

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
