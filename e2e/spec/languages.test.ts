import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Visit } from '../browser.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { expectShown } from './expect.ts'
import { type PseudoLocale, speakPseudo } from './pseudo-catalogue.ts'
import { PUBLIC_PAGES, SHELL_PAGES } from './screens.ts'

/** Texts that are not the dashboard's: the server says them, or the operator wrote them. */
const GIVEN = [/^(Acme|Nordlicht)$/, /^The sandbox runs local chains/]

let windows: OperatorWindows
beforeAll(async () => {
  windows = await openOperatorWindows()
})
afterAll(() => windows?.close())

async function windowIn(locale: PseudoLocale, width: number, who: 'visitor' | 'operator'): Promise<Visit> {
  const visit = await windows[who]({ viewport: { width, height: 900 } })
  await speakPseudo(visit.page.context(), locale)
  return visit
}

/** What stands on the page in plain English: lines of three words or more without an accent. */
async function plainEnglish(page: Page): Promise<readonly string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement
      if (holder.closest('script, style, noscript, code, pre') || !holder.checkVisibility()) continue
      found.push(node.data.trim())
    }
    return found
  })()`)
  return texts.filter(
    (text) =>
      /^[\x20-\x7e“”’…]*$/.test(text) &&
      /[A-Za-z]{2,} [A-Za-z]{2,} [A-Za-z]{2,}/.test(text) &&
      !GIVEN.some((given) => given.test(text)),
  )
}

async function expectFits(page: Page, path: string): Promise<void> {
  await page.goto(path.replace('{p}', windows.project))
  await expectShown(page.getByRole('heading', { level: 1 }))
  await page.waitForLoadState('networkidle')
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
}

describe.each([
  ['visitor', PUBLIC_PAGES.filter((path) => !/^\/(addresses|payments)/.test(path))],
  ['operator', SHELL_PAGES],
] as const)('every screen of the %s', (who, paths) => {
  let long: Visit
  let mirrored: Visit
  beforeAll(async () => {
    long = await windowIn('en-XA', 390, who)
    mirrored = await windowIn('ar-XB', 1440, who)
  })

  it.each(paths)('%s fits with longer words, all of them from the catalogue, and from right to left', async (path) => {
    // Both windows at once: each waits half a second for a quiet network.
    await Promise.all([expectFits(long.page, path), expectFits(mirrored.page, path)])
    expect(await plainEnglish(long.page)).toEqual([])
    expect(await mirrored.page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl')
  })
})
