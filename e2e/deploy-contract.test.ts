import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { openShop, OWNER, type Shop } from './shop.ts'
import { until } from './until.ts'
import { type BrowserWallet, installWallet } from './wallet.ts'

const COLD = '0x9f0100000000000000000000000000000000dEf1'

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let visit: Visit
let page: Page
let wallet: BrowserWallet

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  shop = await openShop(instance.url)
  visit = await openVisit(browser, instance.url)
  page = visit.page
  wallet = await installWallet(page, layout, 'BASE')
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
})

afterAll(async () => {
  await visit?.close()
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

const press = (name: string) => page.getByRole('main').getByRole('button', { name }).click()

describe('a merchant who deploys a sweep contract with a wallet of the browser', () => {
  it('connects the owner, adds a cold address and sees every digit of what will be sent', async () => {
    await shop.operator(coldWalletsRoutes.addColdWallet, {
      params: { id: 'ETH' },
      body: { name: 'Ledger 1', address: COLD },
    })
    await page.goto('/manageWallet/sweepContract/deploy')
    await press('Connect wallet')
    await press('Continue')
    // The wallet is on another network: nothing can be sent before it goes to the right one.
    await press('Switch')
    await page.getByText('code hash equals the release').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('signs, and the wallet’s addresses are the contract’s once the network has confirmed it', async () => {
    await press('Continue')
    await press('Open in wallet')
    await page.getByText(/^Verified/).waitFor()
    const [sent] = wallet.transfers()
    expect(sent?.data?.endsWith(COLD.slice(2).toLowerCase())).toBe(true)
    const wallets = await shop.operator(walletsRoutes.listWallets, { query: { walletType: ['deposit_wallet'] } })
    const added = wallets.find(({ walletSubType }) => walletSubType === 'scw')
    expect(added).toMatchObject({ masterAddress: wallet.account })
    const read = () => shop.operator(walletsRoutes.getWallet, { params: { id: added?.id ?? 0 } })
    await until('addresses are derived', read, ({ poolSize }) => poolSize > 0)
  })

  it('finds it among the deposit wallets, with the cold address that its money goes to', async () => {
    await page.getByRole('link', { name: 'Open deposit wallets' }).click()
    const card = page.getByRole('region', { name: 'EVM' })
    await card.getByText('Ends in, on Ethereum').waitFor()
    await card.getByText('Ledger 1').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})
