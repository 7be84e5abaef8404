import { describe, expect, it } from 'vitest'

import { PROMOTER } from '../../testing/promoter.ts'
import { renderPromoter } from './page.ts'
import type { PromoterView } from './view.ts'

const { page } = PROMOTER

/** Together they show everything that the page may hold. */
const STATES: readonly Partial<PromoterView>[] = [
  { page: { ...page, balances: page.balances.map((one) => ({ ...one, earned: '123456' })) } },
  { page: { ...page, referrer: { ...page.referrer, status: 'inactive' } } },
]

/** Stated by the brand's own sheet. */
const OF_BRAND = ['brand', 'on-brand', 'edge-light', 'edge-dark']

/** The text in the parentheses of a pattern, for each match. */
function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, part = '']) => part)
}

function missingIn(names: readonly string[], others: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !others.includes(name))
}

describe.each([undefined, 'light', 'dark'] as const)('the style of the page of a promoter, theme %s', (theme) => {
  const drawn = STATES.map((state) => renderPromoter({ ...PROMOTER, ...state, ...(theme && { theme }) }).html)
  const [sheet = ''] = found(drawn[0] ?? '', /<style>(.*?)<\/style>/gs)

  it('has no rule of what the page never holds', () => {
    const held = found(drawn.join(''), / class="([^"]*)"/g).flatMap((names) => names.split(' '))
    expect(missingIn(found(sheet, /\.([a-z][\w-]*)/g), held)).toEqual([])
  })

  it('states the colours that it uses, and no other', () => {
    const [stated, used] = [found(sheet, /--([\w-]+):/g), found(sheet, /var\(--([\w-]+)\)/g)]
    expect(missingIn(stated, used)).toEqual([])
    expect(missingIn(used, [...stated, ...OF_BRAND])).toEqual([])
    expect(sheet.includes('prefers-color-scheme')).toBe(theme === undefined)
  })
})
