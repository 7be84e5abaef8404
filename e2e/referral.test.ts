import { promotersRoutes } from '@kassa/contract/referral/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { Payram } from 'payram'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { clearLayout, type Instance, type Layout, newLayout, startInstance } from './instance.ts'
import { newPayment, openShop, OWNER, pay, settled, type Shop } from './shop.ts'
import { until } from './until.ts'

const PROMOTER = { email: 'ann@mail.example', referenceID: 'ann' }
const FRIEND = { email: 'bob@mail.example', referenceID: 'bob' }

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let owner: Visit

beforeAll(async () => {
  layout = await newLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  shop = await openShop(instance.url)
  owner = await openVisit(browser, instance.url)
})

afterAll(async () => {
  await owner?.close()
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

const next = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

describe('a referral, from the wizard to the reward', () => {
  it('begins with a campaign that the wizard starts', async () => {
    const { page } = owner
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.goto(`/project/${shop.project}/growth/campaigns`)
    await page.getByText('No campaigns.').waitFor()
    await page.getByRole('link', { name: 'New campaign' }).first().click()
    await page.getByRole('heading', { name: 'New campaign' }).waitFor()
    await page.getByRole('list', { name: 'Steps' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Spring')
    await next(page)
    await page.getByRole('heading', { name: 'What counts' }).waitFor()
    await next(page)
    await page.getByRole('textbox', { name: 'Percentage' }).fill('10')
    await page.getByText('The promoter gets $20.00.').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await next(page)
    await page.getByRole('heading', { name: 'Limits' }).waitFor()
    await next(page)
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Start campaign' }).click()
    await page.getByRole('heading', { name: 'Spring' }).waitFor()
    await page.getByText('No reward yet.').waitFor()
  })

  it('rewards the promoter on their screen once the payment of the linked friend is final', async () => {
    const payram = new Payram({ apiKey: shop.apiKey, baseUrl: instance.url, config: { allowInsecureHttp: true } })
    const { referrer } = await payram.referrals.authenticateReferrer(PROMOTER)
    if (!referrer) throw new Error('The SDK gave no promoter')
    const linked = await payram.referrals.linkReferee({ ...FRIEND, referrerCode: referrer.code })
    expect(linked.referredByMemberReferenceID).toBe(PROMOTER.referenceID)

    const { page } = owner
    await page.goto(`/project/${shop.project}/growth/analytics`)
    await page
      .getByRole('link', { name: new RegExp(PROMOTER.email) })
      .first()
      .click()
    await page.getByRole('heading', { name: PROMOTER.email }).waitFor()
    await page.getByText('Nothing earned yet.').waitFor()
    const reference = await newPayment(shop, '49', { customerID: FRIEND.referenceID })
    await pay(shop, reference, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
    await settled(shop, reference, 'FILLED')
    // The open page hears of it.
    const row = page.getByRole('table', { name: 'Rewards' }).getByRole('row').filter({ hasText: FRIEND.email })
    await row.getByText('$4.90').waitFor()
    await row.getByText('Owed').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('is made by the sandbox in one press', async () => {
    const made = await shop.operator(sandboxRoutes.bringFriend, { params: { p: shop.project } })
    expect(made.promoterPage).toMatch(/\/referral\/[\w-]{43,}$/)
    const promoter = await until(
      'the reward of the sandbox’s friend',
      () => shop.operator(promotersRoutes.getPromoter, { params: { p: shop.project, id: made.promoterID } }),
      ({ totalRewards }) => totalRewards !== '0',
    )
    expect(promoter).toMatchObject({ totalRewards: '5', available: '5', refereeCount: 1 })
  })
})
