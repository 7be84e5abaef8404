import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ASSET, balanceOf, depositsTo, dollars, openCashier, type Cashier } from '../../testing/cashier.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let app: TestApp
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START })
  shop = await openShop(app, await app.signUp())
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
beforeEach(() => cashier.pass(HOUR))
afterAll(async () => {
  await app.stop()
})

describe('payments: rows of money.md 3.5', () => {
  it('row 1: a link is open and asks for nothing yet', async () => {
    const body = { customerID: 'row 1', customerEmail: 'payer@example.com', amountInUSD: '100' }
    const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    const ref = created.body.reference_id
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'none',
      amount: null,
      depositAddress: null,
      repair: null,
      waitsBecause: null,
      supersededBy: null,
    })
    expect((await cashier.events(ref)).map(({ type }) => type)).toEqual(['payment.created'])
  })

  it('row 2: the pick fixes asset, amount and address', async () => {
    const { ref, to } = await cashier.newPayment()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'none',
      amount: '100',
      depositAddress: to,
      currencySymbol: 'USDC',
      blockchainSymbol: 'ETH',
      confirmationRequired: 0,
    })
    const pinned = (await cashier.events(ref)).at(-1)
    expect(pinned).toMatchObject({ type: 'payment.pinned', sequence: 2 })
    expect(pinned?.payload).toMatchObject({ currency: 'USDC', network: 'ETH', amount: '100', amount_due: '100' })
  })

  it('row 3: a transfer is seen before it counts', async () => {
    const { ref, to } = await cashier.newPayment()
    const [tx] = await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'detected',
      filledAmount: '0',
      confirmationCurrent: 1,
      confirmationRequired: 2,
      deposits: [{ txHash: tx, amount: '100', confirmations: 1 }],
    })
    const detected = (await cashier.events(ref)).at(-1)
    expect(detected?.type).toBe('payment.detected')
    expect(detected?.payload).toMatchObject({
      status: 'OPEN',
      funding_state: 'detected',
      filled_amount: '0',
      confirmation_current: 1,
      payment_info: [{ transaction_hash: tx, destination_address: to, block_number: eth.height() }],
    })
    expect(await balanceOf(app, 'chain:unconfirmed', ASSET.USDC_ON_ETH)).toBe(dollars(100))
    await eth.mine()
  })

  it('row 4: final money that is short fills in part, and the rest may follow at the same price', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(98) }])
    await eth.mine()
    const shown = await cashier.show(ref)
    expect(shown).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      fundingState: 'confirmed',
      filledAmount: '98',
      filledAmountInUSD: '98.00',
      amountDue: '2',
      amountDueInUSD: '2.00',
    })
    expect(shown.paymentURI).toContain('uint256=2000000')
    expect(shown.repair).toEqual({
      kind: 'send_rest',
      text: '2 USDC is still missing. Send it on Ethereum to the same address while the rate is locked.',
      amount: '2',
      currencyCode: 'USDC',
      blockchainCode: 'ETH',
      until: shown.rateLockedUntil,
      contact: null,
    })
    expect(shown.expiresAt).toEqual(new Date(app.clock.now.getTime() + HOUR))
    expect(shown.rateLockedUntil).toEqual(shown.expiresAt)
    expect(await cashier.emitted(ref)).toEqual(['payment.detected', 'payment.partially_filled'])
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(1) }])
    await eth.mine()
    expect(await cashier.emitted(ref)).toHaveLength(4)
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(1) }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
  })

  it('row 5: final money that is enough fills', async () => {
    const { ref, to } = await cashier.newPayment()
    const before = await balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH)
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'FILLED',
      fundingState: 'confirmed',
      amountDue: '0',
      amountDueInUSD: '0.00',
      overpaid: null,
      paymentURI: null,
      confirmationCurrent: 2,
      confirmationRequired: 2,
    })
    const sequences = (await cashier.events(ref)).map(({ type, sequence }) => [type, sequence])
    expect(sequences).toEqual([
      ['payment.created', 1],
      ['payment.pinned', 2],
      ['payment.detected', 3],
      ['payment.filled', 4],
    ])
    expect((await cashier.events(ref)).at(-1)?.payload).toMatchObject({
      event_type: 'payment.filled',
      status: 'FILLED',
      previous_status: 'OPEN',
      filled_amount: '100',
      filled_amount_in_usd: '100',
      amount_overpaid: null,
      late: false,
    })
    expect((await balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH)) - before).toBe(dollars(100))
    expect(await balanceOf(app, 'chain:unconfirmed', ASSET.USDC_ON_ETH)).toBe(0n)
  })

  it('row 6: final money above the tolerance is too much, also after it was filled', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([
      { to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) },
      { to, assetId: ASSET.USDC_ON_ETH, units: dollars(5) },
    ])
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'OVER_FILLED',
      overpaid: '5',
      amountDue: '0',
      repair: { kind: 'surplus', amount: '5', currencyCode: 'USDC', blockchainCode: 'ETH', until: null },
    })
    expect((await cashier.emitted(ref)).at(-1)).toBe('payment.over_filled')
    const other = await cashier.newPayment()
    await eth.mine([{ to: other.to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine([{ to: other.to, assetId: ASSET.USDC_ON_ETH, units: dollars(50) }])
    expect((await cashier.show(other.ref)).paymentState).toBe('FILLED')
    await eth.mine()
    expect((await cashier.show(other.ref)).paymentState).toBe('OVER_FILLED')
    expect(await cashier.emitted(other.ref)).toEqual([
      'payment.detected',
      'payment.detected',
      'payment.filled',
      'payment.over_filled',
    ])
  })

  it('row 7: time runs out on an open request without money', async () => {
    const { ref } = await cashier.newPayment()
    cashier.pass(15 * MINUTE - 1)
    await cashier.expire()
    expect((await cashier.show(ref)).paymentState).toBe('OPEN')
    cashier.pass(1)
    await cashier.expire()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'CANCELLED',
      cancelReason: 'expired',
      fundingState: 'none',
    })
    expect(await cashier.emitted(ref)).toEqual(['payment.cancelled'])
    await cashier.expire()
    expect(await cashier.emitted(ref)).toHaveLength(1)
  })

  it('row 8: a newer link of the same customer replaces one without money, and is named', async () => {
    const first = await cashier.newPayment()
    const second = await cashier.newPayment({ customer: first.customerID, amount: '70' })
    expect(await cashier.show(first.ref)).toMatchObject({
      paymentState: 'CANCELLED',
      cancelReason: 'superseded',
      supersededBy: second.ref,
    })
    expect(await cashier.emitted(first.ref)).toEqual(['payment.cancelled'])
    expect((await cashier.events(first.ref)).at(-1)?.payload).toMatchObject({ cancel_reason: 'superseded' })
  })

  it('row 8 and P-6: a newer link ends an older one, unless its money was seen', async () => {
    const first = await cashier.newPayment()
    await eth.mine([{ to: first.to, assetId: ASSET.USDC_ON_ETH, units: dollars(40) }])
    const second = await cashier.newPayment({ customer: first.customerID, amount: '70' })
    expect((await cashier.show(first.ref)).paymentState).toBe('OPEN')
    await eth.mine()
    await eth.mine([{ to: second.to, assetId: ASSET.USDC_ON_ETH, units: dollars(70) }])
    await eth.mine([{ to: first.to, assetId: ASSET.USDC_ON_ETH, units: dollars(60) }])
    await eth.mine()
    expect((await cashier.show(second.ref)).paymentState).toBe('FILLED')
    expect((await cashier.show(first.ref)).paymentState).toBe('FILLED')
  })

  it('row 9: the shop ends it, unless money was seen', async () => {
    const { ref, to } = await cashier.newPayment()
    const cancel = (reference: string, body = {}) =>
      app.call(
        paymentsRoutes.cancelPaymentByReference,
        { params: { ref: reference }, body },
        { key: shop.apiKey, headers: { 'idempotency-key': `${reference}-${Math.floor(performance.now() * 1000)}` } },
      )
    const { body } = await cancel(ref, { reason: 'sold out' })
    expect(body).toMatchObject({ paymentState: 'CANCELLED', cancelReason: 'merchant' })
    expect(await cashier.emitted(ref)).toEqual(['payment.cancelled'])
    expect((await cancel(ref)).refusal?.code).toBe('PAYMENT_NOT_OPEN')
    expect(to).toMatch(/^0x/)
    const paid = await cashier.newPayment()
    await eth.mine([{ to: paid.to, assetId: ASSET.USDC_ON_ETH, units: dollars(1) }])
    expect((await cancel(paid.ref)).refusal?.code).toBe('PAYMENT_HAS_FUNDS')
    await eth.mine()
    expect((await cancel(paid.ref)).refusal?.code).toBe('PAYMENT_HAS_FUNDS')
  })

  it('row 10: an expired request waits for money that is on its way', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    cashier.pass(61 * MINUTE)
    await cashier.expire()
    expect((await cashier.show(ref)).paymentState).toBe('OPEN')
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', late: false })
  })

  it('row 11: time runs out on a part', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(60) }])
    await eth.mine()
    cashier.pass(59 * MINUTE)
    await cashier.expire()
    expect(await cashier.emitted(ref)).not.toContain('payment.expired_partial')
    cashier.pass(MINUTE)
    await cashier.expire()
    await cashier.expire()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      repair: { kind: 'rest_lapsed', amount: '40', until: null },
    })
    expect((await cashier.emitted(ref)).filter((type) => type === 'payment.expired_partial')).toHaveLength(1)
  })

  it('rows 12 and 13: late money within the grace is seen as late, and counts', async () => {
    const { ref, to } = await cashier.newPayment()
    cashier.pass(26 * MINUTE)
    await cashier.expire()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'CANCELLED', fundingState: 'detected', late: true })
    expect((await cashier.events(ref)).at(-1)).toMatchObject({ type: 'payment.detected', payload: { late: true } })
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', late: true, cancelReason: null })
    expect((await cashier.events(ref)).at(-1)).toMatchObject({
      type: 'payment.filled',
      payload: { late: true, previous_status: 'CANCELLED' },
    })
  })

  it('row 14: a deposit after the grace period stays unapplied, and the shop is notified', async () => {
    const { ref, to } = await cashier.newPayment()
    cashier.pass(25 * HOUR)
    await cashier.expire()
    const before = await balanceOf(app, 'customer:unapplied', ASSET.USDC_ON_ETH)
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    expect(await cashier.emitted(ref)).toEqual(['payment.cancelled'])
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'CANCELLED', late: true, filledAmount: '0' })
    expect(await cashier.emitted(ref)).toEqual(['payment.cancelled', 'payment.late_deposit'])
    expect(await depositsTo(app, to)).toMatchObject([{ status: 'unapplied', reason: 'late' }])
    expect((await balanceOf(app, 'customer:unapplied', ASSET.USDC_ON_ETH)) - before).toBe(dollars(100))
  })

  it('row 16: a reorganisation takes money back, says so, and the same transfer fills again', async () => {
    const { ref, to } = await cashier.newPayment()
    const below = eth.height()
    const transfer = { to, assetId: ASSET.USDC_ON_ETH, units: dollars(100), tx: `again ${ref}` }
    await eth.mine([transfer])
    await eth.mine()
    const earned = await balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH)
    cashier.pass(2 * HOUR)
    await eth.reorg(below)
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'reverted',
      filledAmount: '0',
      deposits: [],
      expiresAt: new Date(app.clock.now.getTime() + HOUR),
    })
    expect((await cashier.emitted(ref)).at(-1)).toBe('payment.reopened')
    expect((await cashier.events(ref)).at(-1)?.payload).toMatchObject({ status: 'OPEN', previous_status: 'FILLED' })
    expect(earned - (await balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH))).toBe(dollars(100))
    await eth.mine([transfer])
    expect((await cashier.show(ref)).fundingState).toBe('detected')
    await eth.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', fundingState: 'confirmed', late: false })
    expect(await balanceOf(app, 'project:balance', ASSET.USDC_ON_ETH)).toBe(earned)
    expect((await cashier.emitted(ref)).slice(-3)).toEqual(['payment.reopened', 'payment.detected', 'payment.filled'])
  })

  it.each(['same', 'other'] as const)(
    'row 16: money that comes back in the %s block for a newer link is no longer missing from the older one',
    async (next) => {
      const { ref, to, customerID } = await cashier.newPayment()
      cashier.pass(2 * HOUR)
      await cashier.expire()
      const below = eth.height()
      const transfer = { to, assetId: ASSET.USDC_ON_ETH, units: dollars(100), tx: `back ${ref}` }
      const at = new Date(app.clock.now.getTime() + MINUTE)
      await eth.mine([transfer], at)
      await eth.reorg(below, next)
      expect((await cashier.show(ref)).fundingState).toBe('reverted')
      const newer = await cashier.newPayment({ customer: customerID })
      await eth.mine([transfer], at)
      expect((await cashier.show(newer.ref)).fundingState).toBe('detected')
      expect(await cashier.emitted(newer.ref)).toEqual(['payment.detected'])
      expect(await cashier.show(ref)).toMatchObject({ paymentState: 'CANCELLED', fundingState: 'none' })
      await eth.mine()
      expect((await cashier.show(newer.ref)).paymentState).toBe('FILLED')
      // Neither does it look missing when the older one gets other money.
      await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(40) }])
      await eth.mine()
      expect(await cashier.show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', fundingState: 'confirmed' })
    },
  )

  it('row 16: one of two deposits lost falls back to the part that is left', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(60) }])
    const below = eth.height()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(40) }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
    await eth.reorg(below)
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      fundingState: 'reverted',
      amountDue: '40',
    })
  })

  it('row 16: a shop holds nothing of what a reorganisation took, late or in another currency', async () => {
    const [other, late] = [await cashier.newPayment(), await cashier.newPayment()]
    const below = eth.height()
    await eth.mine([{ to: other.to, assetId: ASSET.USDT_ON_ETH, units: dollars(100) }])
    expect((await cashier.show(other.ref)).repair?.kind).toBe('unapplied')
    cashier.pass(25 * HOUR)
    await cashier.expire()
    await eth.mine([{ to: late.to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    expect((await cashier.show(late.ref)).repair?.kind).toBe('unapplied')
    await eth.reorg(below)
    expect(await cashier.show(other.ref)).toMatchObject({ deposits: [], repair: null })
    expect(await cashier.show(late.ref)).toMatchObject({ deposits: [], repair: null })
  })

  it('row 16: a deposit that was only seen is reverted without an event', async () => {
    const { ref, to } = await cashier.newPayment()
    const below = eth.height()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.reorg(below)
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'reverted' })
    expect(await cashier.emitted(ref)).toEqual(['payment.detected'])
    cashier.pass(61 * MINUTE)
    await cashier.expire()
    expect((await cashier.show(ref)).paymentState).toBe('CANCELLED')
  })
})
