import { fileURLToPath } from 'node:url'

import type { Browser, Page } from 'playwright-core'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit, violationsNow, violationsOf } from './browser.ts'
import { expectGone, expectShown } from './spec/expect.ts'
import { isTaken, sayTurn } from './turns.ts'

sayTurn()

const DASHBOARD = fileURLToPath(new URL('../apps/dashboard', import.meta.url))

const PHONE = { width: 390, height: 844 }
/** What a phone without a button keeps for itself at the bottom edge. */
const HOME_BAR_PX = 34
const DESKTOP = { width: 1440, height: 900 }

/** What a press opens, by the name of its button. */
const OVERLAYS = [
  'Actions',
  'Say it went well',
  'Say it failed',
  'Open a dialog',
  'Open a long dialog',
  'Open a long text',
  'Open a bare dialog',
  'Open a filling dialog',
  'Open a form',
  'Open a question',
  'Open consequences',
  'Open a drawer',
]

/** The groups of the gallery that have them: the rules read all of a page again, whatever part of it they judge. */
const OPENERS = 'Actions,Feedback,What lies on top'

/** A dialog, a menu or a notice. */
const ON_TOP = 'dialog[open], :popover-open [role=menu], [aria-label=Notifications] > *, [aria-label=Errors] > *'

let gallery: ViteDevServer
let browser: Browser
let url: string
beforeAll(async () => {
  gallery = await createServer({ root: DASHBOARD, configFile: `${DASHBOARD}/vite.config.ts`, logLevel: 'error' })
  await gallery.listen(0)
  url = gallery.resolvedUrls?.local[0] ?? ''
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await gallery.close()
})

async function open(page: Page, direction: string): Promise<void> {
  await page.goto(`/gallery.html?dir=${direction}`)
  await page.getByRole('heading', { name: 'Gallery' }).waitFor()
}

/** How many pixels further the label of the first column ends than the figures below it, in the first table with any. */
const LABEL_PAST_FIGURES = `(() => {
  const end = (node) => {
    const text = document.createRange()
    text.selectNodeContents(node)
    return text.getBoundingClientRect().right
  }
  const figure = document.querySelector('tbody data')
  return Math.round(end(figure.closest('table').querySelector('thead button').firstChild) - end(figure))
})()`

/** Each direction and each width once, as all screens are looked at (spec/pages.test.ts). */
const cases = [
  { direction: 'rtl', viewport: PHONE },
  { direction: 'ltr', viewport: DESKTOP },
] as const

describe('gallery', () => {
  it.each(cases)('breaks no accessibility rule, $direction at $viewport.width px', async ({ direction, viewport }) => {
    const visit = await openVisit(browser, url, { viewport })
    await open(visit.page, direction)
    expect(await violationsOf(visit.page)).toEqual([])
    const page = 'document.documentElement'
    expect(await visit.page.evaluate(`${page}.scrollWidth - ${page}.clientWidth`)).toBeLessThanOrEqual(0)
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('keeps buttons clear of a phone’s home bar, on the page and in sheets', async () => {
    const visit = await openVisit(browser, url, { viewport: PHONE })
    const { page } = visit
    const steering = await page.context().newCDPSession(page)
    await steering.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: HOME_BAR_PX } })
    await open(page, 'ltr')
    const roomBelow = async (selector: string) => {
      const box = await page.locator(selector).last().boundingBox()
      return PHONE.height - (box === null ? PHONE.height : box.y + box.height)
    }
    await expect.poll(() => roomBelow('.page-actions button')).toBeGreaterThanOrEqual(HOME_BAR_PX)
    for (const [name, button] of [
      ['Open a long dialog', 'dialog[open] button'],
      ['Open a drawer', 'dialog[open] button'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => roomBelow(button)).toBeGreaterThanOrEqual(HOME_BAR_PX)
      await expect.poll(() => roomBelow('dialog[open]')).toBe(0)
      await page.keyboard.press('Escape')
      await expectGone(page.locator('dialog[open]'))
    }
    await visit.close()
  })

  it('ends the label of a figure column where its figures end, sorted by it or not', async () => {
    const visit = await openVisit(browser, url, { viewport: DESKTOP })
    const table = visit.page.locator('table', { hasText: '$49.00' }).first()
    for (const [query, sorted] of [
      ['', null],
      ['&sortBy=amount', 'descending'],
      ['&sortBy=amount&sortDirection=ASC', 'ascending'],
    ] as const) {
      await open(visit.page, `ltr${query}`)
      await expect.poll(() => table.locator('thead th').first().getAttribute('aria-sort')).toBe(sorted)
      expect(await visit.page.evaluate<number>(LABEL_PAST_FIGURES)).toBe(0)
    }
    await visit.close()
  })

  it.each(cases)('keeps them with more on top, $direction at $viewport.width px', async (look) => {
    const { direction, viewport } = look
    const visit = await openVisit(browser, url, { viewport })
    const found: string[] = []
    await open(visit.page, `${direction}&groups=${OPENERS}`)
    for (const name of OVERLAYS.filter((_name, at) => isTaken(at + cases.indexOf(look)))) {
      await visit.page.getByRole('button', { name, exact: true }).first().click()
      await expectShown(visit.page.locator(ON_TOP))
      // The content below was checked without it.
      found.push(...(await violationsNow(visit.page, { part: ON_TOP })).map((violation) => `${name}: ${violation}`))
      await visit.page.keyboard.press('Escape')
      await expectGone(visit.page.locator('dialog[open], :popover-open [role=menu]'))
    }
    expect(found).toEqual([])
    await visit.close()
  })
})
