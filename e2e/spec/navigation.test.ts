import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Visit } from '../browser.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { expectAddress, expectPage, expectShown } from './expect.ts'

let windows: OperatorWindows
let operator: Visit

beforeAll(async () => {
  windows = await openOperatorWindows()
  operator = await windows.operator()
})

afterAll(() => windows?.close())

type Item = { readonly group?: string; readonly item: string; readonly path: string; readonly heading?: string }

const menu = () => operator.page.getByRole('navigation', { name: 'Main' })

/** Stands in the project, where links are filled with it; for a link without one any page will do. */
async function standInProject(path = '{projectId}'): Promise<void> {
  const { page } = operator
  const isInside = page.url().includes(`/project/${windows.project}/`)
  const isAnywhere = page.url().startsWith(windows.url)
  if (!(path.includes('{projectId}') ? isInside : isAnywhere)) await page.goto(`/project/${windows.project}/dashboard`)
}

/** Opens the item's group and presses its link. */
async function press({ group, item, path }: Item): Promise<string> {
  const href = path.replace('{projectId}', windows.project)
  if (group !== undefined) {
    const disclosure = menu().getByRole('button', { name: group, exact: true })
    if ((await disclosure.getAttribute('aria-expanded')) === 'false') await disclosure.click()
  }
  const link = menu().locator(`a[href="${href}"]`)
  await link.click()
  expect(await link.innerText()).toBe(item)
  return href
}

/** The item leads to its page, which is lit alone, and which a reload and a link from outside open as well. */
async function expectItem(asked: Item): Promise<void> {
  const { page } = operator
  await standInProject(asked.path)
  await expectAddress(page, await press(asked))
  const heading = asked.heading ?? asked.item
  await expectPage(page, heading)
  expect(await menu().locator('[aria-current=page]').allInnerTexts()).toEqual([asked.item])
  await page.reload()
  await expectPage(page, heading)
}

describe('the menu', () => {
  it('spec §2 /project/{projectId}/dashboard: Dashboard leads there', () =>
    expectItem({ item: 'Dashboard', path: '/project/{projectId}/dashboard' }))

  it('spec §2 /project/{projectId}/payments/allPayments: Payments › All payments leads there', () =>
    expectItem({ group: 'Payments', item: 'All payments', path: '/project/{projectId}/payments/allPayments' }))

  it('spec §2 /project/{projectId}/payments/createPaymentLink: Payments › Create payment link leads there', () =>
    expectItem({
      group: 'Payments',
      item: 'Create payment link',
      path: '/project/{projectId}/payments/createPaymentLink',
    }))

  it('spec §2 /project/{projectId}/growth/analytics: Growth › Dashboard leads there', () =>
    expectItem({
      group: 'Growth',
      item: 'Dashboard',
      path: '/project/{projectId}/growth/analytics',
      heading: 'Growth dashboard',
    }))

  it('spec §2 /project/{projectId}/growth/campaigns: Growth › Campaigns leads there', () =>
    expectItem({ group: 'Growth', item: 'Campaigns', path: '/project/{projectId}/growth/campaigns' }))

  it('spec §2 /manageWallet/deposit-wallet: Wallet management › Deposit wallets leads there', () =>
    expectItem({ group: 'Wallet management', item: 'Deposit wallets', path: '/manageWallet/deposit-wallet' }))

  it('spec §2 /manageWallet/hot-wallet: Wallet management › Hot wallets leads there', () =>
    expectItem({ group: 'Wallet management', item: 'Hot wallets', path: '/manageWallet/hot-wallet' }))

  it('spec §2 /sweepIn?tabId=Funds: Funds Consolidation leads there', () =>
    expectItem({ item: 'Funds Consolidation', path: '/sweepIn?tabId=Funds' }))

  it('spec §2 /withdraw/referral-payouts: Withdraw › Referral payouts leads there', () =>
    expectItem({ group: 'Withdraw', item: 'Referral payouts', path: '/withdraw/referral-payouts' }))

  it('spec §2 /withdraw/payouts: Withdraw › Payouts leads there', () =>
    expectItem({ group: 'Withdraw', item: 'Payouts', path: '/withdraw/payouts' }))

  it('spec §2 /developers: Developers leads there', () => expectItem({ item: 'Developers', path: '/developers' }))

  it('spec §2 /settings: Settings leads there', () => expectItem({ item: 'Settings', path: '/settings' }))

  it('spec §2 an address outside, in a new tab: the server’s own unless another is set', async () => {
    const { page } = operator
    await standInProject()
    const link = menu().getByRole('link', { name: /^Documentation.*opens in a new tab/ })
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await tab.waitForLoadState()
    expect(new URL(tab.url()).pathname).toBe('/docs')
    expect(await tab.title()).not.toBe('')
    await tab.close()
    expect(page.url()).toContain(`/project/${windows.project}/`)
  })

  it('spec §2 the item whose id is part of the path in lower case: a page below it too', async () => {
    const { page } = operator
    await page.goto('/manageWallet/sweepContract/deploy')
    await expectPage(page, 'Deploy sweep contract')
    await page.goto(`/settings/account/${windows.project}`)
    await expectPage(page, 'Acme')
    expect(await menu().locator('[aria-current=page]').allInnerTexts()).toEqual(['Settings'])
  })

  it('spec §2 where {projectId} is the current project: the other project’s, or all', async () => {
    const { page } = operator
    const hrefs = async () => {
      const links = await menu().locator('a[href^="/project/"]').all()
      const ids = await Promise.all(links.map(async (link) => (await link.getAttribute('href'))?.split('/')[2]))
      return [...new Set(ids)]
    }
    await page.goto(`/project/${windows.otherProject}/payments/allPayments`)
    await expectPage(page, 'All payments')
    await expectShown(menu().getByRole('link', { name: 'Settings' }))
    expect(await hrefs()).toEqual([windows.otherProject])
    await menu().getByRole('link', { name: 'Settings' }).click()
    await expectPage(page, 'Settings')
    expect(await hrefs()).toEqual(['all'])
  })
})
