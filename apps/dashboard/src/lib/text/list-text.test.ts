import { describe, expect, it } from 'vitest'

import { listText } from './list-text.ts'

describe('a list in a sentence', () => {
  it('parts names with commas, and with a word where the sentence needs one', () => {
    expect(listText([])).toBe('')
    expect(listText(['Acme'])).toBe('Acme')
    expect(listText(['ETH', 'BTC', 'TRX'])).toBe('ETH, BTC, TRX')
    expect(listText(['ETH', 'BTC', 'TRX'], 'conjunction')).toBe('ETH, BTC, and TRX')
  })
})
