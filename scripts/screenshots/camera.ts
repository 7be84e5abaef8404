/** Goes through screens at every width and in both themes, keeps a picture of each and asks the accessibility rules. */
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'

import { openVisit, settle, violationsNow } from '../../e2e/browser.ts'

export type Screen = {
  readonly name: string
  readonly path: string
  /** Drawn beforehand, and shown in place of what the server would answer at `path`. */
  readonly document?: string
  /** Answers of the server, by address, that are changed on their way to the page: states that only trouble shows. */
  readonly alters?: Readonly<Record<string, Change>>
  /** What is pressed and typed before the picture. */
  readonly act?: (page: Page) => Promise<void>
  /** Words that are there once the screen is. */
  readonly shows: string | RegExp
  /** What stands over the page is pictured as it is seen, the rest to its end. */
  readonly isOverlay?: boolean
}

/** Returns another answer to a GET; a refusal is one with an `error`. */
export type Change = (answer: never) => unknown

export type Tour = { readonly url: string; readonly session?: string; readonly folder: string }

const OK = 200
const UNAVAILABLE = 503

/** Phone, tablet, desk. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

const PATIENCE_MS = 15_000

/** What a browser says of an answer that is no success: some screens show refusals on purpose. */
const REFUSED_ANSWER = 'Failed to load resource'

/**
 * Pictures every screen in every size and theme; gives a sentence per screen that did not come, that scrolls sideways or
 * that breaks an accessibility rule, and per error of the console.
 */
export async function photograph(browser: Browser, screens: readonly Screen[], tour: Tour): Promise<string[]> {
  const failures: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of SIZES) {
      const visit = await openVisit(browser, tour.url, { viewport, colorScheme })
      visit.page.setDefaultTimeout(PATIENCE_MS)
      if (tour.session !== undefined) await visit.page.addInitScript(signIn, tour.session)
      for (const screen of screens) {
        const file = `${screen.name}--${viewport.width}-${colorScheme}.png`
        const heard = visit.complaints.length
        const found = await picture(visit.page, screen, join(tour.folder, file))
        const said = visit.complaints.slice(heard).filter((complaint) => !complaint.startsWith(REFUSED_ANSWER))
        failures.push(...[...found, ...said].map((failure) => `${file}: ${failure}`))
      }
      await visit.close()
    }
  }
  return failures
}

/** What did not come is pictured too: it shows why. */
async function picture(page: Page, screen: Screen, path: string): Promise<readonly string[]> {
  let failure: string | undefined
  try {
    const { document } = screen
    if (document !== undefined) {
      await page.route(`**${screen.path}`, (route) => route.fulfill({ contentType: 'text/html', body: document }))
    }
    for (const [url, change] of Object.entries(screen.alters ?? {})) await alter(page, url, change)
    await page.goto(screen.path)
    await screen.act?.(page)
    await page.getByText(screen.shows).filter({ visible: true }).first().waitFor()
    await page
      .getByText(/^Loading /)
      .first()
      .waitFor({ state: 'detached' })
    await settle(page)
  } catch (thrown) {
    failure = String(thrown).split('\n')[0]
  }
  await page.screenshot({ path, fullPage: screen.isOverlay !== true, animations: 'disabled' })
  const found = failure === undefined ? [...(await overflow(page)), ...(await violationsNow(page))] : [failure]
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  return found
}

async function alter(page: Page, url: string, change: Change): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const json = change((await response.json()) as never)
    const isRefusal = typeof json === 'object' && json !== null && 'error' in json
    await route.fulfill({ json, status: isRefusal ? UNAVAILABLE : OK })
  })
}

/** Tables scroll within themselves; a page, a dialog and a drawer never scroll sideways. */
async function overflow(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll('dialog[open] > div > div')]
    .map((box) => box.scrollWidth - box.clientWidth)
    .filter((pixels) => pixels > 0)
    .map((pixels) => 'scrolls sideways by ' + pixels + ' px')`)
}

/** Runs in the page, before its own scripts. */
function signIn(key: string): void {
  const entry = JSON.stringify({ key, role: { name: 'root' }, rootExists: true })
  ;(globalThis as unknown as { localStorage: { setItem: (name: string, text: string) => void } }).localStorage.setItem(
    'user',
    entry,
  )
}
