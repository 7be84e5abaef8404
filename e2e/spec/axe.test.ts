import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Visit, violationsNow } from '../browser.ts'
import { newPayment, pay, settled, type Shop } from '../shop.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { expectShown } from './expect.ts'
import { PUBLIC_PAGES, SHELL_PAGES } from './screens.ts'

/** Each colour scheme, each direction of reading and each width once: an analysis costs half a second. */
const LOOKS = [
  { colorScheme: 'light', dir: 'ltr', width: 1440 },
  { colorScheme: 'dark', dir: 'rtl', width: 390 },
] as const

/** A page of one payment, which `{ref}` stands for, with what is there once it has come. */
const PAGES_OF_ONE = [
  ['/project/{p}/payments/allPayments/{ref}', (page: Page) => page.getByRole('list', { name: 'Timeline' })],
] as const

let windows: OperatorWindows
let reference: string
let visitor: Visit
let operator: Visit

beforeAll(async () => {
  windows = await openOperatorWindows()
  ;[visitor, operator, reference] = await Promise.all([
    windows.visitor(),
    windows.operator(),
    paidPayment(windows.shop),
  ])
})

afterAll(() => windows?.close())

/** Has money to tell of: deposits, a timeline, a ledger. */
async function paidPayment(shop: Shop): Promise<string> {
  const made = await newPayment(shop)
  await pay(shop, made, 'exact')
  await settled(shop, made, 'FILLED')
  return made
}

const headline = (page: Page) => page.getByRole('heading', { level: 1 })

async function expectAccessible(page: Page, path: string, landmark = headline): Promise<void> {
  await page.goto(path.replace('{p}', windows.project).replace('{ref}', reference))
  await expectShown(landmark(page))
  await page.waitForLoadState('networkidle')
  const found: string[] = []
  for (const { colorScheme, dir, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(`document.documentElement.dir = '${dir}'`)
    found.push(...(await violationsNow(page)).map((violation) => `${colorScheme} ${dir} ${width}: ${violation}`))
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (overflow > 0) found.push(`${colorScheme} ${dir} ${width}: ${overflow} px wider than the window`)
  }
  expect(found).toEqual([])
}

describe('light and dark, left to right and right to left, narrow and wide', () => {
  it.each(PUBLIC_PAGES)('%s meets the accessibility rules and fits', (path) => expectAccessible(visitor.page, path))

  it.each(SHELL_PAGES)('%s meets the accessibility rules and fits', (path) => expectAccessible(operator.page, path))

  it.each(PAGES_OF_ONE)('%s meets the accessibility rules and fits', (path, landmark) =>
    expectAccessible(operator.page, path, landmark),
  )
})
