/**
 * Sweeps on Ethereum: a contract wallet, three payers, and one press that moves everything to the cold address; then addresses with
 * keys of their own, which an approval, a permit and a delegation let the contract empty.
 */
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { ownerCallData } from '@kassa/keys/vault-calls.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callNode } from '../apps/server/src/sandbox/node-call.ts'
import { apiOf, Refused } from './api.ts'
import { deployForApprovals, signInPage, sweepApproved } from './approving.ts'
import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { expectBooks } from './chaos/audit.ts'
import { chainUrl } from './chaos/slot.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { addShop, newPayment, OWNER, pay, settled, type Shop } from './shop.ts'
import { storedSession } from './spec/operator-windows.ts'
import { until } from './until.ts'
import { installWallet } from './wallet.ts'

/** Nobody's: what arrives there was swept. */
const COLD = '0x9f0100000000000000000000000000000000dEf1'
const SALT = `0x${'5a'.repeat(32)}`

/** Three customers pay so much each, in US dollars. */
const AMOUNTS = ['40', '100', '250'] as const
const SUM = 390_000_000n

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let visit: Visit
let page: Page

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  shop = await openShopWithContract(instance.url)
  visit = await openVisit(browser, instance.url, { storageState: storedSession(instance.url, shop.session) })
  page = visit.page
})

afterAll(async () => {
  await visit?.close()
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

/** The first account of a fresh server, and a project whose customers pay to addresses of a contract that the owner's wallet made. */
async function openShopWithContract(url: string): Promise<Shop> {
  const { key: session } = await apiOf(url)(authRoutes.signUp, { body: OWNER })
  const operator = apiOf(url, session)
  const { id } = await operator(projectsRoutes.createProject, { body: { name: 'Acme' } })
  const project = String(id)
  await operator(coldWalletsRoutes.addColdWallet, { params: { id: 'ETH' }, body: { name: 'Ledger 1', address: COLD } })
  const factory = await operator(sweepContractsRoutes.findContract, { params: { b: 'ETH', type: 'factory_contract' } })
  const ask = async (method: 'eth_requestAccounts' | 'eth_sendTransaction', ...params: unknown[]) => {
    const { result } = await operator(sandboxRoutes.askOwnerWallet, { params: { b: 'ETH' }, body: { method, params } })
    return result
  }
  const [from] = (await ask('eth_requestAccounts')) as [string]
  const chainId = findBlockchain('ETH')?.networks.sandbox.chainId ?? 0
  const data = ownerCallData({ kind: 'createVault', salt: SALT, collector: COLD })
  const call = { from, to: factory.address, data, value: '0x0', chainId: `0x${chainId.toString(16)}` }
  const transactionHash = String(await ask('eth_sendTransaction', call))
  const added = await until(
    'the contract wallet to be registered',
    () => addContractWallet(operator, factory.id, transactionHash),
    (wallet) => wallet !== undefined,
  )
  const wallets = [{ walletID: added?.id ?? 0, blockchainFamily: 'ETH_Family' }]
  await operator(walletsRoutes.linkWallets, { params: { p: project }, body: { wallets } })
  const { key } = await operator(apiKeysRoutes.createApiKey, { params: { p: project }, body: { name: 'Shop' } })
  if (key === null) throw new Error('The API key was not shown')
  return { url, project, operator, merchant: apiOf(url, key), apiKey: key, session }
}

/** Undefined while the transaction is not confirmed. */
async function addContractWallet(operator: Shop['operator'], id: number, transactionHash: string) {
  try {
    return await operator(contractWalletsRoutes.addContractWallet, {
      params: { id },
      body: { transactionHash, name: 'Main' },
    })
  } catch (thrown) {
    if (thrown instanceof Refused && /TRANSACTION_(UNCONFIRMED|NOT_FOUND)/.test(thrown.message)) return undefined
    throw thrown
  }
}

type Currency = 'USDC' | 'USDT' | 'ETH'

/** What the cold address holds, in units. */
async function heldByCold(currency: Currency): Promise<bigint> {
  const url = chainUrl(layout, 'ETH')
  if (currency === 'ETH') return BigInt(await callNode<string>(url, 'eth_getBalance', COLD, 'latest'))
  const token = { USDC: SANDBOX_TOKENS.usdc, USDT: SANDBOX_TOKENS.usdt }[currency]
  const data = `0x70a08231${COLD.slice(2).padStart(64, '0')}`
  return BigInt(await callNode<string>(url, 'eth_call', { to: token, data }, 'latest'))
}

/** Waits for the words that say it is done; where the session asks who is there first, its password says it. */
async function expectDone(words: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const done = page.getByText(words)
  await dialog.or(done).first().waitFor()
  if (await dialog.isVisible()) {
    await dialog.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }
  await done.waitFor()
}

describe('deposits of a contract wallet', () => {
  it('wait on the addresses of three customers, with what it costs to sweep them', async () => {
    const references = await Promise.all(AMOUNTS.map((amount) => newPayment(shop, amount)))
    for (const reference of references) {
      await pay(shop, reference, 'exact', { blockchainCode: 'ETH', currencyCode: 'USDC' })
    }
    for (const reference of references) await settled(shop, reference, 'FILLED')
    await page.goto('/sweepIn?tabId=Funds')
    await page.getByRole('table', { name: 'Funds' }).getByText('390').first().waitFor()
    await page.getByText(/3 addresses · \$390\.00/).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('are ready once a hot wallet pays the network fee', async () => {
    await page.goto('/manageWallet/hot-wallet')
    await page.getByRole('button', { name: 'Add hot wallet' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add hot wallet' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Gas')
    await dialog.getByRole('radio', { name: /^Gas/ }).check()
    await dialog.getByRole('button', { name: 'Add hot wallet' }).click()
    await expectDone('Gas was added')
    const hot = await shop.operator(walletsRoutes.listWallets, { query: { walletType: ['hot_wallet'] } })
    const body = { walletID: hot[0]?.id ?? 0, blockchainCode: 'ETH', currencyCode: 'ETH', amount: '0.5' }
    await shop.operator(sandboxRoutes.fundWallet, { body })
    await page.goto('/sweepIn?tabId=Funds')
    await page.getByRole('table', { name: 'Funds' }).getByText('Ready').first().waitFor()
    await expect.poll(() => page.getByText(/^3 addresses · \$390\.00/).isVisible()).toBe(true)
  })

  it('are swept by one press, to the cold address that the dialog shows in full', async () => {
    await page.getByRole('button', { name: 'Sweep what’s ready' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sweep to your cold wallet?' })
    await dialog.getByText('Ledger 1').waitFor()
    expect((await dialog.innerText()).replaceAll(/\s/g, '').toLowerCase()).toContain(COLD.toLowerCase())
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Sweep 3 addresses' }).click()
    await expectDone('1 sweep started')
    await page.getByRole('tab', { name: 'History' }).click()
    await page
      .getByRole('table', { name: 'Sweep history' })
      .getByText(/^✓?\s*Swept$/)
      .waitFor({ timeout: 90_000 })
    expect(await heldByCold('USDC')).toBe(SUM)
  })

  it('are booked to the last unit: the ledger is as the chain', async () => {
    const [sweep] = await shop.operator(sweepsRoutes.listSweeps)
    expect(sweep).toMatchObject({
      status: 'completed',
      amount: '390',
      sweptAmount: '390',
      addressCount: 3,
      failedCount: 0,
    })
    await expectBooks(shop.operator)
    await page.getByRole('tab', { name: 'Funds' }).click()
    await page.getByText('$390.00 swept in 24 hours').waitFor()
  })
})

describe('deposits of addresses that have keys of their own', () => {
  /** The contract that they let move their money. */
  let contract: string
  let withKeys: Shop

  beforeAll(async () => {
    withKeys = await addShop(instance.url, shop.session, 'Keys')
    const owner = await openVisit(browser, instance.url, { storageState: storedSession(instance.url, shop.session) })
    await installWallet(owner.page, layout, 'ETH')
    contract = await deployForApprovals(owner.page, shop, { network: 'ETH', currency: 'USDC' })
    await owner.close()
  })

  it.each([
    ['ETH', 'a delegation, without gas', 18],
    ['USDC', 'a permit, without gas', 6],
    // Last, because gas for the approval stays behind as ETH.
    ['USDT', 'an approval, with gas', 6],
  ] as const)('are brought home in %s by %s, which the signer in the page signs', async (currency, kind, decimals) => {
    const before = await heldByCold(currency)
    const reference = await newPayment(withKeys, '400')
    await pay(withKeys, reference, 'exact', { blockchainCode: 'ETH', currencyCode: currency })
    const paid = (await settled(withKeys, reference, 'FILLED')).filledAmount ?? ''
    await page.goto('/sweepIn?tabId=Funds')
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: currency, exact: true }) })
    await row.getByRole('button', { name: 'Approve' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Prepare 1 address' }).click()
    await drawer.getByText(kind).waitFor()
    await signInPage(page, { contract, cold: COLD })
    expect(await violationsOf(page)).toEqual([])
    await sweepApproved(page)
    const sweep = await until(
      `${currency} to be swept`,
      // The newest is listed first.
      async () => (await shop.operator(sweepsRoutes.listSweeps)).find(({ currencyCode }) => currencyCode === currency),
      (one) => one?.status === 'completed',
    )
    expect(sweep).toMatchObject({ amount: paid, sweptAmount: paid, addressCount: 1, failedCount: 0 })
    expect((await heldByCold(currency)) - before).toBe(parseUnits(paid, decimals))
  })

  it('leave books that are as the chain', async () => {
    await expectBooks(shop.operator)
    expect(visit.complaints).toEqual([])
  })
})
