/** Goes through screens at every width and in both themes, keeps a picture of each and asks the accessibility rules. */
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'

import { openVisit, settle, violationsNow } from '../../e2e/browser.ts'

export type Screen = {
  readonly name: string
  readonly path: string
  /** Drawn beforehand, and shown in place of what the server would answer at `path`. */
  readonly document?: string
  /** What is pressed and typed before the picture. */
  readonly act?: (page: Page) => Promise<void>
  /** Words that are there once the screen is. */
  readonly shows: string | RegExp
  /** What stands over the page is pictured as it is seen, the rest to its end. */
  readonly isOverlay?: boolean
}

export type Tour = { readonly url: string; readonly session?: string; readonly folder: string }

/** Phone, tablet, desk. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const

const PATIENCE_MS = 15_000

/** Pictures every screen in every size and theme; gives a sentence per screen that did not come, and per violation. */
export async function photograph(browser: Browser, screens: readonly Screen[], tour: Tour): Promise<string[]> {
  const failures: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of SIZES) {
      const visit = await openVisit(browser, tour.url, { viewport, colorScheme })
      visit.page.setDefaultTimeout(PATIENCE_MS)
      if (tour.session !== undefined) await visit.page.addInitScript(signIn, tour.session)
      for (const screen of screens) {
        const file = `${screen.name}--${viewport.width}-${colorScheme}.png`
        const found = await picture(visit.page, screen, join(tour.folder, file))
        failures.push(...found.map((failure) => `${file}: ${failure}`))
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
  return failure === undefined ? violationsNow(page) : [failure]
}

/** Runs in the page, before its own scripts. */
function signIn(key: string): void {
  const entry = JSON.stringify({ key, role: { name: 'root' }, rootExists: true })
  ;(globalThis as unknown as { localStorage: { setItem: (name: string, text: string) => void } }).localStorage.setItem(
    'user',
    entry,
  )
}
