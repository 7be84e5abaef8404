import { createPublicKey, verify } from 'node:crypto'

import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { fakeChain, type FakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { setSandboxPrice } from '../../prices/service.ts'
import { addressProofKey } from '../../vaults/service.ts'
import { expirePayments } from '../lifecycle/service.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const UNKNOWN = '01900000-0000-7000-8000-000000000000'

let app: TestApp
let shop: Shop
let eth: FakeChain
let customers = 0

beforeAll(async () => {
  app = await testApp({ now: START })
  shop = await openShop(app, await app.signUp())
  eth = await fakeChain(app.ctx, 1)
  await fakeChain(app.ctx, 4)
})
afterAll(async () => {
  await app.stop()
})

/** A session ends while the clock runs through the hours of these tests. */
const signIn = async () =>
  (await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })).body.key

const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

async function newLink(more: Record<string, unknown> = {}): Promise<string> {
  customers += 1
  const body = { customerID: `payer-${customers}`, customerEmail: 'payer@example.com', amountInUSD: '30', ...more }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
}

const pin = (ref: string, chain: string, currency?: string) =>
  app.call(paymentsRoutes.pinPayment, {
    params: { ref },
    body: { blockchain_code: chain, ...(currency && { currency_code: currency }) },
  })
const show = (ref: string, key?: string) => app.call(paymentsRoutes.getPaymentByReference, { params: { ref } }, { key })
const addresses = async (ref: string) => (await app.call(paymentsRoutes.listDepositAddresses, { params: { ref } })).body
const options = async (ref: string) => (await app.call(paymentsRoutes.listPaymentOptions, { params: { ref } })).body
const pinnedEvents = async (ref: string) => {
  const { rows } = await sql<{ n: bigint }>`
    SELECT count(*) AS n FROM events WHERE reference_id = ${ref} AND type = 'payment.pinned'`.execute(app.ctx.db)
  return Number(rows[0]?.n)
}

describe('payments.pin', () => {
  it('returns an address of the customer and locks a rate, with the evidence for it', async () => {
    const ref = await newLink()
    const { status, body } = await pin(ref, 'ETH', 'ETH')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      Family: 'ETH_Family',
      Status: 'assigned',
      blockchainCode: 'ETH',
      BlockchainFamilyID: 1,
      wallet: { name: 'Shop deposits' },
      quote: { amount: '0.01', priceInUSD: '3000', currencyCode: 'ETH', sources: ['sandbox'] },
    })
    expect(body.Address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(body.path).toMatch(/^m\/44'\/60'\/0'\/0\/\d+$/)
    expect(body.quote?.lockedUntil).toEqual(new Date(app.clock.now.getTime() + 15 * MINUTE))
    const { rows } = await sql<{ evidence: object[] }>`
      SELECT evidence FROM quotes JOIN payments ON payments.id = payment_id WHERE reference_id = ${ref}`.execute(
      app.ctx.db,
    )
    expect(rows[0]?.evidence).toMatchObject([{ name: 'sandbox', price: '3000', used: true }])
  })

  it('signs the address for this payment', async () => {
    const ref = await newLink()
    const { Address, proof } = (await pin(ref, 'BASE', 'USDC')).body
    const x = Buffer.from((await addressProofKey(asSystem(app.ctx))).publicKey, 'base64').toString('base64url')
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
    const { addressProofMessage } = await import('../../vaults/rules.ts')
    const message = (address: string) => addressProofMessage({ reference: ref, blockchainCode: 'BASE', address })
    const signature = Buffer.from(proof, 'base64')
    expect(verify(null, message(Address), key, signature)).toBe(true)
    expect(verify(null, message('0x0000000000000000000000000000000000000001'), key, signature)).toBe(false)
  })

  it('returns the same address and rate for the same request, and emits one event', async () => {
    const ref = await newLink()
    const first = await pin(ref, 'ETH', 'ETH')
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '2900' })
    pass(5 * MINUTE)
    const again = await pin(ref, 'ethereum', 'eth')
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(again.body).toEqual(first.body)
    expect(await pinnedEvents(ref)).toBe(1)
  })

  it('lets the payer choose again, and comes back to a price that still holds', async () => {
    const ref = await newLink()
    const first = await pin(ref, 'ETH', 'ETH')
    const other = await pin(ref, 'BASE', 'USDC')
    expect(other.body.Address).toBe(first.body.Address)
    expect((await show(ref)).body).toMatchObject({ currencySymbol: 'USDC', blockchainSymbol: 'BASE', amount: '30' })
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '3500' })
    const back = await pin(ref, 'ETH', 'ETH')
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(back.body.quote).toEqual(first.body.quote)
    expect((await addresses(ref)).map(({ blockchainCode }) => blockchainCode)).toEqual(['ETH', 'BASE'])
  })

  it('P-2: takes a new price once the old one lapsed, so often and no more', async () => {
    const ref = await newLink({ expiresInMinutes: 10_080 })
    const first = await pin(ref, 'ETH', 'ETH')
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '2000' })
    pass(15 * MINUTE)
    expect((await pin(ref, 'ETH', 'ETH')).body.quote).toMatchObject({ amount: '0.015', priceInUSD: '2000' })
    expect(first.body.quote?.amount).toBe('0.01')
    for (let renewals = 2; renewals < 20; renewals += 1) {
      pass(15 * MINUTE)
      expect((await pin(ref, 'ETH', 'ETH')).status).toBe(200)
    }
    pass(15 * MINUTE)
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect((await pin(ref, 'ETH', 'ETH')).refusal).toMatchObject({
      code: 'PAYMENT_NOT_OPEN',
      details: 'The price was renewed 20 times. Ask for a new link.',
    })
  })

  it('gives the address alone while the currency is open', async () => {
    const ref = await newLink()
    const { body } = await pin(ref, 'ETH')
    expect(body.quote).toBeNull()
    expect((await show(ref)).body.depositAddress).toBeNull()
    expect(await pinnedEvents(ref)).toBe(0)
  })

  it('gives one customer one permanent address', async () => {
    const customerID = 'regular'
    const first = await pin(await newLink({ customerID }), 'ETH', 'USDC')
    const second = await pin(await newLink({ customerID, amountInUSD: '31' }), 'BASE', 'USDC')
    const stranger = await pin(await newLink(), 'BASE', 'USDC')
    expect(second.body.Address).toBe(first.body.Address)
    expect(stranger.body.Address).not.toBe(first.body.Address)
  })

  it('gives two requests at once the same address and one price', async () => {
    const ref = await newLink()
    const [one, two] = await Promise.all([pin(ref, 'ETH', 'ETH'), pin(ref, 'ETH', 'ETH')])
    expect(one.body).toEqual(two.body)
    expect(await pinnedEvents(ref)).toBe(1)
  })

  it('P-4: keeps the choice once money was seen', async () => {
    const ref = await newLink()
    const { Address } = (await pin(ref, 'ETH', 'USDC')).body
    await eth.mine([{ to: Address, assetId: 7, units: 10_000_000n }])
    expect((await pin(ref, 'BASE', 'USDC')).refusal?.code).toBe('PAYMENT_PINNED')
    expect((await pin(ref, 'ETH', 'USDC')).body.Address).toBe(Address)
    await eth.mine()
    expect((await pin(ref, 'ETH', 'ETH')).refusal?.code).toBe('PAYMENT_PINNED')
    expect((await pin(ref, 'ETH', 'USDC')).body.Address).toBe(Address)
  })

  it.each([
    ['TRX', 'USDT'],
    ['DOGE', 'DOGE'],
    ['BASE', 'USDT'],
    ['BTC', undefined],
  ])('refuses %s %s, which is not accepted', async (chain, currency) => {
    expect((await pin(await newLink(), chain, currency)).refusal?.code).toBe('ASSET_NOT_ACCEPTED')
  })

  it('refuses an amount below the smallest deposit of the asset', async () => {
    const ref = await newLink({ amountInUSD: '0.5' })
    expect((await pin(ref, 'ETH', 'USDC')).refusal).toMatchObject({
      code: 'ASSET_NOT_ACCEPTED',
      details: 'The amount is below the minimum of 1 USDC on ETH.',
    })
    expect((await pin(ref, 'BASE', 'USDC')).status).toBe(200)
  })

  it('refuses a request that ended', async () => {
    const ref = await newLink()
    pass(15 * MINUTE)
    expect((await pin(ref, 'ETH', 'ETH')).refusal?.code).toBe('PAYMENT_NOT_OPEN')
    await expirePayments(asSystem(app.ctx))
    expect((await pin(ref, 'ETH', 'ETH')).refusal?.code).toBe('PAYMENT_NOT_OPEN')
  })

  it('makes no quote without a trustworthy price', async () => {
    const ref = await newLink()
    for (const price of ['0', '-1', 'NaN', '3000000', '']) {
      await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price })
      const { status, refusal, headers } = await pin(ref, 'ETH', 'ETH')
      expect([status, refusal?.code]).toEqual([503, 'RATE_UNAVAILABLE'])
      expect(headers['retry-after']).toBe('10')
    }
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect((await pin(ref, 'ETH', 'ETH')).status).toBe(200)
  })

  it('refuses when the wallet is no longer there', async () => {
    const other = await openShop(app, await signIn(), 'Market')
    const body = { customerID: 'a', customerEmail: 'a@b.example', amountInUSD: '5' }
    const made = await app.call(paymentsRoutes.createPayment, { body }, { key: other.apiKey })
    await sql`DELETE FROM project_wallets WHERE project_id = ${other.projectId}`.execute(app.ctx.db)
    expect((await pin(made.body.reference_id, 'BASE', 'USDC')).refusal?.code).toBe('NO_DEPOSIT_ADDRESS')
  })
})

describe('payments.options', () => {
  it('lists what can be paid with now, and why not', async () => {
    const ref = await newLink({ amountInUSD: '0.5' })
    const listed = await options(ref)
    expect(listed.map(({ blockchainCode, currencyCode, ready }) => [blockchainCode, currencyCode, ready])).toEqual([
      ['BASE', 'USDC', true],
      ['ETH', 'USDC', false],
      ['ETH', 'USDT', false],
      ['BASE', 'ETH', false],
      ['ETH', 'ETH', false],
    ])
    expect(listed[1]).toMatchObject({
      reason: 'At least 1 USDC on this network.',
      minDepositAmount: '1',
      network: 'Ethereum',
    })
  })

  it('offers a stable currency on the cheapest network first until something is chosen', async () => {
    const [first] = await options(await newLink())
    expect(first).toMatchObject({ currencyCode: 'USDC', blockchainCode: 'BASE', typicalFee: 'low', typicalSeconds: 4 })
  })

  it('shows the address once there is one, and what the shop recommends', async () => {
    const ref = await newLink()
    expect((await options(ref)).every(({ customerAddress }) => customerAddress === '')).toBe(true)
    const { Address } = (await pin(ref, 'ETH', 'USDC')).body
    await app.call(
      projectsRoutes.changeProject,
      { params: { p: shop.p }, body: { defaultPaymentBlockchainID: 4, defaultPaymentBlockchainCurrencyID: 8 } },
      { key: await signIn() },
    )
    const listed = await options(ref)
    expect(new Set(listed.map(({ customerAddress }) => customerAddress))).toEqual(new Set([Address]))
    expect(listed.filter(({ recommended }) => recommended).map(({ id }) => id)).toEqual([8])
  })

  it('marks what customers pay with most', async () => {
    const ref = await newLink()
    const { Address } = (await pin(ref, 'ETH', 'USDT')).body
    await eth.mine([{ to: Address, assetId: 11, units: 30_000_000n }])
    await eth.mine()
    expect((await options(ref)).filter(({ mostUsed }) => mostUsed).map(({ id }) => id)).toEqual([11])
  })

  it('says so when a network lags or a price is missing', async () => {
    const ref = await newLink()
    await sql`UPDATE chain_cursors SET head_height = height + 40 WHERE blockchain_id = 4`.execute(app.ctx.db)
    await setSandboxPrice(app.ctx, { currencyCode: 'USDT', price: '0.9' })
    const reasons = new Map((await options(ref)).map(({ id, reason }) => [id, reason]))
    await sql`UPDATE chain_cursors SET head_height = height WHERE blockchain_id = 4`.execute(app.ctx.db)
    await setSandboxPrice(app.ctx, { currencyCode: 'USDT', price: null })
    expect(reasons.get(8)).toBe('Payments on Base are not noticed right now. Choose another network, or wait a little.')
    expect(reasons.get(11)).toBe('There is no trustworthy price right now.')
    expect(reasons.get(7)).toBeNull()
  })
})

describe('payments by reference', () => {
  it('says 401 with its own code for an unknown link, on every route', async () => {
    const { getPaymentByReference, listPaymentOptions, listDepositAddresses, getProjectByReference } = paymentsRoutes
    const { listWalletsByReference, listPaymentChannels } = paymentsRoutes
    for (const ref of [UNKNOWN, 'nonsense', "' OR 1=1 --"]) {
      for (const route of [
        getPaymentByReference,
        listPaymentOptions,
        listDepositAddresses,
        getProjectByReference,
        listWalletsByReference,
        listPaymentChannels,
      ] as const) {
        const { status, refusal } = await app.call(route as typeof listPaymentOptions, { params: { ref } })
        expect([status, refusal?.code]).toEqual([401, 'PAYMENT_REFERENCE_UNKNOWN'])
      }
      expect((await pin(ref, 'ETH')).refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
    }
  })

  it('asks for a reference', async () => {
    const missing = await app.call(paymentsRoutes.getPaymentByReference, { params: {} }, { path: 1 })
    expect([missing.status, missing.refusal?.code]).toEqual([400, 'REFERENCE_REQUIRED'])
    const legacy = await app.call(paymentsRoutes.getPaymentDetails, { query: {} }, { key: shop.apiKey })
    expect(legacy.refusal?.code).toBe('REFERENCE_REQUIRED')
  })

  it('answers the older path', async () => {
    const ref = await newLink()
    const { body } = await app.call(
      paymentsRoutes.getPaymentDetails,
      { query: { referenceID: ref } },
      { key: shop.apiKey },
    )
    expect(body.referenceID).toBe(ref)
    const unknown = await app.call(
      paymentsRoutes.getPaymentDetails,
      { query: { referenceID: UNKNOWN } },
      { key: shop.apiKey },
    )
    expect(unknown.refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
  })

  it('shows the customer id to the project’s own key and operators only', async () => {
    const ref = await newLink({ customerID: 'secret-id' })
    const other = await openShop(app, await signIn(), 'Elsewhere')
    expect((await show(ref)).body.customerID).toBeNull()
    expect((await show(ref, other.apiKey)).body.customerID).toBeNull()
    expect((await show(ref, shop.apiKey)).body.customerID).toBe('secret-id')
    expect((await show(ref, await signIn())).body.customerID).toBe('secret-id')
    expect((await show(ref, 'kp_test_nobody')).body.customerID).toBeNull()
  })

  it('links to the wallet, the explorer and back to the shop', async () => {
    const ref = await newLink({ successURL: 'https://shop.example/thanks' })
    const { Address } = (await pin(ref, 'BASE', 'USDC')).body
    const { body } = await show(ref)
    expect(body.paymentURI).toBe(`ethereum:${body.currencyAddress}@31338/transfer?address=${Address}&uint256=30000000`)
    expect(body).toMatchObject({ successURL: 'https://shop.example/thanks', cancelURL: null, explorerTransaction: '' })
  })

  it('shows the project without its private fields', async () => {
    const ref = await newLink()
    const { body, text } = await app.call(paymentsRoutes.getProjectByReference, { params: { ref } })
    expect(body).toMatchObject({ id: shop.projectId, name: 'Shop', brandColor: '#caff54', logoPath: '' })
    expect(text).not.toContain('webhook')
  })

  it('shows the wallets without their keys, and the one channel', async () => {
    const ref = await newLink()
    const wallets = await app.call(paymentsRoutes.listWalletsByReference, { params: { ref } }, { path: 1 })
    expect(wallets.body).toMatchObject([
      { name: 'Shop deposits', family: 'ETH_Family', walletType: 'deposit_wallet', walletSubType: 'eoa' },
    ])
    expect(wallets.text).not.toContain('xpub')
    const channels = await app.call(paymentsRoutes.listPaymentChannels, { params: { ref } })
    expect(channels.body).toEqual([{ channel: 'crypto', enabled: true }])
  })
})
