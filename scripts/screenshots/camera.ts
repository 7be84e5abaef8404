/** Goes through screens in every window they are meant for, keeps a picture of each and asks the accessibility rules. */
import { join } from 'node:path'

import type { Page, Route } from 'playwright-core'

import { settle, violationsNow } from '../../e2e/browser.ts'
import { alter, type Changes, HELD } from './answers.ts'
import { openBrowserFor, openWindow, type PictureSet, type WindowKind } from './windows.ts'

export type Screen = {
  readonly name: string
  readonly path: string
  /** Those of `B` unless given. */
  readonly set?: PictureSet
  /** Drawn beforehand, and shown in place of what the server would answer at `path`. */
  readonly document?: string
  readonly alters?: Changes
  /** What is pressed and typed before the picture. */
  readonly act?: (page: Page) => Promise<void>
  /** Words that are there once the screen is. */
  readonly shows: string | RegExp
  /** Overlays are pictured as they are seen, pages to their end. */
  readonly isOverlay?: boolean
}

export type Tour = {
  readonly url: string
  readonly session?: string
  readonly folder: string
  readonly windows: readonly WindowKind[]
}

/** Gives screens the set they are pictured in. */
export function inSet(set: PictureSet, screens: readonly Screen[]): readonly Screen[] {
  return screens.map((screen) => ({ ...screen, set }))
}

/** What browser and dashboard say of an answer that is no success: some screens show refusals on purpose. */
const OF_REFUSALS = [
  'Failed to load resource',
  'Project call failed',
  'WebSocket connection to',
  'TypeError: Failed to fetch dynamically imported module',
]

/** How long a page in a language nobody speaks gets to ask for what it shows. */
const QUIET_MS = 3_000

/** What is not held has come by then. */
const HELD_MS = 1_000

/**
 * Pictures every screen in the windows of its set; gives a sentence per screen that did not come, that scrolls sideways
 * or that breaks an accessibility rule, and per error of the console.
 */
export async function photograph(screens: readonly Screen[], tour: Tour): Promise<string[]> {
  const failures: string[] = []
  for (const kind of tour.windows) {
    const taken = screens.filter((screen) => isTaken(screen, kind))
    if (taken.length === 0) continue
    const browser = await openBrowserFor(kind)
    const visit = await openWindow(browser, tour.url, kind, tour.session)
    for (const screen of taken) {
      const file = `${screen.name}--${kind.name}.png`
      const heard = visit.complaints.length
      const found = await picture(visit.page, screen, kind, join(tour.folder, file))
      const said = visit.complaints
        .slice(heard)
        .filter((complaint) => !OF_REFUSALS.some((words) => complaint.startsWith(words)))
      const faults = [...found, ...said].map((failure) => `${file}: ${failure}`)
      for (const fault of faults) console.error(fault)
      failures.push(...faults)
    }
    await browser.close()
  }
  return failures
}

/** Hands press English words, and the payer's pages have languages of their own. */
function isTaken({ set = 'B', act, document, path }: Screen, { sets, locale }: WindowKind): boolean {
  if (!sets.includes(set)) return false
  const isPayers = document !== undefined || /^\/(payments|pay|success)\?/.test(path)
  return locale === undefined || (act === undefined && !isPayers)
}

/** What did not come is pictured too: it shows why. */
async function picture(page: Page, screen: Screen, kind: WindowKind, path: string): Promise<readonly string[]> {
  let failure: string | undefined
  const held: Route[] = []
  try {
    await open(page, screen, held)
    await awaitShown(page, screen, kind)
    await settle(page)
  } catch (thrown) {
    failure = String(thrown).split('\n')[0]
  }
  await page.screenshot({ path, fullPage: screen.isOverlay !== true, animations: 'disabled' })
  const found = failure === undefined ? await faultsOf(page, kind) : [failure]
  // Otherwise the server would hear them after all, and make what was asked for.
  for (const route of held) await route.abort().catch(() => undefined)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().setOffline(false)
  return found
}

async function open(page: Page, { path, document, alters = {}, act }: Screen, held: Route[]): Promise<void> {
  if (document !== undefined) {
    await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/html', body: document }))
  }
  await alter(page, alters, held)
  await page.goto(path)
  await act?.(page)
}

async function awaitShown(page: Page, { shows, alters = {} }: Screen, { locale }: WindowKind): Promise<void> {
  if (locale !== undefined) {
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
    return
  }
  await page.getByText(shows).filter({ visible: true }).first().waitFor()
  if (Object.values(alters).includes(HELD)) return page.waitForTimeout(HELD_MS)
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'detached' })
}

/** Colours of the system's choosing and texts of nobody's are looked at; the rules were asked in the other windows. */
async function faultsOf(page: Page, { locale, hasForcedColors, hasLargeText }: WindowKind): Promise<readonly string[]> {
  const isPlain = locale === undefined && hasForcedColors !== true && hasLargeText !== true
  return [...(await overflow(page)), ...(isPlain ? await violationsNow(page) : [])]
}

/** Tables scroll within themselves; a page, a dialog and a drawer never scroll sideways. */
async function overflow(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll('dialog[open] > div > div')]
    .map((box) => box.scrollWidth - box.clientWidth)
    .filter((pixels) => pixels > 0)
    .map((pixels) => 'scrolls sideways by ' + pixels + ' px')`)
}
