import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../../testing/document.ts'
import { PROMOTER } from '../../testing/promoter.ts'
import { LONG_ENGLISH } from '../../testing/pseudo.ts'
import { inlineHash } from '../layout/style.ts'
import { translatorOf } from '../text/translator.ts'
import { renderExpired, renderPromoter } from './page.ts'
import type { PromoterView } from './view.ts'

const draw = (changes: Partial<PromoterView> = {}) => parseDocument(renderPromoter({ ...PROMOTER, ...changes }).html)
const withPage = (changes: Partial<PromoterView['page']>) => draw({ page: { ...PROMOTER.page, ...changes } })

describe('the page of a promoter', () => {
  it('says what there is to share, and copies it', () => {
    const document = draw()
    expect(textOf(document.querySelector('h1'))).toBe('Your referrals')
    expect(document.querySelector('#copy-code')?.getAttribute('data-copy')).toBe('K7Q2M9A')
    expect(textOf(document.querySelector('#copy-code'))).toBe('Copy code')
    expect(document.querySelector('#copy-link')?.getAttribute('data-copy')).toBe('https://acme.example/?ref=K7Q2M9A')
    expect(withPage({ referrer: { ...PROMOTER.page.referrer, link: '' } }).querySelector('#copy-link')).toBeNull()
  })

  it('shows what was earned, by currency', () => {
    const tiles = [...draw().querySelectorAll('.tiles')].map((list) =>
      [...list.querySelectorAll('div')].map((tile) => [...tile.children].map((part) => textOf(part))),
    )
    expect(tiles[0]).toEqual([
      ['Earned', '$312.00'],
      ['Ready', '$120.00'],
      ['Held', '$40.00'],
      ['Paid out', '$152.00'],
    ])
    expect(tiles).toHaveLength(2)
  })

  it('tells of campaigns in sentences', () => {
    const said = [...draw().querySelectorAll('.part li')].map((part) => textOf(part))
    expect(said[0]).toBe(
      'Spring You get 10% of the purchase, at most $50.00. Each person who comes with your link gets $5.00. Once per person. 12 days left.',
    )
    expect(said[1]).toBe('Always You get 2.5 USDC. 3 times per person. <b>For all</b>')
  })

  it('says of each reward and withdrawal what became of it', () => {
    const rows = [...draw().querySelectorAll('.rows li')].map((row) => textOf(row))
    expect(rows.slice(0, 4).map((row) => row.split('$4.90 ')[1])).toEqual(['Ready', 'Held', 'Paid out', 'Reversed'])
    expect(rows[4]).toContain('$40.00 on Base')
    expect(rows[4]).toContain('Waits for the shop')
    expect(rows[6]).toContain('40 USDC on Base')
    expect(rows[7]).toContain('Not paid, and ready again We could not reach you')
    const [first] = draw().querySelectorAll('.rows .grouped')
    expect([...(first?.querySelectorAll('span') ?? [])].map((group) => textOf(group).length)).toEqual([
      6, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    ])
    expect(draw().querySelector('a[target=_blank]')?.getAttribute('href')).toBe('https://basescan.org/tx/0xabc')
  })

  it('asks for amount, coin and address; the code comes after', () => {
    const document = draw()
    expect(document.querySelector('#amount')?.getAttribute('value')).toBe('120')
    expect([...document.querySelectorAll('#asset option')].map((option) => option.getAttribute('value'))).toEqual([
      'BASE:USDC',
      'ETH:ETH',
    ])
    expect([...document.querySelectorAll('#source option')].map((option) => option.getAttribute('value'))).toEqual([
      'USD',
      'USDC',
    ])
    expect([...document.querySelectorAll('#source option')].map(textOf)).toEqual(['$120.00', '5 USDC'])
    expect(document.querySelector('#confirmation')?.hasAttribute('hidden')).toBe(true)
    expect(textOf(document.querySelector('noscript'))).toContain('JavaScript')
    expect(JSON.parse(document.querySelector('#withdrawal')?.getAttribute('data-refusals') ?? '{}')).toMatchObject({
      WITHDRAWAL_BELOW_MINIMUM: 'The smallest withdrawal is $10.00.',
    })
  })

  it('offers no withdrawal of nothing, and none to who is switched off', () => {
    const nothing = withPage({ balances: [] })
    expect(nothing.querySelector('#withdrawal')).toBeNull()
    expect(textOf(nothing.querySelector('#withdraw'))).toBe('From $10.00 on.')
    const off = withPage({ referrer: { ...PROMOTER.page.referrer, status: 'inactive' } })
    expect(off.querySelector('#withdraw')).toBeNull()
    const note = off.querySelector('.note')
    expect(textOf(note)).toContain('What you earned stays yours; ask Acme.')
    // A note sets what stands in it apart: the shop's name would stand between gaps.
    expect(note?.childNodes).toHaveLength(1)
  })

  it('is empty with a sentence', () => {
    const document = draw({ rewards: [], withdrawals: [] })
    expect(textOf(document.querySelector('#facts'))).toContain('Share your link.')
  })

  it('changes its language at its own address, and every word is from the catalogue', () => {
    const document = draw()
    expect(document.querySelector('#languages [lang=ar]')?.getAttribute('href')).toBe('/referral/kref_token?lang=ar')
    const long = draw({ translator: translatorOf(LONG_ENGLISH), rewards: [], withdrawals: [] })
    expect(textOf(long.querySelector('h1'))).not.toBe('Your referrals')
  })

  it('sends no referrer with its links', () => {
    expect(draw().querySelector('meta[name=referrer]')?.getAttribute('content')).toBe('no-referrer')
  })

  it('is one document: styles and script stand in it, sealed by their hashes', () => {
    const { html, styleHashes, scriptHashes } = renderPromoter(PROMOTER)
    const inside = (tag: string) =>
      [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text = '']) => inlineHash(text))
    expect([inside('style'), inside('script')]).toEqual([styleHashes, scriptHashes])
    expect(html).not.toMatch(/<(link|script)[^>]*(stylesheet|src=)/)
    expect(renderPromoter({ ...PROMOTER, script: '' }).html).not.toContain('<script')
  })

  it('says that a link has expired', () => {
    expect(textOf(parseDocument(renderExpired().html).querySelector('main'))).toBe(
      'This link has expired. Open it again from the shop.',
    )
  })
})
