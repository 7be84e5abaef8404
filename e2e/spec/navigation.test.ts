import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Visit } from '../browser.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { expectAddress, expectGone, expectPage, expectShown } from './expect.ts'

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

describe('a filled-in form', () => {
  let page: Page
  beforeAll(async () => {
    page = (await windows.operator()).page
  })

  const amount = () => page.getByRole('textbox', { name: 'Amount in USD' })
  const leave = () => page.getByRole('link', { name: 'All payments' }).first().click()
  const question = () => page.getByRole('dialog', { name: 'Leave without creating the link?' })

  it('is not left with a link, nor with the browser’s Back, before the page has asked', async () => {
    const create = `/project/${windows.project}/payments/createPaymentLink`
    await page.goto(`/project/${windows.project}/dashboard`)
    await expectPage(page, 'Dashboard')
    await page.getByRole('link', { name: 'Create payment link' }).first().click()
    await amount().fill('49')
    for (const go of [leave, () => page.evaluate('history.back()')]) {
      await go()
      await expectShown(question())
      await page.getByRole('button', { name: 'Stay here' }).click()
      await expectGone(question())
      await expectAddress(page, create)
      expect(await amount().inputValue()).toBe('49')
    }
    await amount().fill('')
    await leave()
    await expectPage(page, 'All payments')
  })

  const dialog = () => page.getByRole('dialog', { name: 'Add an endpoint' })
  const url = () => dialog().getByRole('textbox', { name: 'URL' })
  const discard = () => page.getByRole('dialog', { name: 'Discard what you filled in?' })

  /** A dialog with something in it, on a tab that the browser’s Back leads away from. */
  async function fillEndpoint(): Promise<void> {
    await page.goto('/developers?tabId=apiKeys')
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    await url().fill('https://shop.example/hook')
  }

  it('stays in its dialog however often Escape is pressed', async () => {
    await fillEndpoint()
    for (const isAsked of [true, false, true, false, true]) {
      await page.keyboard.press('Escape')
      await (isAsked ? expectShown(discard()) : expectGone(discard()))
      await expectShown(dialog())
    }
    expect(await url().inputValue()).toBe('https://shop.example/hook')
  })

  it('stays while the focus is nowhere, where the browser takes the key and sooner or later closes what it likes', async () => {
    await fillEndpoint()
    for (let presses = 0; presses < 8; presses += 1) {
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press('Escape')
      await page.waitForTimeout(300)
      await expectShown(dialog())
      // A question is above what it is about.
      const keep = discard().getByRole('button', { name: 'Keep editing' })
      if ((await keep.count()) > 0) await keep.click({ trial: true })
    }
    expect(await url().inputValue()).toBe('https://shop.example/hook')
  })

  it('gives the focus back to the field it was in', async () => {
    await fillEndpoint()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('url')
  })

  it('stays in its dialog until the browser’s Back has been asked about', async () => {
    await fillEndpoint()
    await page.evaluate('history.back()')
    await expectShown(discard())
    await page.getByRole('button', { name: 'Stay here' }).click()
    await expectGone(discard())
    expect(await url().inputValue()).toBe('https://shop.example/hook')
    await page.evaluate('history.back()')
    await page.getByRole('button', { name: 'Leave' }).click()
    await expectAddress(page, '/developers?tabId=apiKeys')
    await expectGone(dialog())
  })

  it('is asked about by the browser before its tab is closed, and no more once it is given up', async () => {
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.type())
      void question.dismiss()
    })
    await fillEndpoint()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await expectShown(dialog())
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await expectGone(dialog())
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => page.isClosed()).toBe(true)
    expect(asked).toEqual(['beforeunload'])
  })
})
