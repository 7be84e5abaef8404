/** What a test sees on a page, or fails. */
import type { Locator, Page } from 'playwright-core'

import type { Visit } from '../browser.ts'
import { until } from '../until.ts'

/** The part is shown, now or soon. */
export function expectShown(part: Locator): Promise<void> {
  return part.filter({ visible: true }).first().waitFor()
}

/** The part is not shown, now or soon. */
export function expectGone(part: Locator): Promise<void> {
  return part.waitFor({ state: 'hidden' })
}

/** The page has this one heading. */
export function expectPage(page: Page, heading: string): Promise<void> {
  return expectShown(page.getByRole('heading', { level: 1, name: heading, exact: true }))
}

/** What of the shell comes after the page is there: one that goes offline before remembers it as missing. */
export async function expectShell(page: Page): Promise<void> {
  await expectShown(page.getByRole('button', { name: /^Profile:/ }))
  await expectShown(page.getByRole('link', { name: 'Documentation' }))
}

/** The address bar holds this path and query, now or soon. */
export function expectAddress(page: Page, href: string): Promise<void> {
  return page.waitForURL(({ pathname, search }) => pathname + search === href)
}

/** The page has its headline and all it shows: nothing is under way, and no grey shape stands for what is to come. */
export async function expectComplete({ page, calls }: Visit): Promise<void> {
  await expectShown(page.getByRole('heading', { level: 1 }))
  await until('the page to be complete', async () => calls.areOver() && !(await hasGreyShapes(page)), Boolean)
}

function hasGreyShapes(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`document.querySelector('.animate-shimmer') !== null`)
}
