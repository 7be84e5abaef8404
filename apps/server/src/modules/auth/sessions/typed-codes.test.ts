import { describe, expect, it } from 'vitest'

import { hashTypedCode, newTypedCode } from './typed-codes.ts'

describe('auth.newTypedCode', () => {
  it('is found again however it was typed, and no other code is', () => {
    const code = newTypedCode()
    expect(code.text).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    expect(hashTypedCode(` ${code.text.toLowerCase().replaceAll('-', ' ')}`)).toEqual(code.hash)
    expect(hashTypedCode(newTypedCode().text)).not.toEqual(code.hash)
    expect(hashTypedCode('')).not.toEqual(code.hash)
  })
})
