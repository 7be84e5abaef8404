import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, depositsTo, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'
import { setSandboxPrice } from '../../prices/service.ts'
import { findPayment } from '../payment/store.ts'
import { expireNow } from '../lifecycle/service.ts'
import { refreshConfirmations } from './service.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let app: TestApp
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let base: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START })
  shop = await openShop(app, await app.signUp())
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  base = await fakeChain(app.ctx, 4)
})
beforeEach(() => cashier.pass(HOUR))
afterAll(async () => {
  await app.stop()
})

/** A link of $300 that lives for a week, pinned to 0.1 ETH at $3,000. */
async function weekLink(): Promise<{ ref: string; to: string }> {
  const body = {
    customerID: `week ${app.clock.now.getTime()}`,
    customerEmail: 'payer@example.com',
    amountInUSD: '300',
    expiresInMinutes: 7 * 24 * 60,
    blockchainCode: 'ETH',
    currencyCode: 'ETH',
  }
  const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
  const ref = created.body.reference_id
  return { ref, to: (await findPayment(app.ctx, ref))?.quote?.address ?? '' }
}

describe('payments.creditBlocks', () => {
  it('counts a transfer once, however often it is received (X1)', async () => {
    const { ref, to } = await cashier.newPayment()
    const transfer = { to, assetId: ASSET.USDC_ON_ETH, units: dollars(100), tx: `once ${ref}` }
    await eth.mine([transfer, transfer])
    await eth.mine([transfer])
    expect(await depositsTo(app, to)).toHaveLength(1)
    expect((await cashier.emitted(ref)).filter((type) => type === 'payment.detected')).toHaveLength(1)
  })

  it('counts the same currency on another network of the family', async () => {
    const { ref, to } = await cashier.newPayment()
    await base.mine([{ to, assetId: ASSET.USDC_ON_BASE, units: dollars(100) }])
    await base.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
    expect(await depositsTo(app, to)).toMatchObject([{ status: 'applied', reason: 'other_network' }])
  })

  it('leaves a deposit in another currency unapplied for an operator', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDT_ON_ETH, units: dollars(100) }])
    await eth.mine()
    const unapplied = { reason: 'wrong_asset', state: 'unapplied' }
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'none', deposits: [unapplied] })
    expect(await depositsTo(app, to)).toMatchObject([{ status: 'unapplied', reason: 'wrong_asset' }])
  })

  it('leaves a deposit without a payment unapplied for an operator', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
    expect((await depositsTo(app, to))[1]).toMatchObject({ status: 'unapplied', reason: 'no_payment' })
  })

  it('books dust as ignored, unless it completes a payment', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(0.5) }])
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'none' })
    expect(await depositsTo(app, to)).toMatchObject([{ status: 'ignored', reason: 'below_minimum' }])
    expect(await cashier.emitted(ref)).toEqual([])
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(99.1) }])
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(0.9) }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
  })

  it('allocates later transfers of one block to what earlier ones left missing', async () => {
    const { ref, to } = await cashier.newPayment()
    const parts = [99.1, 0.9].map((part) => ({ to, assetId: ASSET.USDC_ON_ETH, units: dollars(part) }))
    await eth.mine(parts)
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
    expect(await depositsTo(app, to)).toMatchObject([{ status: 'applied' }, { status: 'applied' }])
  })

  it('P-3: judges time by the block, not by when we noticed', async () => {
    const { ref, to } = await cashier.newPayment()
    const paidAt = new Date(app.clock.now.getTime() + 14 * MINUTE)
    cashier.pass(40 * MINUTE)
    await cashier.expire()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }], paidAt)
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', late: false })
  })

  it('P-5: late ether counts at its value when received', async () => {
    const { ref, to, due } = await cashier.newPayment({ amount: '300', currency: 'ETH' })
    expect(due).toBe('0.1')
    cashier.pass(30 * MINUTE)
    await cashier.expire()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1600' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 17n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      late: true,
      filledAmountInUSD: '160.00',
    })
  })

  it('P-2: values a volatile deposit that came after the rate lock, although the link is still open', async () => {
    const { ref, to } = await weekLink()
    cashier.pass(3 * HOUR)
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1600' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 17n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      late: false,
      filledAmountInUSD: '160.00',
    })
    expect(await depositsTo(app, to)).toMatchObject([{ status: 'applied', reason: 'price_lapsed', late: false }])
  })

  it('P-4: a first part after the rate lock extends it for no other part', async () => {
    const { ref, to } = await weekLink()
    cashier.pass(3 * HOUR)
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1600' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
    await eth.mine([{ to, assetId: ASSET.ETH, units: 9n * 10n ** 16n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', filledAmountInUSD: '160.00' })
  })

  it('P-4: a part in time extends the rate lock for the rest, although the link stays open longer', async () => {
    const { ref, to } = await weekLink()
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
    cashier.pass(30 * MINUTE)
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1600' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 9n * 10n ** 16n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
  })

  it('P-4: the first part extends the rate lock to an hour, for any lifetime of the link', async () => {
    const { ref, to } = await weekLink()
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
    expect((await cashier.show(ref)).rateLockedUntil).toEqual(new Date(app.clock.now.getTime() + HOUR))
    cashier.pass(3 * HOUR)
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1600' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 9n * 10n ** 16n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    // 0.01 at $3,000 and 0.09 at $1,600.
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', filledAmountInUSD: '174.00' })
  })

  it('P-4: another currency, which an operator must decide about, extends no rate lock', async () => {
    const { ref, to } = await weekLink()
    cashier.pass(3 * HOUR)
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1600' })
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(1) }])
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
    await eth.mine([{ to, assetId: ASSET.ETH, units: 9n * 10n ** 16n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', filledAmountInUSD: '160.00' })
  })

  it('P-10: shows the confirmations of the least confirmed deposit', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(60) }])
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(40) }])
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', confirmationCurrent: 1 })
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', confirmationCurrent: 2 })
  })

  it('finds the payment of a customer with more ended ones than a statement has parameters', async () => {
    const { ref, to } = await cashier.newPayment()
    await sql`
      INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, status, cancel_reason, created_by,
        asset_id, quote_id, due_units, expires_at, created_at)
      SELECT gen_random_uuid(), project_id, customer_id, 7, 'CANCELLED', 'expired', 'system',
        asset_id, quote_id, 7000000, expires_at - interval '1 hour', created_at - interval '2 hours'
      FROM payments, generate_series(1, 66000) WHERE reference_id = ${ref}`.execute(app.ctx.db)
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
  })

  it('credits deposits while the price of the asset is broken (X10)', async () => {
    const { ref, to } = await cashier.newPayment()
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: '<html>' })
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: null })
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
  })

  it('credits any amount that a token can express', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: 10n ** 60n }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('OVER_FILLED')
  })

  it('lets either expiry or the deposit win, never both', async () => {
    for (let pass = 0; pass < 5; pass += 1) {
      const { ref, to } = await cashier.newPayment()
      cashier.pass(15 * MINUTE)
      await Promise.all([
        cashier.expire(),
        eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }]),
        cashier.expire(),
      ])
      await eth.mine()
      expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', late: false })
      expect((await cashier.emitted(ref)).filter((type) => type === 'payment.filled')).toHaveLength(1)
    }
  })
})

describe('payments.refreshConfirmations', () => {
  it('moves what is seen to confirming as blocks follow', async () => {
    const { ref, to } = await cashier.newPayment()
    await sql`UPDATE blockchains SET min_confirmations = 5 WHERE id = 1`.execute(app.ctx.db)
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await sql`UPDATE blockchains SET min_confirmations = 2 WHERE id = 1`.execute(app.ctx.db)
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({
      fundingState: 'detected',
      confirmationCurrent: 2,
      confirmationRequired: 5,
    })
    await refreshConfirmations(asSystem(app.ctx), { blockchainId: 1, tip: eth.height() })
    expect((await cashier.show(ref)).fundingState).toBe('confirming')
  })
})

describe('payments.expireNow', () => {
  it('makes the next deposit late', async () => {
    const { ref, to } = await cashier.newPayment()
    const payment = await findPayment(app.ctx, ref)
    await expireNow(asSystem(app.ctx), payment ?? expect.fail('no payment'))
    expect((await cashier.show(ref)).paymentState).toBe('CANCELLED')
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', late: true })
  })
})
