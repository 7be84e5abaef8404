import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Whether the page says that it is not built yet. */
export async function isNotBuilt(page: Page): Promise<boolean> {
  return (await page.getByText('Not built yet', { exact: true }).count()) > 0
}

/** A page that is not built yet says what it will hold. */
export async function expectHonest(page: Page): Promise<void> {
  if (await isNotBuilt(page)) expect(await page.getByRole('main').innerText()).toMatch(/\nThis page will [^.]+\.$/m)
}
