/** Money that leaves, as two people see it: a hot wallet, a recipient, a payout and a refund, each approved by the other one. */
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { callNode } from '../apps/server/src/sandbox/node-call.ts'
import { type Approver, joinAsApprover } from './approver.ts'
import { openBrowser, openVisit, plugSecurityKey, violationsOf, type Visit } from './browser.ts'
import { expectBooks } from './chaos/audit.ts'
import { chainUrl } from './chaos/slot.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { newPayment, openShop, pay, settled, type Shop } from './shop.ts'
import { storedSession } from './spec/operator-windows.ts'
import { until } from './until.ts'

/** Nobody's: what arrives there came from the hot wallet. */
const SUPPLIER = '0x1111111111111111111111111111111111111111'
const CUSTOMER = '0x2222222222222222222222222222222222222222'

/** Until something is final on a busy machine. */
const FINAL_MS = 180_000

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let reference: string
let owner: Visit
let second: Approver
let approver: Visit

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  shop = await openShop(instance.url)
  reference = await newPayment(shop, '100')
  await pay(shop, reference, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
  const window = (session: string) =>
    openVisit(browser, instance.url, { storageState: storedSession(instance.url, session) })
  owner = await window(shop.session)
  second = await joinAsApprover(shop)
  approver = await window(second.session)
  await settled(shop, reference, 'FILLED')
})

afterAll(async () => {
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

/** Chooses the option that says so, among whatever else. */
async function choose(select: Locator, text: string): Promise<void> {
  await select.selectOption(await select.locator('option', { hasText: text }).getAttribute('value'))
}

/** The code that the sandbox kept with the e-mail about a recipient. */
async function mailedCode(name: string): Promise<string> {
  const email = await until(
    `an e-mail about ${name}`,
    async () => (await shop.operator(sandboxRoutes.listEmails)).find(({ subject }) => subject.includes(name)),
    (found) => found !== undefined,
  )
  return /Code: (\d{6})/.exec(email?.paragraphs[0] ?? '')?.[1] ?? ''
}

async function receivedBy(address: string): Promise<bigint> {
  const data = `0x70a08231${address.slice(2).padStart(64, '0')}`
  return BigInt(
    await callNode<string>(chainUrl(layout, 'BASE'), 'eth_call', { to: SANDBOX_TOKENS.usdc, data }, 'latest'),
  )
}

/** The second person makes a passkey on their own computer. */
async function addPasskey(): Promise<void> {
  const { page } = approver
  await plugSecurityKey(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const making = page.getByRole('dialog', { name: 'Add a passkey' })
  await making.getByRole('textbox', { name: 'Name' }).fill('Key of the second person')
  await making.getByRole('button', { name: 'Make passkey' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Key of the second person').waitFor()
}

/** Answers the dialog that asks who is there with the passkey. */
async function confirmByPasskey(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByText('What you confirm is exactly this.').waitFor()
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
}

/** The second person opens the pending payout, compares, approves with a factor, and sees an empty list. */
async function approve(about: RegExp, confirm: (page: Page) => Promise<void>): Promise<void> {
  const { page } = approver
  await page.goto(`/withdraw/approvals?projectId=${shop.project}`)
  const card = page.getByRole('article', { name: about })
  await card.getByText('Word check').waitFor()
  await card.getByRole('button', { name: 'Approve' }).click()
  await confirm(page)
  await page.getByText('Nothing waits for you.').waitFor()
}

describe('money that leaves', () => {
  it('needs a hot wallet, made by the server and funded by the sandbox', async () => {
    const { page } = owner
    await page.goto('/manageWallet/hot-wallet')
    await page.getByRole('button', { name: 'Add hot wallet' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add hot wallet' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Payouts')
    await dialog.getByRole('button', { name: 'Add hot wallet' }).click()
    await page.getByText('Payouts was added').waitFor()
    await page
      .getByRole('table', { name: 'Hot wallets' })
      .getByRole('link', { name: /Payouts/ })
      .first()
      .click()
    const lies = page.getByRole('table', { name: 'Balances' })
    for (const coin of ['ETH on Base', 'USDC on Base']) {
      const row = lies.getByRole('row').filter({ hasText: coin })
      await row.getByRole('button', { name: 'Fund' }).click()
    }
    // Booked once it is final, and shown without a reload.
    for (const [coin, amount] of [
      ['USDC on Base', '200'],
      ['ETH on Base', '0.2'],
    ] as const) {
      const row = lies.getByRole('row').filter({ hasText: coin })
      await expect.poll(() => row.getByText(amount).count(), { timeout: FINAL_MS }).toBeGreaterThanOrEqual(2)
    }
  })

  it('goes to recipients that were verified by a code of an e-mail', async () => {
    const { page } = owner
    for (const [name, address] of [
      ['Supplier A', SUPPLIER],
      ['Customer of the refund', CUSTOMER],
    ] as const) {
      await page.goto(`/withdraw/recipients?projectId=${shop.project}`)
      await page.getByRole('button', { name: 'Add recipient' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Add recipient' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      await dialog.getByRole('textbox', { name: 'E-mail' }).fill(`${address.slice(2, 6)}@mail.example`)
      await dialog.getByRole('combobox', { name: 'Network' }).selectOption({ label: 'Base' })
      await dialog.getByRole('textbox', { name: 'Address', exact: true }).fill(address)
      await dialog.getByRole('button', { name: 'Add recipient' }).click()
      const proof = page.getByRole('dialog', { name: `Verify ${name}` })
      await proof.getByText(/A code was mailed to/).waitFor()
      await proof.getByRole('textbox', { name: 'Code' }).fill(await mailedCode(name))
      await proof.getByRole('button', { name: 'Verify' }).click()
      await page.getByText(`${name} can be paid`).waitFor()
    }
    const { recipients } = await shop.operator(recipientsRoutes.listRecipients)
    expect(recipients.map(({ status }) => status)).toEqual(['active', 'active'])
  })

  it('is asked for by one person, approved by another with a passkey, and arrives once', async () => {
    const { page } = owner
    await page.goto(`/withdraw/payouts/new?projectId=${shop.project}`)
    await choose(page.getByRole('combobox', { name: 'To' }), 'Supplier A')
    await page.getByRole('textbox', { name: 'Amount' }).fill('20')
    await page.getByRole('combobox', { name: 'Currency' }).selectOption('USDC')
    // The server's answer: fee, float and approvals, before anything is requested.
    const quote = page.getByRole('region', { name: 'What happens' })
    await quote.getByText('1 approval, not yours: for every amount').waitFor()
    await quote.getByText(/about 0\.\d+\sETH/).waitFor()
    await page.getByRole('button', { name: 'Review payout' }).click()
    await page.getByRole('dialog', { name: 'Review payout' }).getByRole('button', { name: 'Create payout' }).click()
    await page.getByRole('link', { name: 'Follow it' }).click()
    await page
      .getByRole('dialog', { name: /^Payout / })
      .getByText('Needs approval')
      .first()
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    await addPasskey()
    await approve(/20\sUSDC to Supplier A/, confirmByPasskey)
    await page
      .getByRole('dialog', { name: /^Payout / })
      .getByText(/^✓?\s*Paid$/)
      .first()
      .waitFor({ timeout: FINAL_MS })
    expect(await receivedBy(SUPPLIER)).toBe(20_000_000n)
  })

  it('is asked for from a file, approved in one touch of the passkey, and arrives once each', async () => {
    const { page } = owner
    await page.goto(`/withdraw/payouts/new?projectId=${shop.project}`)
    await page.getByRole('button', { name: 'Many from CSV' }).click()
    await page
      .getByRole('textbox', { name: 'Or paste the lines' })
      .fill('recipient,currency,amount,reference\nSupplier A,USDC,5,file-1\nSupplier A,USDC,7.5,file-2')
    await page.getByRole('button', { name: 'Check the lines' }).click()
    await page
      .getByRole('region', { name: 'What happens' })
      .getByText('1 approval, not yours: for every amount')
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Review payouts' }).click()
    const review = page.getByRole('dialog', { name: 'Review payouts' })
    await review.getByText(/12\.5\sUSDC in 2 payouts/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await review.getByRole('button', { name: 'Create 2 payouts' }).click()
    await page.getByText('2 need approval.').waitFor()
    const { page: other } = approver
    await other.goto(`/withdraw/approvals?projectId=${shop.project}`)
    await other.getByRole('button', { name: 'Approve several' }).click()
    const several = other.getByRole('dialog', { name: 'Approve these payouts?' })
    await several.getByRole('button', { name: 'Approve 2 payouts' }).waitFor()
    expect(await violationsOf(other)).toEqual([])
    await several.getByRole('button', { name: 'Approve 2 payouts' }).click()
    await confirmByPasskey(other)
    await other.getByText('Nothing waits for you.').waitFor()
    await expect.poll(() => receivedBy(SUPPLIER), { timeout: FINAL_MS }).toBe(32_500_000n)
  })

  it('gives a payment back from its page, approved with a code of the app, and the books are as the chains', async () => {
    const { page } = owner
    await page.goto(`/project/${shop.project}/payments/allPayments/${reference}`)
    await page.getByRole('button', { name: 'Actions' }).first().click()
    await page.getByRole('menuitem', { name: /Refund/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund payment' })
    await dialog.getByRole('radio', { name: /Everything received/ }).check()
    await choose(dialog.getByRole('combobox', { name: 'To' }), 'Customer of the refund')
    await dialog.getByRole('button', { name: 'Review refund' }).click()
    await dialog.getByRole('button', { name: 'Create refund' }).click()
    await page.getByText('The refund waits for approval, like any payout.').waitFor()
    await approve(/100\sUSDC to Customer of the refund/, second.confirm)
    await page.goto(`/withdraw/payouts?projectId=${shop.project}`)
    const paid = page.getByRole('row').filter({ hasText: 'Customer of the refund' }).filter({ hasText: 'Paid' })
    await paid.waitFor({ timeout: FINAL_MS })
    expect([await receivedBy(CUSTOMER), await receivedBy(SUPPLIER)]).toEqual([100_000_000n, 32_500_000n])
    await expectBooks(shop.operator)
  })
})
