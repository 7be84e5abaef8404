import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from './api.ts'
import { openBrowser, openVisit, strangersOf, violationsOf, type Visit } from './browser.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { newPayment, openShop, pay, readPayment, settled, type Shop } from './shop.ts'
import { type AskedTransfer, type BrowserWallet, installWallet } from './wallet.ts'

/** `transfer(address,uint256)` of ERC-20. */
const TRANSFER = '0xa9059cbb'

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  shop = await openShop(instance.url)
})

afterAll(async () => {
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

describe('a customer with a wallet in the browser', () => {
  let visit: Visit
  let page: Page
  let wallet: BrowserWallet
  let reference: string
  let sentBefore: number
  const violations: string[] = []

  const paid = () => page.getByRole('heading', { name: 'Paid. Thank you.' })
  const steps = () => page.locator('#wallet-steps')
  const shows = (words: string | RegExp) => steps().getByText(words).waitFor()
  const send = () => steps().getByRole('button', { name: 'Send 49 USDC' })

  beforeAll(async () => {
    reference = await newPayment(shop, '49')
    visit = await openVisit(browser, instance.url, { viewport: { width: 390, height: 844 } })
    page = visit.page
    wallet = await installWallet(page, layout, 'ETH')
    sentBefore = await wallet.sent('BASE')
  })

  afterAll(() => visit?.close())

  it('comes to the address and the amount, and the wallet is asked nothing', async () => {
    await page.goto(`/payments?reference_id=${reference}`)
    await page.getByRole('radio', { name: 'USDC on Base' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Send exactly 49 USDC on Base' }).waitFor()
    await page.getByRole('button', { name: 'Pay with wallet' }).waitFor()
    expect(wallet.asked()).toEqual([])
  })

  it('is shown that the wallet is on another network, and can send nothing from there', async () => {
    await page.getByRole('button', { name: 'Pay with wallet' }).click()
    await shows('Your wallet is on Ethereum. This payment is on Base.')
    expect(await send().isDisabled()).toBe(true)
    violations.push(...(await violationsOf(page)))
    expect(wallet.asked()).toEqual(['eth_requestAccounts', 'eth_chainId'])
  })

  it('switches, and is asked once more before anything is sent', async () => {
    await steps().getByRole('button', { name: 'Switch to Base' }).click()
    await steps().locator('button:enabled', { hasText: 'Send' }).waitFor()
    violations.push(...(await violationsOf(page)))
    expect(wallet.asked()).toContain('wallet_switchEthereumChain')
    expect(wallet.transfers()).toEqual([])
  })

  it('declines, and nothing was sent', async () => {
    wallet.answer = 'decline'
    await send().click()
    await shows('You declined. Nothing was sent.')
    expect(wallet.transfers()).toHaveLength(1)
    expect(await wallet.sent('BASE')).toBe(sentBefore)
    expect((await readPayment(shop, reference)).paymentState).toBe('OPEN')
  })

  it('confirms the amount of the page, and the page becomes paid without a reload', async () => {
    const shown = await shownOn(page, 'USDC')
    wallet.answer = 'confirm'
    await page.getByRole('button', { name: 'Pay with wallet' }).click()
    // The network may tell of it before the eye has read that it was sent.
    await page
      .getByText(/^(Sent from your wallet: |We see your payment)/)
      .or(paid())
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor()

    const { currencyAddress, currencyDecimals } = await readPayment(shop, reference)
    const transfers = wallet.transfers().map(readTransfer)
    const wanted = {
      chainId: findBlockchain('BASE')?.networks.sandbox.chainId,
      from: wallet.account,
      token: currencyAddress?.toLowerCase(),
      to: shown.address.toLowerCase(),
      units: parseUnits(shown.amount, currencyDecimals ?? 0),
      value: 0n,
    }
    // The declined one and the confirmed one.
    expect(transfers).toEqual([wanted, wanted])
  })

  it('paid in full with the one transaction of the wallet', async () => {
    const { filledAmount, overpaid, deposits } = await settled(shop, reference, 'FILLED')
    expect({ filledAmount, overpaid, transactions: deposits.length }).toEqual({
      filledAmount: '49',
      overpaid: null,
      transactions: 1,
    })
    expect(await wallet.sent('BASE')).toBe(sentBefore + 1)
  })

  it('met no accessibility violation, and the page called only its own server and the wallet', () => {
    expect(violations).toEqual([])
    expect(strangersOf(visit, instance.url)).toEqual([])
    expect(visit.complaints).toEqual([])
  })
})

describe('a customer who pays in the network’s own currency', () => {
  it('is asked for exactly that amount, and the page becomes paid without a reload', async () => {
    const reference = await newPayment(shop, '49')
    const visit = await openVisit(browser, instance.url, { viewport: { width: 390, height: 844 } })
    const { page } = visit
    const wallet = await installWallet(page, layout, 'BASE')
    await page.goto(`/payments?reference_id=${reference}`)
    await page.getByRole('radio', { name: 'ETH on Base' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: /^Send exactly [\d.]+\sETH on Base$/ }).waitFor()
    const shown = await shownOn(page, 'ETH')
    await page.getByRole('button', { name: 'Pay with wallet' }).click()
    await page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor()

    const units = parseUnits(shown.amount, 18)
    const { chainId } = findBlockchain('BASE')?.networks.sandbox ?? {}
    expect(wallet.transfers().map(readTransfer)).toEqual([
      { chainId, from: wallet.account, token: null, to: shown.address.toLowerCase(), units, value: units },
    ])
    const { filledAmount, overpaid, deposits } = await settled(shop, reference, 'FILLED')
    expect({ filledAmount, overpaid, transactions: deposits.length }).toEqual({
      filledAmount: shown.amount,
      overpaid: null,
      transactions: 1,
    })
    expect(visit.complaints).toEqual([])
    await visit.close()
  })
})

describe('a customer whose payment no node shows yet', () => {
  it('reads after a reload that it was sent, and is not asked to pay again until it is paid', async () => {
    const reference = await newPayment(shop, '49')
    const choice = { blockchain_code: 'BASE', currency_code: 'USDC' }
    await apiOf(instance.url)(paymentsRoutes.pinPayment, { params: { ref: reference }, body: choice })
    const visit = await openVisit(browser, instance.url, { viewport: { width: 390, height: 844 } })
    const { page } = visit
    const wallet = await installWallet(page, layout, 'BASE')
    wallet.answer = 'lose'
    await page.goto(`/payments?reference_id=${reference}`)
    await page.getByRole('button', { name: 'Pay with wallet' }).click()
    const sent = page.getByRole('heading', { name: /^Sent from your wallet: .*Waiting to see it on Base\.$/ })
    await sent.waitFor()
    await page.reload()
    await sent.waitFor()
    expect(await page.getByRole('link', { name: 'View on explorer' }).getAttribute('href')).toContain('9f3c000')
    for (const asking of ['#pay-with-wallet', '.address', '.qr']) {
      expect(await page.locator(asking).first().isVisible()).toBe(false)
    }
    expect(await violationsOf(page)).toEqual([])

    await pay(shop, reference, 'exact')
    await page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor()
    await sent.waitFor({ state: 'detached' })
    expect(await page.evaluate(`sessionStorage.getItem('kassa.checkout.sent')`)).toBeNull()
    expect(wallet.transfers()).toHaveLength(1)
    expect(visit.complaints).toEqual([])
    await visit.close()
  })
})

describe('a customer with a phone, on a page that everybody can reach', () => {
  const PHONE = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true }
  let path: string

  beforeAll(async () => {
    await shop.operator(settingsRoutes.saveSiteAddress, { body: { siteUrl: 'https://pay.acme.example' } })
    const reference = await newPayment(shop, '49')
    const choice = { blockchain_code: 'BASE', currency_code: 'USDC' }
    await apiOf(instance.url)(paymentsRoutes.pinPayment, { params: { ref: reference }, body: choice })
    path = `/payments?reference_id=${reference}`
  })

  it.each([true, false])('opens it in the browser of a wallet’s app; with a script: %s', async (javaScriptEnabled) => {
    const { page, complaints, close } = await openVisit(browser, instance.url, { ...PHONE, javaScriptEnabled })
    await page.goto(path)
    await page.locator('summary', { hasText: 'Open wallet app' }).tap()
    const href = await page.getByRole('link', { name: 'MetaMask' }).getAttribute('href')
    expect(href).toBe(`https://link.metamask.io/dapp/pay.acme.example${path.replace('/payments', '/pay')}`)
    if (javaScriptEnabled) expect(await violationsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it('says how it stands right under the amount, above the address and the wallet apps on the first screen', async () => {
    const { page, close } = await openVisit(browser, instance.url, PHONE)
    await page.goto(path)
    const shown = [
      page.getByRole('heading', { name: /^Send exactly/ }),
      page.getByRole('status').filter({ hasText: 'Waiting for your payment' }),
      page.locator('.address'),
      page.locator('summary', { hasText: 'Open wallet app' }),
    ]
    const ends: number[] = []
    for (const part of shown) {
      const box = await part.boundingBox()
      ends.push(box === null ? Number.NaN : box.y + box.height)
    }
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    expect(ends.at(-1)).toBeLessThanOrEqual(PHONE.viewport.height)
    await close()
  })

  it('is there already in the browser of a wallet', async () => {
    const { page, close } = await openVisit(browser, instance.url, PHONE)
    const wallet = await installWallet(page, layout, 'BASE')
    await page.goto(path.replace('/payments', '/pay'))
    await page.getByRole('button', { name: 'Pay with wallet' }).waitFor()
    await page.locator('#wallet-apps').waitFor({ state: 'hidden' })
    expect(wallet.asked()).toEqual([])
    await close()
  })
})

/** What a person reads on the page, as digits and letters. */
async function shownOn(page: Page, unit: string): Promise<{ readonly amount: string; readonly address: string }> {
  const headline = await page.getByRole('heading', { level: 1 }).innerText()
  const address = await page.locator('.address').innerText()
  return {
    amount: new RegExp(`([\\d.]+)\\s*${unit}`).exec(headline)?.[1] ?? '',
    address: address.replaceAll(/\s/g, ''),
  }
}

/** Reads what the wallet would show its owner. */
function readTransfer({ chainId, from, to, value, data = '' }: AskedTransfer) {
  const asked = { chainId: Number(chainId), from, value: BigInt(value) }
  if (data === '') return { ...asked, token: null, to: to.toLowerCase(), units: BigInt(value) }
  if (!data.startsWith(TRANSFER)) throw new Error(`Not a transfer of a token: ${data}`)
  const [address = '', amount = ''] = data.slice(TRANSFER.length).match(/.{64}/g) ?? []
  return { ...asked, token: to.toLowerCase(), to: `0x${address.slice(24)}`, units: BigInt(`0x${amount}`) }
}
