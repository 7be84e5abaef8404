/** A promoter's page in a frame of the shop's own site: read, withdrawn from, and refused to strangers. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import {
  campaignsRoutes,
  referralEventsRoutes,
  referralPayoutsRoutes,
  referralShopRoutes,
} from '@kassa/contract/referral/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit, violationsOf } from './browser.ts'
import { clearLayout, type Instance, type Layout, newLayout, startInstance } from './instance.ts'
import { openShop, type Shop } from './shop.ts'
import { until } from './until.ts'

const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let site: Server
let stranger: Server
let link: string

/** Another origin, whose one page frames an address. */
async function openSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const framed = new URL(request.url ?? '/', 'http://localhost').searchParams.get('framed') ?? ''
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Shop</title><iframe src="${framed}" width="800" height="1600"></iframe>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

const originOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  layout = await newLayout()
  ;[instance, browser, site, stranger] = await Promise.all([
    startInstance(layout),
    openBrowser(),
    openSite(),
    openSite(),
  ])
  shop = await openShop(instance.url)
  const { project: p, operator, merchant } = shop
  await operator(projectsRoutes.changeProject, { params: { p }, body: { website: originOf(site) } })
  await operator(referralEventsRoutes.createReferralEvent, {
    params: { p },
    body: { key: 'signup', name: 'Sign-up', eventType: 'simple' },
  })
  await operator(campaignsRoutes.createCampaign, {
    params: { p },
    body: {
      ...{ name: 'Spring', currencyCode: 'USD', eventKeys: ['signup'], rewardType: 'flat_fee', rewardValue: '25' },
      campaignTypePerCustomer: 'one_time',
      isDefault: true,
    },
  })
  const promoter = { email: 'ann@people.example', referenceID: 'ann' }
  const { redirectURL, referrer } = await merchant(referralShopRoutes.authenticateReferrer, { body: promoter })
  link = `${instance.url}${new URL(redirectURL).pathname}`
  const referenceID = 'ben'
  await merchant(referralShopRoutes.linkReferee, {
    body: { email: 'ben@people.example', referenceID, referrerCode: referrer.code },
  })
  await merchant(referralShopRoutes.logReferralEvent, { body: { eventKey: 'signup', referenceID } })
})

afterAll(async () => {
  await browser?.close()
  await instance?.stop()
  site?.close()
  stranger?.close()
  clearLayout(layout)
})

describe('the page of a promoter', () => {
  it('is read and withdrawn from in a frame of the shop, and the token leaves the address bar', async () => {
    const visit = await openVisit(browser, originOf(site))
    const { page } = visit
    const read = async () => {
      await page.goto(`/?framed=${encodeURIComponent(link)}`)
      return (await page.frameLocator('iframe').locator('#amount').count()) > 0
    }
    await until('the reward to be there', read, Boolean)
    const framed = page.frameLocator('iframe')
    expect(await framed.locator('#amount').inputValue()).toBe('25')
    expect(page.frames()[1]?.url()).toBe(`${instance.url}/referral`)
    await framed.getByRole('textbox', { name: 'Your address' }).fill(PAYEE)
    await framed.getByRole('button', { name: 'Send me a code' }).click()
    await framed.getByRole('textbox', { name: 'Code from the mail' }).waitFor()
    expect(await framed.locator('#spelled-address').innerText()).toContain('5aAe')
    const code = await until(
      'the code to be mailed',
      async () => {
        const emails = await shop.operator(sandboxRoutes.listEmails, {})
        return /Code: (\d{6})/.exec(JSON.stringify(emails))?.[1]
      },
      (found) => found !== undefined,
    )
    await framed.getByRole('textbox', { name: 'Code from the mail' }).fill(code ?? '')
    await framed.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await framed.getByText('Waits for the shop').waitFor()
    const { data } = await shop.operator(referralPayoutsRoutes.listReferralPayouts, { params: { p: shop.project } })
    expect(data).toMatchObject([{ rewardAmount: '25', toAddress: PAYEE, status: 'pending-approval' }])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('is shown to no stranger in a frame', async () => {
    const visit = await openVisit(browser, originOf(stranger))
    await visit.page.goto(`/?framed=${encodeURIComponent(link)}`)
    await until(
      'the refusal',
      async () => visit.complaints.join(),
      (text) => text.includes('frame-ancestors'),
    )
    expect(await visit.page.frameLocator('iframe').getByText('Your referrals').count()).toBe(0)
    await visit.close()
  })

  it.each([390, 768, 1440])('stands alone without a violation of accessibility, %i wide', async (width) => {
    const visit = await openVisit(browser, instance.url, { viewport: { width, height: 900 } })
    await visit.page.goto(link)
    await visit.page.getByRole('heading', { name: 'Your referrals' }).waitFor()
    expect(await violationsOf(visit.page)).toEqual([])
    await visit.close()
  })

  it('is read without a script', async () => {
    const visit = await openVisit(browser, instance.url, { javaScriptEnabled: false })
    await visit.page.goto(link)
    expect(await visit.page.locator('main').innerText()).toContain('25 USD')
    await visit.close()
  })
})
