import { describe, expect, it } from 'vitest'

import { maskEmail } from './rules.ts'

describe('auth.maskEmail', () => {
  it.each([
    ['owner@shop.example', 'o…r@shop.example'],
    ['anna@shop.example', 'a…a@shop.example'],
    ['joe@shop.example', 'j…@shop.example'],
    ['jo@x.io', 'j…@x.io'],
    ['a@x.io', '…@x.io'],
  ])('shows %s as %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })
})
