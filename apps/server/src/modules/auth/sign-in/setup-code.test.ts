import { describe, expect, it } from 'vitest'

import { normalizeSetupCode } from './rules.ts'
import { isSetupCode, newSetupCode } from './setup-code.ts'

describe('auth.newSetupCode', () => {
  it('is found again however it was typed, and no other code is', () => {
    const code = newSetupCode()
    expect(code.text).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    expect(isSetupCode(code.text.toLowerCase().replaceAll('-', ' '), code.hash)).toBe(true)
    expect(isSetupCode(newSetupCode().text, code.hash)).toBe(false)
    expect(isSetupCode('', code.hash)).toBe(false)
  })
})

describe('auth.normalizeSetupCode', () => {
  it('reads a code in any case, with or without dashes', () => {
    expect(normalizeSetupCode(' k7qm-2xwd 9fhtbn4p ')).toBe('K7QM2XWD9FHTBN4P')
  })
})
