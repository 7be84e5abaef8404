import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../testing/document.ts'
import { NOW, PROJECT, SAMPLES } from '../testing/samples.ts'
import { renderCheckout } from './page.ts'
import type { CheckoutView } from './view.ts'

function draw(view: CheckoutView) {
  return parseDocument(renderCheckout(view).html)
}

describe('checkout.options', () => {
  const shop = (more: Partial<typeof PROJECT>, view: CheckoutView = SAMPLES.cancelled) =>
    draw({ ...view, project: { ...PROJECT, ...more } })
  const themes = (document: ReturnType<typeof draw>) =>
    [...document.querySelectorAll('#themes a')].map((link) => [
      new URLSearchParams(link.getAttribute('href')?.split('?')[1]).get('theme'),
      link.getAttribute('aria-current'),
    ])

  it('draws the colours of the project, and lets the reader have those of the device', () => {
    const dark = shop({ checkoutTheme: 'dark' })
    expect(dark.documentElement.getAttribute('data-theme')).toBe('dark')
    expect(themes(dark)).toEqual([
      ['system', null],
      ['light', null],
      ['dark', 'true'],
    ])
    const system = shop({ checkoutTheme: 'dark' }, { ...SAMPLES.cancelled, theme: 'system' })
    expect(system.documentElement.getAttribute('data-theme')).toBeNull()
    expect(themes(system)[0]).toEqual(['system', 'true'])
    expect(themes(shop({}))[0]).toEqual([null, 'true'])
  })

  it('names the way back in the shop’s own words', () => {
    const back = (backText: string) => textOf(shop({ backText }).querySelector('.actions a'))
    expect([back('To your cart'), back('')]).toEqual(['To your cart', 'Back to Acme'])
  })

  it('shows until when a link can be paid before a price is taken, with its day where that is not near', () => {
    const ends = (minutes: number) => {
      const expiresAt = new Date(NOW.getTime() + minutes * 60_000)
      const time = draw({ ...SAMPLES.choose, payment: { ...SAMPLES.choose.payment, expiresAt } }).querySelector('time')
      return [time?.getAttribute('datetime'), textOf(time)]
    }
    const [at, near] = ends(60)
    expect(at).toBe(new Date(NOW.getTime() + 3_600_000).toISOString())
    expect(near).toMatch(/^until \d\d:\d\d UTC$/)
    expect(ends(7 * 24 * 60)[1]).toMatch(/^until \d+ \w+ 20\d\d, \d\d:\d\d UTC$/)
  })
})
