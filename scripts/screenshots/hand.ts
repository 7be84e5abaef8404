/** What a hand does to a page before its picture is taken. */
import type { Page } from 'playwright-core'

/** Whether rows are cards and the menu lies over the page: below 640 pixels, more where text is larger. */
export function isPhone(page: Page): Promise<boolean> {
  return page.evaluate(`innerWidth < 40 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)`)
}

export function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name }).first().click()
}

/** Presses what else can be done on a page: on a phone it stands behind one button. */
export async function pressOther(page: Page, name: string): Promise<void> {
  if (await isPhone(page)) await press(page, 'More actions')
  await press(page, name)
}

export function fill(page: Page, name: string, text: string): Promise<void> {
  return page.getByRole('textbox', { name, exact: true }).fill(text)
}

export function choose(page: Page, item: string | RegExp): Promise<void> {
  return page.getByRole('menuitem', { name: item }).click()
}
