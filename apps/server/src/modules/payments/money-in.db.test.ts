import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { PaymentPublic } from '@kassa/contract/payments/schemas.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type PaperChain, paperChain } from '../../testing/paper-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { setSandboxPrice } from '../prices/service.ts'
import { expirePayments, lapsePayment, refreshConfirmations } from './service.ts'
import { findPayment } from './read-store.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Asset ids of the definitions. */
const ETH = 1
const USDC_ON_ETH = 7
const USDC_ON_BASE = 8
const USDT_ON_ETH = 11

let app: TestApp
let shop: Shop
let eth: PaperChain
let base: PaperChain
let customers = 0

beforeAll(async () => {
  app = await testApp({ now: START })
  shop = await openShop(app, await app.signUp())
  eth = await paperChain(app.ctx, 1)
  base = await paperChain(app.ctx, 4)
})
beforeEach(() => {
  app.clock.now = new Date(app.clock.now.getTime() + HOUR)
})
afterAll(async () => {
  await app.stop()
})

const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const dollars = (amount: number) => BigInt(Math.round(amount * 1e6))

async function newPayment({ amount = '100', customer = '', chain = 'ETH', currency = 'USDC' } = {}) {
  customers += 1
  const customerID = customer || `payer-${customers}`
  const created = await app.call(
    paymentsRoutes.createPayment,
    { body: { customerID, customerEmail: 'payer@example.com', amountInUSD: amount } },
    { key: shop.apiKey },
  )
  const ref = created.body.reference_id
  const pinned = await app.call(paymentsRoutes.pinPayment, {
    params: { ref },
    body: { blockchain_code: chain, currency_code: currency },
  })
  return { ref, to: pinned.body.Address, customerID, due: pinned.body.quote?.amount }
}

async function show(ref: string): Promise<PaymentPublic> {
  return (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body
}

async function events(ref: string) {
  const { rows } = await sql<{ type: string; sequence: number; payload: Record<string, unknown> }>`
    SELECT type, sequence, payload FROM events WHERE reference_id = ${ref} ORDER BY id`.execute(app.ctx.db)
  return rows
}

/** What was told after the link was made and pinned. */
async function told(ref: string): Promise<string[]> {
  const types = (await events(ref)).map(({ type }) => type)
  return types.filter((type) => type !== 'payment.created' && type !== 'payment.pinned')
}

async function depositsTo(to: string) {
  const { rows } = await sql<{ status: string; reason: string | null; late: boolean; payment_id: bigint | null }>`
    SELECT status, reason, late, payment_id FROM deposits WHERE to_address = ${to} ORDER BY id`.execute(app.ctx.db)
  return rows
}

async function balance(kind: string, assetId: number): Promise<bigint> {
  const { rows } = await sql<{ balance: string }>`
    SELECT coalesce(sum(CASE side WHEN 'C' THEN credits - debits ELSE debits - credits END), 0) AS balance
    FROM accounts WHERE kind = ${kind} AND asset_id = ${assetId}`.execute(app.ctx.db)
  return BigInt(rows[0]?.balance ?? 0)
}

const expire = () => expirePayments(asSystem(app.ctx))

describe('payments: rows of money.md 3.5', () => {
  it('row 2: the pick fixes asset, amount and address', async () => {
    const { ref, to } = await newPayment()
    expect(await show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'none',
      amount: '100',
      depositAddress: to,
      currencySymbol: 'USDC',
      blockchainSymbol: 'ETH',
      confirmationRequired: 0,
    })
    const pinned = (await events(ref)).at(-1)
    expect(pinned).toMatchObject({ type: 'payment.pinned', sequence: 2 })
    expect(pinned?.payload).toMatchObject({ currency: 'USDC', network: 'ETH', amount: '100', amount_due: '100' })
  })

  it('row 3: a transfer is seen before it counts', async () => {
    const { ref, to } = await newPayment()
    const [tx] = await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    expect(await show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'detected',
      filledAmount: '0',
      confirmationCurrent: 1,
      confirmationRequired: 2,
      deposits: [{ txHash: tx, amount: '100', confirmations: 1 }],
    })
    const detected = (await events(ref)).at(-1)
    expect(detected?.type).toBe('payment.detected')
    expect(detected?.payload).toMatchObject({
      status: 'OPEN',
      funding_state: 'detected',
      filled_amount: '0',
      confirmation_current: 1,
      payment_info: [{ transaction_hash: tx, destination_address: to, block_number: eth.height() }],
    })
    expect(await balance('chain:unconfirmed', USDC_ON_ETH)).toBe(dollars(100))
    await eth.mine()
  })

  it('row 4: final money that is short fills in part, and the rest may follow at the same price', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(98) }])
    await eth.mine()
    const shown = await show(ref)
    expect(shown).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      fundingState: 'confirmed',
      filledAmount: '98',
      filledAmountInUSD: '98.00',
      amountDue: '2',
      amountDueInUSD: '2.00',
    })
    expect(shown.paymentURI).toContain('uint256=2000000')
    expect(shown.expiresAt).toEqual(new Date(app.clock.now.getTime() + HOUR))
    expect(shown.rateLockedUntil).toEqual(shown.expiresAt)
    expect(await told(ref)).toEqual(['payment.detected', 'payment.partially_filled'])
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(1) }])
    await eth.mine()
    expect(await told(ref)).toHaveLength(4)
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(1) }])
    await eth.mine()
    expect((await show(ref)).paymentState).toBe('FILLED')
  })

  it('row 5: final money that is enough fills', async () => {
    const { ref, to } = await newPayment()
    const before = await balance('project:balance', USDC_ON_ETH)
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect(await show(ref)).toMatchObject({
      paymentState: 'FILLED',
      fundingState: 'confirmed',
      amountDue: '0',
      amountDueInUSD: '0.00',
      overpaid: null,
      paymentURI: null,
      confirmationCurrent: 2,
      confirmationRequired: 2,
    })
    const sequences = (await events(ref)).map(({ type, sequence }) => [type, sequence])
    expect(sequences).toEqual([
      ['payment.created', 1],
      ['payment.pinned', 2],
      ['payment.detected', 3],
      ['payment.filled', 4],
    ])
    expect((await events(ref)).at(-1)?.payload).toMatchObject({
      event_type: 'payment.filled',
      status: 'FILLED',
      previous_status: 'OPEN',
      filled_amount: '100',
      filled_amount_in_usd: '100',
      amount_overpaid: null,
      late: false,
    })
    expect((await balance('project:balance', USDC_ON_ETH)) - before).toBe(dollars(100))
    expect(await balance('chain:unconfirmed', USDC_ON_ETH)).toBe(0n)
  })

  it('row 6: final money above the tolerance is too much, also after it was filled', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([
      { to, assetId: USDC_ON_ETH, units: dollars(100) },
      { to, assetId: USDC_ON_ETH, units: dollars(5) },
    ])
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'OVER_FILLED', overpaid: '5', amountDue: '0' })
    expect((await told(ref)).at(-1)).toBe('payment.over_filled')
    const other = await newPayment()
    await eth.mine([{ to: other.to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.mine([{ to: other.to, assetId: USDC_ON_ETH, units: dollars(50) }])
    expect((await show(other.ref)).paymentState).toBe('FILLED')
    await eth.mine()
    expect((await show(other.ref)).paymentState).toBe('OVER_FILLED')
    expect(await told(other.ref)).toEqual([
      'payment.detected',
      'payment.detected',
      'payment.filled',
      'payment.over_filled',
    ])
  })

  it('row 7: time runs out on an open request without money', async () => {
    const { ref } = await newPayment()
    pass(15 * MINUTE - 1)
    await expire()
    expect((await show(ref)).paymentState).toBe('OPEN')
    pass(1)
    await expire()
    expect(await show(ref)).toMatchObject({ paymentState: 'CANCELLED', cancelReason: 'expired', fundingState: 'none' })
    expect(await told(ref)).toEqual(['payment.cancelled'])
    await expire()
    expect(await told(ref)).toHaveLength(1)
  })

  it('row 8 and P-6: a newer link ends an older one, unless its money was seen', async () => {
    const first = await newPayment()
    await eth.mine([{ to: first.to, assetId: USDC_ON_ETH, units: dollars(40) }])
    const second = await newPayment({ customer: first.customerID, amount: '70' })
    expect((await show(first.ref)).paymentState).toBe('OPEN')
    await eth.mine()
    await eth.mine([{ to: second.to, assetId: USDC_ON_ETH, units: dollars(70) }])
    await eth.mine([{ to: first.to, assetId: USDC_ON_ETH, units: dollars(60) }])
    await eth.mine()
    expect((await show(second.ref)).paymentState).toBe('FILLED')
    expect((await show(first.ref)).paymentState).toBe('FILLED')
  })

  it('row 9: the shop ends it, unless money was seen', async () => {
    const { ref, to } = await newPayment()
    const cancel = (reference: string, body = {}) =>
      app.call(
        paymentsRoutes.cancelPaymentByReference,
        { params: { ref: reference }, body },
        { key: shop.apiKey, headers: { 'idempotency-key': `${reference}-${Math.floor(performance.now() * 1000)}` } },
      )
    const { body } = await cancel(ref, { reason: 'sold out' })
    expect(body).toMatchObject({ paymentState: 'CANCELLED', cancelReason: 'merchant' })
    expect(await told(ref)).toEqual(['payment.cancelled'])
    expect((await cancel(ref)).refusal?.code).toBe('PAYMENT_NOT_OPEN')
    expect(to).toMatch(/^0x/)
    const paid = await newPayment()
    await eth.mine([{ to: paid.to, assetId: USDC_ON_ETH, units: dollars(1) }])
    expect((await cancel(paid.ref)).refusal?.code).toBe('PAYMENT_HAS_FUNDS')
    await eth.mine()
    expect((await cancel(paid.ref)).refusal?.code).toBe('PAYMENT_HAS_FUNDS')
  })

  it('row 10: an expired request waits for money that is on its way', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    pass(61 * MINUTE)
    await expire()
    expect((await show(ref)).paymentState).toBe('OPEN')
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'FILLED', late: false })
  })

  it('row 11: time runs out on a part', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(60) }])
    await eth.mine()
    pass(59 * MINUTE)
    await expire()
    expect(await told(ref)).not.toContain('payment.expired_partial')
    pass(MINUTE)
    await expire()
    await expire()
    expect((await show(ref)).paymentState).toBe('PARTIALLY_FILLED')
    expect((await told(ref)).filter((type) => type === 'payment.expired_partial')).toHaveLength(1)
  })

  it('rows 12 and 13: late money within the grace is seen as late, and counts', async () => {
    const { ref, to } = await newPayment()
    pass(26 * MINUTE)
    await expire()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    expect(await show(ref)).toMatchObject({ paymentState: 'CANCELLED', fundingState: 'detected', late: true })
    expect((await events(ref)).at(-1)).toMatchObject({ type: 'payment.detected', payload: { late: true } })
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'FILLED', late: true, cancelReason: null })
    expect((await events(ref)).at(-1)).toMatchObject({
      type: 'payment.filled',
      payload: { late: true, previous_status: 'CANCELLED' },
    })
  })

  it('row 14: money after the grace is kept for the customer, and the shop hears of it', async () => {
    const { ref, to } = await newPayment()
    pass(25 * HOUR)
    await expire()
    const before = await balance('customer:unapplied', USDC_ON_ETH)
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    expect(await told(ref)).toEqual(['payment.cancelled'])
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'CANCELLED', late: true, filledAmount: '0' })
    expect(await told(ref)).toEqual(['payment.cancelled', 'payment.late_deposit'])
    expect(await depositsTo(to)).toMatchObject([{ status: 'unapplied', reason: 'late' }])
    expect((await balance('customer:unapplied', USDC_ON_ETH)) - before).toBe(dollars(100))
  })

  it('row 16: a reorganisation takes money back, says so, and the same transfer fills again', async () => {
    const { ref, to } = await newPayment()
    const below = eth.height()
    const transfer = { to, assetId: USDC_ON_ETH, units: dollars(100), tx: `again ${ref}` }
    await eth.mine([transfer])
    await eth.mine()
    const earned = await balance('project:balance', USDC_ON_ETH)
    pass(2 * HOUR)
    await eth.reorg(below)
    expect(await show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'reverted',
      filledAmount: '0',
      deposits: [],
      expiresAt: new Date(app.clock.now.getTime() + HOUR),
    })
    expect((await told(ref)).at(-1)).toBe('payment.reopened')
    expect((await events(ref)).at(-1)?.payload).toMatchObject({ status: 'OPEN', previous_status: 'FILLED' })
    expect(earned - (await balance('project:balance', USDC_ON_ETH))).toBe(dollars(100))
    await eth.mine([transfer])
    expect((await show(ref)).fundingState).toBe('detected')
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'FILLED', fundingState: 'confirmed', late: false })
    expect(await balance('project:balance', USDC_ON_ETH)).toBe(earned)
    expect((await told(ref)).slice(-3)).toEqual(['payment.reopened', 'payment.detected', 'payment.filled'])
  })

  it('row 16: one of two deposits lost falls back to the part that is left', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(60) }])
    const below = eth.height()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(40) }])
    await eth.mine()
    expect((await show(ref)).paymentState).toBe('FILLED')
    await eth.reorg(below)
    expect(await show(ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      fundingState: 'reverted',
      amountDue: '40',
    })
  })

  it('row 16: money that was only seen is taken back without a word to the shop', async () => {
    const { ref, to } = await newPayment()
    const below = eth.height()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.reorg(below)
    expect(await show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'reverted' })
    expect(await told(ref)).toEqual(['payment.detected'])
    pass(61 * MINUTE)
    await expire()
    expect((await show(ref)).paymentState).toBe('CANCELLED')
  })
})

describe('payments.receiveTransfers', () => {
  it('counts a transfer once, however often it is told', async () => {
    const { ref, to } = await newPayment()
    const transfer = { to, assetId: USDC_ON_ETH, units: dollars(100), tx: `once ${ref}` }
    await eth.mine([transfer, transfer])
    await eth.mine([transfer])
    expect(await depositsTo(to)).toHaveLength(1)
    expect((await told(ref)).filter((type) => type === 'payment.detected')).toHaveLength(1)
  })

  it('takes the same currency on another network of the family', async () => {
    const { ref, to } = await newPayment()
    await base.mine([{ to, assetId: USDC_ON_BASE, units: dollars(100) }])
    await base.mine()
    expect((await show(ref)).paymentState).toBe('FILLED')
    expect(await depositsTo(to)).toMatchObject([{ status: 'applied', reason: 'other_network' }])
  })

  it('leaves another currency to a person', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDT_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'none', deposits: [] })
    expect(await depositsTo(to)).toMatchObject([{ status: 'unapplied', reason: 'wrong_asset', payment_id: null }])
  })

  it('leaves money for nothing to a person', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect((await show(ref)).paymentState).toBe('FILLED')
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect((await show(ref)).paymentState).toBe('FILLED')
    expect((await depositsTo(to))[1]).toMatchObject({ status: 'unapplied', reason: 'no_payment' })
  })

  it('books dust as ignored, unless it is just what was missing', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(0.5) }])
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'none' })
    expect(await depositsTo(to)).toMatchObject([{ status: 'ignored', reason: 'below_minimum' }])
    expect(await told(ref)).toEqual([])
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(99.1) }])
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(0.9) }])
    await eth.mine()
    expect((await show(ref)).paymentState).toBe('FILLED')
  })

  it('does not take money that moves between our own addresses for a payment', async () => {
    const { ref, to } = await newPayment()
    const other = await newPayment()
    await eth.mine([{ to, from: other.to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect((await show(ref)).paymentState).toBe('OPEN')
    expect(await depositsTo(to)).toMatchObject([{ status: 'ignored', reason: 'own' }])
  })

  it('P-3: judges time by the block, not by when we noticed', async () => {
    const { ref, to } = await newPayment()
    const paidAt = new Date(app.clock.now.getTime() + 14 * MINUTE)
    pass(40 * MINUTE)
    await expire()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }], paidAt)
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'FILLED', late: false })
  })

  it('P-5: late ether counts for what it is worth when it comes', async () => {
    const { ref, to, due } = await newPayment({ amount: '300', currency: 'ETH' })
    expect(due).toBe('0.1')
    pass(30 * MINUTE)
    await expire()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1600' })
    await eth.mine([{ to, assetId: ETH, units: 10n ** 17n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(await show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', late: true, filledAmountInUSD: '160.00' })
  })

  it('P-10: shows the confirmations of the least confirmed deposit', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(60) }])
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(40) }])
    expect(await show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', confirmationCurrent: 1 })
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'FILLED', confirmationCurrent: 2 })
  })

  it('goes on when the price of the asset is broken', async () => {
    const { ref, to } = await newPayment()
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: '<html>' })
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: null })
    expect((await show(ref)).paymentState).toBe('FILLED')
  })

  it('takes any amount a token can name', async () => {
    const { ref, to } = await newPayment()
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: 10n ** 60n }])
    await eth.mine()
    expect((await show(ref)).paymentState).toBe('OVER_FILLED')
  })

  it('either the clock or the money wins, never both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ref, to } = await newPayment()
      pass(15 * MINUTE)
      await Promise.all([expire(), eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }]), expire()])
      await eth.mine()
      expect(await show(ref)).toMatchObject({ paymentState: 'FILLED', late: false })
      expect((await told(ref)).filter((type) => type === 'payment.filled')).toHaveLength(1)
    }
  })
})

describe('payments.refreshConfirmations', () => {
  it('moves what is seen to confirming as blocks follow', async () => {
    const { ref, to } = await newPayment()
    await sql`UPDATE blockchains SET min_confirmations = 5 WHERE id = 1`.execute(app.ctx.db)
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await sql`UPDATE blockchains SET min_confirmations = 2 WHERE id = 1`.execute(app.ctx.db)
    await eth.mine()
    expect(await show(ref)).toMatchObject({ fundingState: 'detected', confirmationCurrent: 2, confirmationRequired: 5 })
    await refreshConfirmations(asSystem(app.ctx), { blockchainId: 1, tip: eth.height() })
    expect((await show(ref)).fundingState).toBe('confirming')
  })
})

describe('payments.lapsePayment', () => {
  it('makes the next money late', async () => {
    const { ref, to } = await newPayment()
    const payment = await findPayment(app.ctx, ref)
    await lapsePayment(asSystem(app.ctx), payment ?? expect.fail('no payment'))
    expect((await show(ref)).paymentState).toBe('CANCELLED')
    await eth.mine([{ to, assetId: USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect(await show(ref)).toMatchObject({ paymentState: 'FILLED', late: true })
  })
})
