import { describe, expect, it } from 'vitest'

import { dayOf, storedDecimals, storedSymbol, shownClaim } from './rules.ts'

const shown = (symbol: string | null, decimals: number | null = 6, units = 12_500_000n) =>
  shownClaim({ symbol, decimals, units })

/** The last ones are written with Cyrillic, Armenian, accented and full-width letters. */
const LOOK_ALIKES = [
  ...['USDC', 'usdc', ' USDC ', 'U5DC', 'U.S.D.C', 'USD Coin', 'USDC.e', 'USDCX', 'MATIC', 'ETH', '3TH'],
  ...['USD\u0421', '\u054dSDC', '\u00dcSDC', '\uff35\uff33\uff24\uff23'],
]

/** The last ones are a Greek letter, and a word that is drawn from right to left. */
const NO_WORDS = [
  ...['https://win.example', 'win.example', '<b>DAI</b>', 'DAI DAI', 'a'.repeat(12), '$DAI', ''],
  ...['\u0394', '\u202eIAD'],
]

describe('unlisted-transfers.shownClaim', () => {
  it('shows an honest name with its amount', () => {
    expect(shown('DAI')).toEqual({ symbol: 'DAI', isLookAlike: false, amount: '12.5' })
    expect(shown('WETH').symbol).toBe('WETH')
    expect(shown('USDbC').symbol).toBe('USDbC')
  })

  it.each(LOOK_ALIKES)('shows no name that people take for a listed one: %s', (symbol) => {
    expect(shown(symbol)).toMatchObject({ symbol: null, isLookAlike: true })
  })

  it.each(NO_WORDS)('shows no name that is more than a word: %s', (symbol) => {
    expect(shown(symbol)).toMatchObject({ symbol: null, isLookAlike: false })
  })

  it('shows no amount without decimals, and none that means nothing', () => {
    expect(shown('DAI', null).amount).toBeNull()
    expect(shown('DAI', 0, 10n ** 15n).amount).toBeNull()
    expect(shown('DAI', 0, 10n ** 15n - 1n).amount).toBe('999999999999999')
    expect(shown(null, 18, 1n).amount).toBe('0.000000000000000001')
  })
})

describe('unlisted-transfers: what is kept', () => {
  it('cuts a name, and takes out what a database or a terminal stumbles over', () => {
    expect(storedSymbol('x'.repeat(1_000))).toHaveLength(64)
    expect(storedSymbol('D\u0000A\u001b[31mI\ud800')).toBe('DA[31mI\ufffd')
    expect(storedSymbol(`${'x'.repeat(63)}\u{1f600}`)).toBe(`${'x'.repeat(63)}\ufffd`)
    expect(storedSymbol('\u0007')).toBeNull()
    expect(storedSymbol(null)).toBeNull()
  })

  it('believes decimals that an amount can have', () => {
    expect([0, 36, 37, 255, -1, 1.5, null].map(storedDecimals)).toEqual([0, 36, null, null, null, null, null])
  })

  it('counts days by their begin in UTC', () => {
    expect(dayOf(new Date('2026-01-31T23:59:59.999Z'))).toEqual(new Date('2026-01-31T00:00:00.000Z'))
  })
})
