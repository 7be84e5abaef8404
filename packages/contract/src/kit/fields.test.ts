import { describe, expect, it } from 'vitest'

import { positiveUsd } from './fields.ts'

describe('fields.positiveUsd', () => {
  const amount = positiveUsd('Amount')

  it('reads an amount however many zeros stand before it', () => {
    expect(amount.parse(`${'0'.repeat(1000)}12.50`)).toBe('12.50')
    expect(amount.parse(`${'0'.repeat(120)}1`)).toBe('1')
    expect(amount.parse('0.5')).toBe('0.5')
  })

  it('refuses zero, however long, and more digits than an amount has', () => {
    for (const text of ['0'.repeat(200), '-0001', '0.0000001', `${'0'.repeat(120)}1234567890123`])
      expect(amount.safeParse(text).success).toBe(false)
  })
})
