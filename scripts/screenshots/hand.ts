/** What a hand does to a page before its picture is taken. */
import type { Page } from 'playwright-core'

/** Below this many pixels rows are cards and the menu lies over the page. */
const PHONE_BELOW = 640

export function isPhone(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) < PHONE_BELOW
}

export function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name }).first().click()
}

export function fill(page: Page, name: string, text: string): Promise<void> {
  return page.getByRole('textbox', { name, exact: true }).fill(text)
}

export function choose(page: Page, item: string | RegExp): Promise<void> {
  return page.getByRole('menuitem', { name: item }).click()
}
