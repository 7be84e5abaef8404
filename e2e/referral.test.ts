/** The referral programme from the wizard of a campaign to the coins in a promoter's wallet. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { promotersRoutes } from '@kassa/contract/referral/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { Payram } from 'payram'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callNode } from '../apps/server/src/sandbox/node-call.ts'
import { joinAsApprover } from './approver.ts'
import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { expectBooks } from './chaos/audit.ts'
import { chainUrl } from './chaos/slot.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { newPayment, openShop, pay, settled, type Shop } from './shop.ts'
import { storedSession } from './spec/operator-windows.ts'
import { until } from './until.ts'

const PROMOTER = { email: 'ann@mail.example', referenceID: 'ann' }
const FRIEND = { email: 'bob@mail.example', referenceID: 'bob' }

/** Nobody's: what arrives there came from the hot wallet. */
const WALLET = '0x3333333333333333333333333333333333333333'

/** Until something is final on a busy machine. */
const FINAL_MS = 180_000

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let owner: Visit
/** The shop's own, which frames the page of its promoters, and somebody else's. */
let site: Server
let stranger: Server
let promoter: { readonly id: number; readonly link: string }

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

/** Opens the page of the promoter in a frame of a site. */
async function openFramed(on: Server): Promise<Visit> {
  const visit = await openVisit(browser, originOf(on))
  await visit.page.goto(`/?framed=${encodeURIComponent(promoter.link)}`)
  return visit
}

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser, site, stranger] = await Promise.all([
    startInstance(layout),
    openBrowser(),
    openSite(),
    openSite(),
  ])
  shop = await openShop(instance.url)
  const website = { params: { p: shop.project }, body: { website: originOf(site) } }
  await shop.operator(projectsRoutes.changeProject, website)
  // Final by the time it is needed.
  await fundPayouts()
  owner = await openVisit(browser, instance.url, { storageState: storedSession(instance.url, shop.session) })
})

afterAll(async () => {
  await owner?.close()
  await browser?.close()
  await instance?.stop()
  site?.close()
  stranger?.close()
  clearLayout(layout)
})

/** The friend pays, until it is final; gives the reference of the payment. */
async function paidByFriend(amount: string): Promise<string> {
  const reference = await newPayment(shop, amount, { customerID: FRIEND.referenceID })
  await pay(shop, reference, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
  await settled(shop, reference, 'FILLED')
  return reference
}

/** A hot wallet with coins for payouts on BASE. */
async function fundPayouts(): Promise<void> {
  const { id: walletID } = await shop.operator(hotWalletsRoutes.addHotWallet, {
    params: { f: 'ETH_Family' },
    body: { name: 'Payouts', generate: true, functions: ['payout'] },
  })
  for (const [currencyCode, amount] of [
    ['ETH', '0.2'],
    ['USDC', '50'],
  ] as const) {
    await shop.operator(sandboxRoutes.fundWallet, { body: { walletID, blockchainCode: 'BASE', currencyCode, amount } })
  }
}

async function receivedBy(address: string): Promise<bigint> {
  const data = `0x70a08231${address.slice(2).padStart(64, '0')}`
  return BigInt(
    await callNode<string>(chainUrl(layout, 'BASE'), 'eth_call', { to: SANDBOX_TOKENS.usdc, data }, 'latest'),
  )
}

/** The code of the mail to the promoter. */
async function mailedCode(): Promise<string> {
  const code = await until(
    'the code to be mailed',
    async () => /Code: (\d{6})/.exec(JSON.stringify(await shop.operator(sandboxRoutes.listEmails, {})))?.[1],
    (found) => found !== undefined,
  )
  return code ?? ''
}

const next = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()

describe('a referral, from the wizard to the reward', () => {
  it('begins with a campaign that the wizard starts', async () => {
    const { page } = owner
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
    await page.getByRole('radio', { name: 'Always' }).check()
    await next(page)
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Start campaign' }).click()
    await page.getByRole('heading', { name: 'Spring' }).waitFor()
    await page.getByText('No reward yet.').waitFor()
  })

  it('rewards the promoter on their screen once the payment of the linked friend is final', async () => {
    const payram = new Payram({ apiKey: shop.apiKey, baseUrl: instance.url, config: { allowInsecureHttp: true } })
    const { referrer, redirectURL } = await payram.referrals.authenticateReferrer(PROMOTER)
    if (!referrer || !redirectURL) throw new Error('The SDK gave no promoter')
    promoter = { id: Number(referrer.id), link: `${instance.url}${new URL(redirectURL).pathname}` }
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
    await paidByFriend('200')
    // The open page hears of it.
    const row = page.getByRole('table', { name: 'Rewards' }).getByRole('row').filter({ hasText: FRIEND.email })
    await row.getByText('$20.00').waitFor()
    await row.getByText('Owed').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('is withdrawn in a frame of the shop with the mailed code, approved by a second person, and arrives', async () => {
    const second = await joinAsApprover(shop)
    const visit = await openFramed(site)
    const framed = visit.page.frameLocator('iframe')
    expect(await framed.locator('#amount').inputValue()).toBe('20')
    expect(visit.page.frames()[1]?.url()).toBe(`${instance.url}/referral`)
    await framed.locator('#asset').selectOption('BASE:USDC')
    await framed.getByRole('textbox', { name: 'Your address' }).fill(WALLET)
    await framed.getByRole('button', { name: 'Send me a code' }).click()
    await framed.getByRole('textbox', { name: 'Code from the mail' }).fill(await mailedCode())
    expect(await framed.locator('#spelled-address').innerText()).toContain('3333')
    await framed.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await framed.getByText('Waits for the shop').waitFor()
    expect(visit.complaints).toEqual([])
    await visit.close()

    const approver = await openVisit(browser, instance.url, {
      storageState: storedSession(instance.url, second.session),
    })
    await approver.page.goto(`/withdraw/referral-payouts?projectId=${shop.project}`)
    await approver.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await approver.page.getByRole('button', { name: 'Approve payout' }).click()
    await second.confirm(approver.page)
    const row = approver.page.getByRole('row').filter({ hasText: PROMOTER.email })
    await row.filter({ hasText: 'Paid' }).waitFor({ timeout: FINAL_MS })
    expect(await violationsOf(approver.page)).toEqual([])
    await approver.close()
    expect(await receivedBy(WALLET)).toBe(20_000_000n)
  })

  it('is taken back when the chain drops the block of its payment, and what was paid stays paid', async () => {
    const figures = () => shop.operator(promotersRoutes.getPromoter, { params: { p: shop.project, id: promoter.id } })
    const reference = await paidByFriend('100')
    await until('the second reward', figures, ({ available }) => available === '10')
    const { transfers } = await shop.operator(paymentsRoutes.getPayment, {
      params: { p: shop.project, ref: reference },
    })
    const { chains } = await shop.operator(sandboxRoutes.getSandbox)
    const height = chains.find(({ code }) => code === 'BASE')?.height ?? 0
    const depth = height - (transfers[0]?.blockNumber ?? height) + 1
    await shop.operator(sandboxRoutes.reorganise, { params: { b: 'BASE' }, body: { depth } })
    await shop.operator(sandboxRoutes.mineBlocks, { params: { b: 'BASE' }, body: { blocks: 1 } })
    await until('the reward to be taken back', figures, ({ available }) => available === '0')
    const visit = await openVisit(browser, instance.url)
    await visit.page.goto(promoter.link)
    await visit.page.getByText('Reversed').first().waitFor()
    await visit.close()
    expect(await figures()).toMatchObject({ totalRewards: '20', paid: '20', held: '0', owed: '0' })
    await expectBooks(shop.operator)
  })

  it('is shown to no stranger in a frame', async () => {
    const visit = await openFramed(stranger)
    await until(
      'the refusal',
      async () => visit.complaints.join(),
      (text) => text.includes('frame-ancestors'),
    )
    expect(await visit.page.frameLocator('iframe').getByText('Your referrals').count()).toBe(0)
    await visit.close()
  })

  it('is read alone by everybody, on a phone and a desk, and without a script', async () => {
    const { page, close } = await openVisit(browser, instance.url)
    await page.goto(promoter.link)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('heading', { name: 'Your referrals' }).waitFor()
      expect(await violationsOf(page)).toEqual([])
    }
    await close()
    const bare = await openVisit(browser, instance.url, { javaScriptEnabled: false })
    await bare.page.goto(promoter.link)
    expect(await bare.page.locator('main').innerText()).toContain('20 USD')
    await bare.close()
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
