import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { depositsRoutes } from '@kassa/contract/deposits/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { PaymentPolicyChange } from '@kassa/contract/projects/payment-policy.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ASSET, depositsTo, dollars, openCashier, type Cashier } from '../../testing/cashier.ts'
import { setSandboxPrice } from '../prices/service.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const DEFAULTS = {
  linkLifetimeMinutes: 15,
  openPaymentsPerCustomer: 'one',
  customerEmailRequired: true,
  underpaidTolerancePercent: '0.5',
  overpaidTolerancePercent: '1',
  lateGraceHours: 24,
  minAmountInUSD: '0',
  maxAmountInUSD: null,
  uniqueInvoiceID: false,
  confirmationRules: [],
  applyUnappliedToNext: false,
  reminderMail: true,
} as const

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
beforeEach(async () => {
  cashier.pass(MINUTE)
  await sql`UPDATE projects SET payment_policy = '{}'`.execute(app.ctx.db)
})
afterAll(async () => {
  await app.stop()
})

const read = (key = operator, p = shop.p) => app.call(projectsRoutes.getPaymentPolicy, { params: { p } }, { key })
const change = (body: PaymentPolicyChange, key = operator) =>
  app.call(projectsRoutes.changePaymentPolicy, { params: { p: shop.p }, body }, { key })
/** Sends what no typed caller would. */
const changeRaw = (body: unknown) =>
  app.call(projectsRoutes.changePaymentPolicy, { params: { p: shop.p } }, { key: operator, raw: JSON.stringify(body) })
const create = (body: Record<string, unknown>) =>
  app.call(paymentsRoutes.createPayment, { body: body as never }, { key: shop.apiKey })
const usdc = (to: string, amount: number) => ({ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount) })

describe('projects.paymentPolicy', () => {
  it('has the defaults until it is changed', async () => {
    expect((await read()).body).toEqual({ ...DEFAULTS, updatedAt: expect.any(Date) })
  })

  it('changes what is named, keeps the rest, and says so', async () => {
    const { body } = await change({ linkLifetimeMinutes: 60, maxAmountInUSD: '500', reminderMail: false })
    expect(body).toMatchObject({
      linkLifetimeMinutes: 60,
      maxAmountInUSD: '500',
      reminderMail: false,
      lateGraceHours: 24,
    })
    expect((await change({ maxAmountInUSD: null })).body).toMatchObject({
      maxAmountInUSD: null,
      linkLifetimeMinutes: 60,
    })
    expect((await read()).body).toMatchObject({ linkLifetimeMinutes: 60, reminderMail: false })
    const { rows } = await sql<{ payload: unknown }>`
      SELECT payload FROM events WHERE type = 'project.changed' ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows[0]?.payload).toEqual({ project_id: shop.projectId, payment_policy: { maxAmountInUSD: null } })
  })

  it('refuses to overwrite a newer policy when it is asked to look: EDIT_CONFLICT', async () => {
    const seen = (await read()).body.updatedAt
    const changeSince = (since: Date, body: PaymentPolicyChange) =>
      app.call(
        projectsRoutes.changePaymentPolicy,
        { params: { p: shop.p }, body },
        { key: operator, headers: { 'if-unmodified-since': since.toISOString() } },
      )
    cashier.pass(1)
    const { body } = await changeSince(seen, { linkLifetimeMinutes: 30 })
    expect((await changeSince(seen, { linkLifetimeMinutes: 45 })).refusal?.code).toBe('EDIT_CONFLICT')
    expect((await read()).body.linkLifetimeMinutes).toBe(30)
    expect((await changeSince(body.updatedAt, { linkLifetimeMinutes: 45 })).body.linkLifetimeMinutes).toBe(45)
  })

  it('reads JSON numbers without rounding them, and writes networks by their code', async () => {
    const rules = '[{"upToUSD": 50.10, "confirmations": 3, "blockchainCode": "tron"}]'
    const raw = `{"underpaidTolerancePercent": 2.50, "minAmountInUSD": 1.10, "confirmationRules": ${rules}}`
    const { body } = await app.call(
      projectsRoutes.changePaymentPolicy,
      { params: { p: shop.p } },
      { key: operator, raw },
    )
    expect(body).toMatchObject({
      underpaidTolerancePercent: '2.50',
      minAmountInUSD: '1.10',
      confirmationRules: [{ upToUSD: '50.10', confirmations: 3, blockchainCode: 'TRX' }],
    })
  })

  const rule = { upToUSD: '50', confirmations: 3, blockchainCode: 'ETH' }
  it.each([
    [{ linkLifetimeMinutes: 4 }, 'linkLifetimeMinutes', 'Link lifetime must be between 5 and 10080'],
    [{ linkLifetimeMinutes: 10_081 }, 'linkLifetimeMinutes', 'Link lifetime must be between 5 and 10080'],
    [{ openPaymentsPerCustomer: 'two' }, 'openPaymentsPerCustomer', /must be one of: one, many/],
    [{ customerEmailRequired: 'yes' }, 'customerEmailRequired', 'Customer e-mail required must be true or false'],
    [{ underpaidTolerancePercent: '20.01' }, 'underpaidTolerancePercent', /must be between 0 and 20/],
    [{ overpaidTolerancePercent: '-1' }, 'overpaidTolerancePercent', /must be between 0 and 20/],
    [{ lateGraceHours: 721 }, 'lateGraceHours', 'Grace period for late payments must be between 0 and 720'],
    [{ minAmountInUSD: 'ten' }, 'minAmountInUSD', 'Smallest amount must be a decimal number'],
    [{ maxAmountInUSD: '0.00' }, 'maxAmountInUSD', 'Largest amount must be above 0'],
    [{ minAmountInUSD: '10', maxAmountInUSD: '9.99' }, 'maxAmountInUSD', /must not be below the smallest/],
    [{ confirmationRules: [{ ...rule, blockchainCode: 'DOGE' }] }, /blockchainCode/, /one that Kassa knows/],
    [{ confirmationRules: [{ ...rule, confirmations: 0 }] }, /confirmations/, /between 1 and 1000/],
    [
      { confirmationRules: [rule, { ...rule, upToUSD: '50.0' }] },
      'confirmationRules',
      /Two confirmation rules for ETH/,
    ],
    [
      { confirmationRules: Array.from({ length: 51 }, () => rule) },
      'confirmationRules',
      'At most 50 confirmation rules',
    ],
  ])('refuses what breaks a rule: %#', async (body, field, text) => {
    const { status, refusal } = await changeRaw(body)
    expect(status).toBe(400)
    expect(refusal?.code).toBe('VALIDATION_FAILED')
    const [name = '', message = ''] = Object.entries(refusal?.fields ?? {})[0] ?? []
    if (typeof field === 'string') expect(name).toBe(field)
    else expect(name).toMatch(field)
    if (typeof text === 'string') expect(message).toBe(text)
    else expect(message).toMatch(text)
  })

  it('is read by who reads the project, and changed by who may change it', async () => {
    const { key: manager } = await addOperator(app, { role: 'project_manager', projectId: shop.projectId })
    expect((await read(manager)).status).toBe(200)
    expect((await change({ lateGraceHours: 1 }, manager)).refusal?.code).toBe('FORBIDDEN')
    expect((await read(operator, '9999')).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await read(operator, 'all')).refusal?.code).toBe('PROJECT_REQUIRED')
  })
})

describe('projects.paymentPolicy: what it does', () => {
  it('linkLifetimeMinutes ends links', async () => {
    await change({ linkLifetimeMinutes: 30 })
    const { body } = await create({ customerID: 'c', customerEmail: 'a@b.example', amountInUSD: '5' })
    expect(body.expiresAt).toEqual(new Date(app.clock.now.getTime() + 30 * MINUTE))
  })

  it('openPaymentsPerCustomer and customerEmailRequired let several links live without an address', async () => {
    const missing = await create({ customerID: 'c', amountInUSD: '5' })
    expect(missing.refusal?.fields).toEqual({ customerEmail: 'Customer e-mail is required' })
    await change({ openPaymentsPerCustomer: 'many', customerEmailRequired: false })
    const first = await create({ customerID: 'several', amountInUSD: '5' })
    const second = await create({ customerID: 'several', amountInUSD: '6' })
    expect(second.body.superseded).toEqual([])
    await change({ openPaymentsPerCustomer: 'one' })
    const third = await create({ customerID: 'several', amountInUSD: '7' })
    expect(third.body.superseded.toSorted()).toEqual([first, second].map(({ body }) => body.reference_id).toSorted())
    const shown = await cashier.show(first.body.reference_id)
    expect(shown).toMatchObject({ cancelReason: 'superseded', supersededBy: third.body.reference_id })
  })

  it('customerEmailRequired off lets operators make links for nobody in particular, each with a customer of its own', async () => {
    const body = { amountInUSD: '5' }
    const make = () => app.call(paymentsRoutes.createProjectPayment, { params: { p: shop.p }, body }, { key: operator })
    expect((await make()).refusal?.fields).toEqual({ customerID: 'Customer ID is required' })
    await change({ customerEmailRequired: false })
    const made = [await make(), await make()]
    expect(made.map(({ status, body: { superseded } }) => [status, superseded])).toEqual([
      [200, []],
      [200, []],
    ])
    const read = async (ref: string) =>
      (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: operator })).body
    const shown = await Promise.all(made.map(({ body: { reference_id: ref } }) => read(ref)))
    expect(new Set(shown.map(({ customer }) => customer.id)).size).toBe(2)
    // A merchant's server always says who pays.
    expect((await create({ amountInUSD: '5' })).refusal?.fields).toMatchObject({
      customerID: 'Customer ID is required',
    })
  })

  it('the tolerances decide what is short and what is too much', async () => {
    await change({ underpaidTolerancePercent: '20', overpaidTolerancePercent: '0' })
    const short = await cashier.newPayment({ amount: '20' })
    await eth.mine([usdc(short.to, 16)])
    const more = await cashier.newPayment({ amount: '20' })
    await eth.mine([usdc(more.to, 20.02)])
    await eth.mine()
    expect((await cashier.show(short.ref)).paymentState).toBe('FILLED')
    expect(await cashier.show(more.ref)).toMatchObject({ paymentState: 'OVER_FILLED', overpaid: '0.02' })
  })

  it('lateGraceHours says how long late money counts', async () => {
    await change({ lateGraceHours: 1 })
    const [early, late] = [await cashier.newPayment(), await cashier.newPayment()]
    cashier.pass(70 * MINUTE)
    await cashier.expire()
    await eth.mine([usdc(early.to, 100)])
    cashier.pass(10 * MINUTE)
    await eth.mine([usdc(late.to, 100)])
    await eth.mine()
    expect(await cashier.show(early.ref)).toMatchObject({ paymentState: 'FILLED', late: true })
    expect(await cashier.show(late.ref)).toMatchObject({ paymentState: 'CANCELLED', repair: { kind: 'unapplied' } })
  })

  it('minAmountInUSD and maxAmountInUSD bound what is asked', async () => {
    await change({ minAmountInUSD: '5', maxAmountInUSD: '10' })
    const ask = (amountInUSD: string) => create({ customerID: 'c', customerEmail: 'a@b.example', amountInUSD })
    expect((await ask('4.99')).refusal).toMatchObject({
      code: 'AMOUNT_OUT_OF_RANGE',
      message: 'The amount must be between $5 and $10.',
    })
    expect((await ask('10.01')).refusal?.code).toBe('AMOUNT_OUT_OF_RANGE')
    expect([(await ask('5')).status, (await ask('10')).status]).toEqual([200, 200])
  })

  it('uniqueInvoiceID lets one of many at once through, and the next only after a cancellation', async () => {
    const ask = (customerID: string) =>
      create({ customerID, customerEmail: 'a@b.example', amountInUSD: '5', invoiceID: 'INV-1' })
    const before = await ask('before')
    await change({ uniqueInvoiceID: true })
    expect((await ask('c')).refusal?.code).toBe('INVOICE_EXISTS')
    const cancel = (ref: string) =>
      app.call(paymentsRoutes.cancelPaymentByReference, { params: { ref }, body: {} }, { key: shop.apiKey })
    await cancel(before.body.reference_id)
    for (const pass of [1, 2]) {
      const made = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(`c-${pass}-${at}`)))
      const through = made.filter(({ status }) => status === 200)
      expect(through).toHaveLength(1)
      expect(made.filter(({ refusal }) => refusal?.code === 'INVOICE_EXISTS')).toHaveLength(7)
      await cancel(through[0]?.body.reference_id ?? '')
    }
    const other = { customerEmail: 'a@b.example', amountInUSD: '5' }
    const without = await Promise.all(['x', 'y'].map((customerID) => create({ ...other, customerID, invoiceID: '' })))
    expect(without.map(({ status }) => status)).toEqual([200, 200])
  })

  it('uniqueInvoiceID never stands in the way of money: a cancelled payment is filled beside its successor', async () => {
    await change({ uniqueInvoiceID: true })
    const ask = async (customerID: string) => {
      const body = { customerID, customerEmail: 'a@b.example', amountInUSD: '50', invoiceID: 'INV-2' }
      const made = await create({ ...body, blockchainCode: 'ETH', currencyCode: 'USDC' })
      return made.body.reference_id
    }
    const first = await ask('one')
    await app.call(paymentsRoutes.cancelPaymentByReference, { params: { ref: first }, body: {} }, { key: shop.apiKey })
    const second = await ask('two')
    for (const ref of [first, second]) await eth.mine([usdc((await cashier.show(ref)).depositAddress ?? '', 50)])
    await eth.mine()
    expect((await cashier.show(first)).paymentState).toBe('FILLED')
    expect((await cashier.show(second)).paymentState).toBe('FILLED')
  })

  it('confirmationRules make small sums wait less than large ones', async () => {
    await change({
      confirmationRules: [
        { upToUSD: '50', confirmations: 3, blockchainCode: 'ETH' },
        { upToUSD: '1000', confirmations: 5, blockchainCode: 'ETH' },
        { upToUSD: '50', confirmations: 9, blockchainCode: 'BASE' },
      ],
    })
    const [small, large] = [await cashier.newPayment({ amount: '50' }), await cashier.newPayment({ amount: '200' })]
    await eth.mine([usdc(small.to, 50), usdc(large.to, 200)])
    await eth.mine()
    await eth.mine()
    expect(await cashier.show(small.ref)).toMatchObject({ paymentState: 'FILLED', confirmationRequired: 3 })
    expect(await cashier.show(large.ref)).toMatchObject({ paymentState: 'OPEN', confirmationRequired: 5 })
    await eth.mine()
    await eth.mine()
    expect((await cashier.show(large.ref)).paymentState).toBe('FILLED')
  })
})

describe('projects.paymentPolicy: applyUnappliedToNext', () => {
  beforeEach(async () => {
    // Sessions end while the clock moves by days.
    const signIn = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
    operator = signIn.body.key
  })

  /** Unapplied deposits of a customer: they arrived a day after the only payment had ended. */
  const makeUnapplied = async (customer: string, amounts: readonly number[]) => {
    const { ref, to } = await cashier.newPayment({ customer })
    cashier.pass(25 * HOUR)
    await cashier.expire()
    const [tx] = await eth.mine(amounts.map((amount) => usdc(to, amount)))
    await eth.mine()
    return { ref, to, tx }
  }

  it('is off: unapplied deposits of a customer wait for an operator', async () => {
    await makeUnapplied('off', [100])
    const next = await cashier.newPayment({ customer: 'off' })
    expect(await cashier.show(next.ref)).toMatchObject({ paymentState: 'OPEN', amountDue: '100' })
  })

  it('pays the customer’s next request when it is on, oldest money first and until it is enough', async () => {
    await change({ applyUnappliedToNext: true })
    const { ref, to } = await makeUnapplied('on', [60, 40, 30])
    const other = await cashier.newPayment({ customer: 'somebody else' })
    expect((await cashier.show(other.ref)).paymentState).toBe('OPEN')
    const next = await cashier.newPayment({ customer: 'on' })
    expect(await cashier.show(next.ref)).toMatchObject({ paymentState: 'FILLED', filledAmount: '100', late: false })
    expect((await depositsTo(app, to)).map(({ status, reason }) => [status, reason])).toEqual([
      ['applied', 'applied_by_policy'],
      ['applied', 'applied_by_policy'],
      ['unapplied', 'late'],
    ])
    expect(await cashier.emitted(next.ref)).toEqual(['payment.resolved', 'payment.resolved', 'payment.filled'])
    expect((await cashier.show(ref)).late).toBe(true)
    const third = await cashier.newPayment({ customer: 'on' })
    expect((await cashier.show(ref)).late).toBe(false)
    expect(await cashier.show(third.ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      amountDue: '70',
      repair: { kind: 'send_rest', amount: '70', currencyCode: 'USDC', blockchainCode: 'ETH' },
    })
  })

  it('counts coins as coins, at the price of the new request', async () => {
    await change({ applyUnappliedToNext: true })
    const { to } = await cashier.newPayment({ customer: 'ether', currency: 'ETH' })
    cashier.pass(25 * HOUR)
    await cashier.expire()
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
    await eth.mine()
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '4000' })
    const next = await cashier.newPayment({ customer: 'ether', currency: 'ETH' })
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(await cashier.show(next.ref)).toMatchObject({
      amount: '0.025',
      filledAmount: '0.01',
      filledAmountInUSD: '40.00',
    })
  })

  it('leaves money of another currency or network alone', async () => {
    await change({ applyUnappliedToNext: true })
    const { to, tx } = await makeUnapplied('other', [100])
    const next = await cashier.newPayment({ customer: 'other', currency: 'USDT' })
    expect((await cashier.show(next.ref)).paymentState).toBe('OPEN')
    expect((await depositsTo(app, to)).map(({ status }) => status)).toEqual(['unapplied'])
    const query = { status: ['unapplied' as const], txHash: tx }
    const listed = await app.call(depositsRoutes.listDeposits, { query }, { key: shop.apiKey })
    expect(listed.body).toMatchObject({ total: 1, data: [{ amount: '100', reason: 'late', toAddress: to }] })
  })
})
