import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { SANDBOX_TRON_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { accountNamed, signPsbt } from '@kassa/chains/testing/offline-signer.ts'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { TronWeb } from 'tronweb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { solanaList } from '../apps/server/src/testing/address-lists.ts'
import { type ReceivedRequest, type Receiver, startReceiver } from '../apps/server/src/testing/receiver.ts'
import { deployForApprovals, signInPage, sweepApproved } from './approving.ts'
import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { printedBooks } from './chaos/audit.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { newPayment, openShop, pay, settled, type Shop, TRON_XPUB } from './shop.ts'
import { installSolanaWallet, type SolanaWallet } from './solana-wallet.ts'
import { installTronWallet, NILE, type TronWallet } from './tron-wallet.ts'
import { storedSession } from './spec/operator-windows.ts'
import { until } from './until.ts'

const bitcoin = accountNamed('families')

/** Nobody's: what arrives there was swept. */
const COLD = 'bcrt1qpyysjzgfpyysjzgfpyysjzgfpyysjzgfrwg6xw'
const TRON_COLD = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'

/** As deep as money of any amount must lie. */
const DEEP = 12

/** Chains that start on request; the sandbox has no Bitcoin without a program of it. */
const CHAINS = ['TRX', 'SOLANA', 'POLYGON', ...(findBitcoinProgram() === null ? [] : ['BTC'])]

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let owner: Visit
let receiver: Receiver
let secret: string

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser, receiver] = await Promise.all([startInstance(layout), openBrowser(), startReceiver()])
  shop = await openShop(instance.url)
  const body = { status: 'active' } as const
  await Promise.all(CHAINS.map((x) => shop.operator(blockchainChangesRoutes.changeBlockchain, { params: { x }, body })))
  const endpoint = { params: { p: shop.project }, body: { url: receiver.url } }
  secret = (await shop.operator(webhooksRoutes.createWebhook, endpoint)).secret ?? ''
  owner = await openVisit(browser, instance.url, { storageState: storedSession(instance.url, shop.session) })
})

afterAll(async () => {
  await browser?.close()
  await receiver?.close()
  await instance?.stop()
  clearLayout(layout)
})

/** Adds a wallet by its public key, from the card of its family. */
async function addByKey(page: Page, family: string, key: string): Promise<void> {
  const card = page.getByRole('region', { name: family, exact: true })
  await card.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Extended public key' }).fill(key)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('table').waitFor()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('checkbox', { name: 'Acme' }).waitFor()
  await dialog.getByRole('button', { name: 'Add wallet' }).click()
  await dialog.waitFor({ state: 'detached' })
  await card
    .getByText(/Active$/)
    .first()
    .waitFor()
}

async function addByList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add address list' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add address list' })
  const buffer = Buffer.from(JSON.stringify(solanaList('e2e')))
  await dialog.locator('input[type=file]').setInputFiles({ name: 'list.json', mimeType: 'application/json', buffer })
  await dialog.getByRole('button', { name: 'Add addresses' }).click()
  await dialog.waitFor({ state: 'detached' })
  const card = page.getByRole('region', { name: 'Solana', exact: true })
  await card
    .getByText(/Active$/)
    .first()
    .waitFor()
}

/** Pays from a wallet that is on another network at first, and whose owner declines at first. */
async function payByTronWallet(page: Page, wallet: TronWallet): Promise<void> {
  const steps = page.locator('#wallet-steps')
  wallet.network = NILE
  await page.getByRole('button', { name: 'Pay with wallet' }).click()
  await steps.getByText('Your wallet is on Nile. This payment is on TRON.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  wallet.answer = 'decline'
  await steps.getByRole('button', { name: 'Switch to TRON' }).click()
  await steps.locator('button:enabled', { hasText: 'Send' }).click()
  await steps.getByText('You declined. Nothing was sent.').waitFor()
  wallet.answer = 'confirm'
  await page.getByRole('button', { name: 'Pay with wallet' }).click()
  const address = (await page.locator('.address').innerText()).replaceAll(/\s/g, '')
  await page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor()
  const asked = wallet.transactions().map(readTransfer)
  const wanted = { from: wallet.account, token: SANDBOX_TRON_TOKENS.usdt, to: address, units: 400_000_000n }
  // The declined one and the confirmed one.
  expect(asked).toEqual([wanted, wanted])
}

/** What a wallet shows its owner, read by tronweb. */
function readTransfer({ raw_data: { contract } }: ReturnType<TronWallet['transactions']>[number]) {
  const {
    owner_address: from,
    contract_address: token,
    data,
  } = { ...contract[0]?.parameter.value } as Readonly<Record<string, string | undefined>>
  const [, receiver = '', units = ''] = /^a9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data ?? '') ?? []
  const textOf = (hex: string) => TronWeb.address.fromHex(hex)
  return {
    from: textOf(from ?? ''),
    token: textOf(token ?? ''),
    to: textOf(`41${receiver}`),
    units: BigInt(`0x${units}`),
  }
}

/** Pays from a wallet whose owner declines at first. */
async function payBySolanaWallet(page: Page, wallet: SolanaWallet): Promise<void> {
  const steps = page.locator('#wallet-steps')
  wallet.answer = 'decline'
  await page.getByRole('button', { name: 'Pay with wallet' }).click()
  await steps.getByText('You declined. Nothing was sent.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  wallet.answer = 'confirm'
  await page.getByRole('button', { name: 'Pay with wallet' }).click()
  const address = (await page.locator('.address').innerText()).replaceAll(/\s/g, '')
  await page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor()
  expect(wallet.asked.map(({ chain }) => chain)).toEqual(['solana:localnet', 'solana:localnet'])
  // The library that wallets are built with reads who pays, and whom.
  for (const { message } of wallet.asked) {
    expect(message.staticAccounts.slice(0, 2)).toEqual([wallet.account, address])
  }
}

/** Has the contract for approvals created by the wallet of an operator; where it stands. */
async function deployByTronWallet(): Promise<string> {
  const visit = await openVisit(browser, instance.url, { storageState: storedSession(instance.url, shop.session) })
  const wallet = await installTronWallet(visit.page)
  const contract = await deployForApprovals(visit.page, shop, { network: 'TRX', currency: 'USDT' })
  expect(wallet.transactions()).toHaveLength(1)
  // The server is asked until the network has confirmed it, and the browser notes each "not yet".
  expect(visit.complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
  await visit.close()
  return contract
}

/** What the shop heard of a payment; every message is signed. */
function heardOf(reference: string) {
  const verified = ({ body, headers }: ReceivedRequest) =>
    new Webhook(secret).verify(body, headers as Record<string, string>) as Readonly<Record<string, unknown>>
  return receiver.requests.map(verified).filter((body) => body['reference_id'] === reference)
}

describe('a shop that takes money of every chain family', () => {
  it('gets its wallets in the browser: by a key, or by a list of the signer', async () => {
    const { page } = owner
    await page.goto('/manageWallet/deposit-wallet')
    await addByKey(page, 'TRON', TRON_XPUB)
    await addByKey(page, 'Bitcoin', bitcoin.publicExtendedKey)
    await addByList(page)
    expect(owner.complaints).toEqual([])
  })

  it.each([
    // Enough to be worth the fee of a sweep.
    ['USDT on TRON', 'TRX', 'USDT', '400'],
    ['BTC on Bitcoin', 'BTC', 'BTC', '30'],
    ['SOL on Solana', 'SOLANA', 'SOL', '30'],
    ['USDC on Polygon', 'POLYGON', 'USDC', '30'],
  ])('is paid in %s, from the link to the signed message', async (choice, blockchainCode, currencyCode, amount) => {
    if (!CHAINS.includes(blockchainCode)) return
    const reference = await newPayment(shop, amount)
    await until(
      `${choice} to be ready`,
      () => shop.merchant(paymentsRoutes.listPaymentOptions, { params: { ref: reference } }),
      (options) => options.some((one) => one.blockchainCode === blockchainCode && one.ready),
    )
    const customer = await openVisit(browser, instance.url, { viewport: { width: 390, height: 844 } })
    const tron = blockchainCode === 'TRX' ? await installTronWallet(customer.page) : undefined
    const solana = blockchainCode === 'SOLANA' ? await installSolanaWallet(customer.page) : undefined
    await customer.page.goto(`/payments?reference_id=${reference}`)
    await customer.page.getByRole('radio', { name: choice, exact: true }).check()
    await customer.page.getByRole('button', { name: 'Continue' }).click()
    await customer.page.getByRole('heading', { name: new RegExp(`^Send exactly [0-9.]+ ${choice}$`) }).waitFor()
    if (tron) await payByTronWallet(customer.page, tron)
    else if (solana) await payBySolanaWallet(customer.page, solana)
    else await pay(shop, reference, 'exact', { blockchainCode, currencyCode })
    await customer.page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor()
    const paid = await settled(shop, reference, 'FILLED')
    expect(paid).toMatchObject({ blockchainSymbol: blockchainCode, fundingState: 'confirmed' })
    expect(paid.confirmationCurrent).toBeGreaterThanOrEqual(paid.confirmationRequired)
    const heard = await until(
      'the shop to hear of it',
      () => heardOf(reference),
      ({ length }) => length === 2,
    )
    expect(heard.map((body) => [body['event_type'], body['network']])).toEqual([
      ['payment.detected', blockchainCode],
      ['payment.filled', blockchainCode],
    ])
    expect(customer.complaints).toEqual([])
    await customer.close()
  })

  it('brings its USDT on TRON home by an approval that the signer in the page signs', async () => {
    const hot = await shop.operator(hotWalletsRoutes.addHotWallet, {
      params: { f: 'TRX_Family' },
      body: { name: 'TRON gas', generate: true, functions: ['gas'] },
    })
    const gas = { walletID: hot.id, blockchainCode: 'TRX', currencyCode: 'TRX', amount: '100' }
    await shop.operator(sandboxRoutes.fundWallet, { body: gas })
    const cold = { params: { id: 'TRX' }, body: { name: 'TRON vault', address: TRON_COLD } }
    await shop.operator(coldWalletsRoutes.addColdWallet, cold)
    const { page } = owner
    const address = await deployByTronWallet()
    const usdt = { params: { b: 'TRX', c: 'USDT' } }
    await until(
      'gas to arrive',
      () => shop.operator(sweepApprovalsRoutes.getApprovalOverview, usdt),
      (overview) => overview.counts.idle === 1 && overview.gas.balance !== '0',
    )

    await page.goto('/sweepIn?tabId=Funds')
    const funds = page.getByRole('row').filter({ hasText: 'TRON' }).filter({ hasText: 'USDT' })
    await funds.getByRole('button', { name: 'Approve' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Prepare 1 address' }).click()
    await signInPage(page, { contract: address, cold: TRON_COLD })
    await sweepApproved(page)
    await until(
      'USDT to arrive',
      () => shop.operator(sweepsRoutes.listSweeps, { query: { blockchainCode: ['TRX'] } }),
      (sweeps) => sweeps.some(({ status, amount }) => status === 'completed' && amount === '400'),
    )
    expect(owner.complaints).toEqual([])
  })

  it('brings its Bitcoin home by a batch that a wallet outside of the server signs', async () => {
    if (!CHAINS.includes('BTC')) return
    await shop.operator(coldWalletsRoutes.addColdWallet, {
      params: { id: 'BTC' },
      body: { name: 'Vault', address: COLD },
    })
    const question = { body: { blockchainCode: 'BTC', currencyCode: 'BTC' } } as const
    const { planID } = await until(
      'the coins to be ready',
      () => shop.operator(sweepsRoutes.planSweep, question),
      ({ batches }) => batches.length === 1,
    )
    const { sweeps } = await shop.operator(sweepsRoutes.startSweep, { body: { planID } })
    const id = sweeps[0]?.id ?? 0
    const { page } = owner
    await page.goto('/sweepIn?tabId=Funds')
    await page.getByText('Sign 1 batch on your device').waitFor()
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Sign this batch' })
    await drawer.getByRole('button', { name: 'Send signed batch' }).waitFor()
    expect((await drawer.innerText()).replaceAll(/\s/g, '')).toContain(COLD)
    expect(await violationsOf(page)).toEqual([])
    const batch = await shop.operator(offlineSweepsRoutes.getOfflineSweep, { params: { id } })
    const signed = signPsbt(batch.psbt, (at) => bitcoin.deriveChild(0).deriveChild(at).privateKey ?? new Uint8Array())
    await drawer.getByRole('textbox', { name: 'Or paste it' }).fill(signed)
    await drawer.getByRole('button', { name: 'Send signed batch' }).click()
    await drawer.waitFor({ state: 'detached' })
    const swept = await until(
      'the coins to arrive',
      async () => {
        const sweep = await shop.operator(sweepsRoutes.getSweep, { params: { id } })
        if (sweep.status === 'broadcast') {
          await shop.operator(sandboxRoutes.mineBlocks, { params: { b: 'BTC' }, body: { blocks: DEEP } })
        }
        return sweep
      },
      ({ status }) => status === 'completed',
    )
    expect(swept).toMatchObject({ path: 'device', txHash: batch.txHash, networkFee: batch.fee, failedCount: 0 })
    const printed = await printedBooks(layout)
    expect(printed).toContain('The books balance.')
    expect(printed).not.toMatch(/BROKEN|DRIFT|UNKNOWN/)
    expect(owner.complaints).toEqual([])
  })
})
