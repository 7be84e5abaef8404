import { describe, expect, it } from 'vitest'

import { choiceValue, readChoice } from './choice.ts'

describe('choice', () => {
  it('reads back what the radio button posts', () => {
    const asset = choiceValue({ blockchainCode: 'BASE', currencyCode: 'USDC' })
    expect(readChoice({ asset })).toEqual({ blockchain_code: 'BASE', currency_code: 'USDC' })
  })

  it('reads the two fields of Y11 as well', () => {
    const fields = { blockchain_code: 'BTC', currency_code: 'BTC' }
    expect(readChoice(fields)).toEqual(fields)
  })

  it('refuses anything else', () => {
    for (const fields of [
      {},
      { asset: 'BASE' },
      { asset: 'BASE:<b>' },
      { asset: ['BASE:USDC'] },
      { blockchain_code: 'BASE' },
    ]) {
      expect(readChoice(fields)).toBeNull()
    }
  })
})
