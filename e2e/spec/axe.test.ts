import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Visit, violationsNow } from '../browser.ts'
import { type Desk, openDesk } from './desk.ts'
import { expectShown } from './expect.ts'

/** Each colour scheme, each direction of reading and each width once: an analysis costs half a second. */
const LOOKS = [
  { colorScheme: 'light', dir: 'ltr', width: 1440 },
  { colorScheme: 'dark', dir: 'rtl', width: 390 },
] as const

const PUBLIC_PAGES = [
  '/',
  '/login',
  '/forgotPassword',
  '/createPassword',
  '/setPassword',
  '/privacy-policy',
  '/cookie-policy',
  '/referral/a-token',
  '/addresses',
  '/payments?reference_id=none',
]

/** `{p}` stands for the project. */
const SHELL_PAGES = [
  '/project/{p}/dashboard',
  '/project/{p}/payments/allPayments',
  '/project/{p}/payments/createPaymentLink',
  '/project/{p}/growth/analytics',
  '/project/{p}/growth/campaigns',
  '/manageWallet/deposit-wallet',
  '/manageWallet/hot-wallet',
  '/manageWallet/sweepContract/deploy',
  '/sweepIn?tabId=Funds',
  '/withdraw/referral-payouts',
  '/withdraw/payouts',
  '/withdraw/approvals',
  '/withdraw/recipients',
  '/developers?tabId=apiKeys',
  '/developers?tabId=webhooks',
  '/settings',
  '/settings/account/{p}?tab=projectDetails',
  '/settings/account/{p}?tab=checkout',
  '/settings/security',
  '/settings/email',
  '/settings/system',
  '/settings/blockchains',
  '/settings/blockchains/BASE',
  '/nothing/here',
]

let desk: Desk
let visitor: Visit
let operator: Visit

beforeAll(async () => {
  desk = await openDesk()
  ;[visitor, operator] = await Promise.all([desk.visitor(), desk.operator()])
})

afterAll(() => desk?.close())

async function expectAccessible(page: Page, path: string): Promise<void> {
  await page.goto(path.replace('{p}', desk.project))
  await expectShown(page.getByRole('heading', { level: 1 }))
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
})
