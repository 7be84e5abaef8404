import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { remindJob } from '../reminders/service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
afterAll(() => app.stop())
beforeEach(async () => {
  cashier.pass(8 * DAY)
  await cashier.expire()
  await signIn()
})

/** Sessions run out with the clock. */
async function signIn(): Promise<void> {
  const who = { email: TEST_EMAIL, password: TEST_PASSWORD }
  operator = (await app.call(authRoutes.signIn, { body: who })).body.key
}

/** As it is sent. */
type Extension = { readonly expiresInMinutes?: number; readonly expiresAt?: string }

const later = (ms: number) => new Date(app.clock.now.getTime() + ms)
const extend = (ref: string, body: Extension) =>
  app.call(paymentsRoutes.extendPayment, { params: { p: shop.p, ref }, body }, { key: operator })
const detail = async (ref: string) =>
  (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: operator })).body
const offerOf = async (ref: string) => {
  const { offers } = await detail(ref)
  const { blockedBy } = offers.find(({ action }) => action === 'extend') ?? {}
  return blockedBy === null ? 'possible' : blockedBy?.code
}

async function makeFinal(): Promise<void> {
  for (let block = 0; block < 3; block += 1) await eth.mine()
}

/** Pays a part of a payment of $100 in USDC. */
async function partlyPaid(): Promise<{ readonly ref: string; readonly to: string }> {
  const made = await cashier.newPayment()
  await eth.mine([{ to: made.to, assetId: ASSET.USDC_ON_ETH, units: dollars(60) }])
  await makeFinal()
  return made
}

describe('payments.extend', () => {
  it('moves the end alone, and says so in the timeline and to no endpoint', async () => {
    const url = 'https://shop.example/all'
    await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body: { url } }, { key: operator })
    const { ref } = await cashier.newPayment()
    const before = await cashier.show(ref)
    const answer = await extend(ref, { expiresInMinutes: 60 })
    expect(answer).toMatchObject({ status: 200, body: { expiresAt: later(HOUR) } })
    expect(await cashier.show(ref)).toEqual({ ...before, expiresAt: later(HOUR) })
    const { timeline, deliveries } = await detail(ref)
    expect(timeline.at(-1)).toMatchObject({
      event: 'payment.extended',
      actor: expect.stringMatching(/^operator:/) as string,
      data: { reference_id: ref, expires_at: later(HOUR).toISOString() },
    })
    expect(deliveries.filter(({ event }) => event === 'payment.extended')).toEqual([])
  })

  it('accepts a time, and the same time again changes nothing', async () => {
    const { ref } = await cashier.newPayment()
    expect((await extend(ref, { expiresAt: later(3 * DAY).toISOString() })).body.expiresAt).toEqual(later(3 * DAY))
    expect((await extend(ref, { expiresAt: later(3 * DAY).toISOString() })).status).toBe(200)
    expect(await cashier.emitted(ref)).toEqual(['payment.extended'])
  })

  it.each<[string, () => Extension, object]>([
    ['an earlier end', () => ({ expiresInMinutes: 10 }), { expiresInMinutes: 'Choose a time after the present end' }],
    [
      'a time that is over',
      () => ({ expiresAt: later(-1).toISOString() }),
      { expiresAt: 'Choose a time after the present end' },
    ],
    [
      'more than a week',
      () => ({ expiresAt: later(7 * DAY + 1).toISOString() }),
      { expiresAt: 'Choose a time at most 7 days from now' },
    ],
    [
      'more minutes than a link lives',
      () => ({ expiresInMinutes: 10_081 }),
      { expiresInMinutes: 'Expiry in minutes must be between 5 and 10080' },
    ],
    ['nothing', () => ({}), { expiresAt: 'Choose either expiresInMinutes or expiresAt' }],
    [
      'both',
      () => ({ expiresInMinutes: 60, expiresAt: later(HOUR).toISOString() }),
      { expiresInMinutes: 'Choose either expiresInMinutes or expiresAt' },
    ],
  ])('refuses %s', async (_what, body, fields) => {
    const { ref } = await cashier.newPayment()
    const { status, refusal } = await extend(ref, body())
    expect([status, refusal?.code, refusal?.fields]).toEqual([400, 'VALIDATION_FAILED', fields])
  })

  it('moves expiry and reminder with the end', async () => {
    const { ref } = await cashier.newPayment()
    await extend(ref, { expiresInMinutes: 60 })
    const reminded = async () => {
      await remindJob.run(asSystem(app.ctx), {})
      const { rows } = await sql<{ at: Date | null }>`
        SELECT reminded_at AS at FROM payments WHERE reference_id = ${ref}`.execute(app.ctx.db)
      return rows[0]?.at ?? null
    }
    cashier.pass(20 * MINUTE)
    await cashier.expire()
    expect([(await cashier.show(ref)).paymentState, await reminded()]).toEqual(['OPEN', null])
    cashier.pass(30 * MINUTE)
    expect(await reminded()).toEqual(app.clock.now)
    cashier.pass(10 * MINUTE)
    await cashier.expire()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'CANCELLED', cancelReason: 'expired' })
  })

  it('leaves the locked rate as it is: the payer takes a new one when it has ended', async () => {
    const { ref } = await cashier.newPayment({ currency: 'ETH' })
    const { rateLockedUntil } = await cashier.show(ref)
    await extend(ref, { expiresInMinutes: 24 * 60 })
    expect((await cashier.show(ref)).rateLockedUntil).toEqual(rateLockedUntil)
    cashier.pass(2 * HOUR)
    const { quote } = (await cashier.pick(ref, 'ETH', 'ETH')).body
    expect(quote?.lockedUntil).toEqual(later(15 * MINUTE))
    expect((await cashier.show(ref)).rateLockedUntil).toEqual(later(15 * MINUTE))
  })

  it('asks for the rest of a stable asset until the new end, at the rate of what came', async () => {
    const { ref, to } = await partlyPaid()
    const until = later(2 * DAY)
    await extend(ref, { expiresAt: until.toISOString() })
    cashier.pass(DAY)
    await cashier.expire()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      rateLockedUntil: until,
      filledAmountInUSD: '60.00',
      amountDue: '40',
      repair: { kind: 'send_rest', amount: '40', until },
    })
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(40) }])
    await makeFinal()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', late: false, filledAmountInUSD: '100.00' })
  })

  it('ends a partly paid payment at the new end', async () => {
    const { ref } = await partlyPaid()
    await extend(ref, { expiresInMinutes: 24 * 60 })
    cashier.pass(DAY)
    await cashier.expire()
    expect((await cashier.emitted(ref)).slice(-2)).toEqual(['payment.extended', 'payment.expired_partial'])
    expect((await cashier.show(ref)).repair).toMatchObject({ kind: 'rest_lapsed', amount: '40' })
  })

  it('refuses a payment that money of a volatile asset was seen for', async () => {
    const { ref, to } = await cashier.newPayment({ currency: 'ETH', amount: '3000' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 5n * 10n ** 17n }])
    expect(await offerOf(ref)).toBe('rate_not_held')
    const { refusal } = await extend(ref, { expiresInMinutes: 24 * 60 })
    expect(refusal).toMatchObject({
      code: 'PAYMENT_HAS_FUNDS',
      details: expect.stringContaining('create a new payment for the rest') as string,
    })
  })

  it('refuses a link that has ended, whatever ended it, and says what to do', async () => {
    const cancelled = await cashier.newPayment()
    await app.call(paymentsRoutes.cancelPayment, { params: { p: shop.p, ref: cancelled.ref } }, { key: operator })
    const superseded = await cashier.newPayment({ customer: 'twice' })
    await cashier.newPayment({ customer: 'twice' })
    const paid = await partlyPaid()
    const note = 'fine'
    await app.call(
      paymentRepairRoutes.resolvePayment,
      { params: { p: shop.p, ref: paid.ref }, body: { action: 'accept_underpaid', note } },
      { key: operator },
    )
    const lapsed = await partlyPaid()
    const expired = await cashier.newPayment()
    cashier.pass(2 * HOUR)
    await signIn()
    const refused = async ({ ref }: { ref: string }) => {
      const { refusal } = await extend(ref, { expiresInMinutes: 60 })
      return [refusal?.code, refusal?.details, await offerOf(ref)]
    }
    const ended = ['PAYMENT_NOT_OPEN', 'It has ended already. Create a new payment instead.', 'has_ended']
    for (const one of [cancelled, superseded, lapsed, expired]) expect(await refused(one)).toEqual(ended)
    await cashier.expire()
    for (const one of [lapsed, expired]) expect(await refused(one)).toEqual(ended)
    expect((await refused(paid))[0]).toBe('PAYMENT_NOT_OPEN')
    expect((await extend('01900000-0000-7000-8000-000000000000', { expiresInMinutes: 60 })).refusal?.code).toBe(
      'PAYMENT_NOT_FOUND',
    )
  })

  it('is decided against the expiry that runs at the same moment, once', async () => {
    const { ref } = await cashier.newPayment()
    const end = (await cashier.show(ref)).expiresAt
    app.clock.now = new Date(end.getTime() - 1)
    const [answer] = await Promise.all([extend(ref, { expiresInMinutes: 60 }), cashier.expire()])
    const isExtended = answer.status === 200
    expect((await cashier.show(ref)).paymentState).toBe(isExtended ? 'OPEN' : 'CANCELLED')
  })
})
