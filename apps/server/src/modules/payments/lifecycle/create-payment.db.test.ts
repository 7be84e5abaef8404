import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { setSandboxPrice } from '../../prices/service.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let app: TestApp
let operator: string
let shop: Shop
let customers = 0

const newCustomer = () => {
  customers += 1
  return `customer-${customers}`
}

beforeAll(async () => {
  app = await testApp({ now: START })
  operator = await app.signUp()
  shop = await openShop(app, operator)
})
afterAll(async () => {
  await app.stop()
})

type Body = Record<string, unknown>

const valid = (more: Body = {}): Body => ({
  customerID: newCustomer(),
  customerEmail: 'payer@example.com',
  amountInUSD: '49.99',
  ...more,
})
const create = (body: Body, { key = shop.apiKey, headers = {} } = {}) =>
  app.call(paymentsRoutes.createPayment, { body: body as never }, { key, headers })
const createAsOperator = (body: Body, p = shop.p) =>
  app.call(paymentsRoutes.createProjectPayment, { params: { p }, body: body as never }, { key: operator })
const read = (ref: string, key?: string) => app.call(paymentsRoutes.getPaymentByReference, { params: { ref } }, { key })
const count = async () => {
  const { rows } = await sql<{ count: bigint }>`SELECT count(*) FROM payments`.execute(app.ctx.db)
  return Number(rows[0]?.count)
}
const events = async (ref: string) => {
  const { rows } = await sql<{ type: string; sequence: number; payload: Record<string, unknown>; actor: string }>`
    SELECT type, sequence, payload, actor FROM events WHERE reference_id = ${ref} ORDER BY id`.execute(app.ctx.db)
  return rows
}

describe('payments.create', () => {
  it('makes a link as existing clients expect it', async () => {
    const { status, body } = await create(valid())
    expect(status).toBe(200)
    expect(body.reference_id).toMatch(UUID)
    expect(body.url).toBe(`http://localhost:8080/payments?reference_id=${body.reference_id}`)
    expect(body).toMatchObject({ host: 'http://localhost:8080', superseded: [] })
    expect(body.expiresAt).toEqual(new Date(START.getTime() + 15 * 60_000))
    const shown = await read(body.reference_id)
    expect(shown.body).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'none',
      amountInUSD: '49.99',
      amountDueInUSD: '49.99',
      currencySymbol: null,
      depositAddress: null,
      test: true,
    })
  })

  it('names the API in the link where its origin is another', async () => {
    const set = (value: string) =>
      app.call(settingsRoutes.saveSetting, { body: { key: 'payram.backend', value } }, { key: operator })
    await set('https://api.example.com')
    const { body, text } = await create(valid({ customerID: 'elsewhere' }))
    const path = `/payments?reference_id=${body.reference_id}`
    expect(text).toContain(`"url":"http://localhost:8080${path}&host=https://api.example.com"`)
    expect(body.host).toBe('https://api.example.com')
    await set('http://localhost:8080')
  })

  it('shows the reference where the merchant gave no invoice id', async () => {
    const { reference_id: reference } = (await create(valid({ customerID: 'no-invoice' }))).body
    expect((await read(reference)).body.invoiceID).toBe(reference)
    const [created] = await events(reference)
    expect(created?.payload).toMatchObject({ invoice_id: reference })
    const { body } = await app.call(
      paymentsRoutes.searchProjectPayments,
      { params: { p: shop.p }, body: { query: reference } },
      { key: operator },
    )
    expect(body.data.map(({ invoiceId }) => invoiceId)).toEqual([reference])
  })

  it('row 1: emits payment.created with the payload receivers know', async () => {
    const { body } = await create(
      valid({ invoiceID: 'A-77', customerID: 'c-1', metadata: { cart: [{ amount: 7.5 }] } }),
    )
    const [created, ...more] = await events(body.reference_id)
    expect(more).toEqual([])
    expect(created).toMatchObject({ type: 'payment.created', sequence: 1 })
    expect(created?.actor).toMatch(/^key:\d+$/)
    expect(created?.payload).toMatchObject({
      event_type: 'payment.created',
      reference_id: body.reference_id,
      invoice_id: 'A-77',
      customer_id: 'c-1',
      customer_email: 'payer@example.com',
      status: 'OPEN',
      amount: '49.99',
      currency: 'USD',
      filled_amount: '0',
      timestamp: START.getTime() / 1000,
      confirmation_current: 0,
      payment_info: [],
      network: null,
      metadata: { cart: [{ amount: 7.5 }] },
      project_id: shop.projectId,
      test: true,
    })
  })

  it('keeps every digit of a JSON number', async () => {
    const raw = `{"customerID":"${newCustomer()}","customerEmail":"a@example.com","amountInUSD":123456789012.123456}`
    const { status, text } = await app.call(paymentsRoutes.createPayment, {}, { key: shop.apiKey, raw })
    expect(status).toBe(200)
    const { reference_id } = JSON.parse(text) as { reference_id: string }
    expect((await read(reference_id)).body.amountInUSD).toBe('123456789012.123456')
  })

  it.each([
    ['nothing', {}, 'customerID', 'Customer ID is required'],
    ['no customer', { customerEmail: 'a@b.example', amountInUSD: '1' }, 'customerID', 'Customer ID is required'],
    ['no e-mail', { customerID: 'x', amountInUSD: '1' }, 'customerEmail', 'Customer e-mail is required'],
    [
      'an empty e-mail',
      { customerID: 'x', customerEmail: '', amountInUSD: '1' },
      'customerEmail',
      'Customer e-mail is required',
    ],
    [
      'a bad e-mail',
      { customerID: 'x', customerEmail: 'nope', amountInUSD: '1' },
      'customerEmail',
      'Enter a valid e-mail address',
    ],
    [
      'zero',
      { customerID: 'x', customerEmail: 'a@b.example', amountInUSD: '0' },
      'amountInUSD',
      'Amount must be greater than 0',
    ],
    [
      'less than zero',
      { customerID: 'x', customerEmail: 'a@b.example', amountInUSD: '-1' },
      'amountInUSD',
      'Amount must be greater than 0',
    ],
    [
      'words',
      { customerID: 'x', customerEmail: 'a@b.example', amountInUSD: 'ten' },
      'amountInUSD',
      'Amount must be a decimal number',
    ],
    [
      'an exponent',
      { customerID: 'x', customerEmail: 'a@b.example', amountInUSD: '1e3' },
      'amountInUSD',
      'Amount must be a decimal number',
    ],
  ])('refuses %s and writes nothing', async (_what, body, field, text) => {
    const before = await count()
    const { status, refusal } = await create(body)
    expect(status).toBe(400)
    expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', fields: { [field]: text } })
    expect(await count()).toBe(before)
  })

  it('sends an operator’s session to the project’s key', async () => {
    const { status, refusal } = await create(valid(), { key: operator })
    expect(status).toBe(404)
    expect(refusal?.code).toBe('PROJECT_CONTEXT_MISSING')
    expect((await create({}, { key: operator })).refusal?.code).toBe('PROJECT_CONTEXT_MISSING')
  })

  it('needs a key', async () => {
    const { refusal } = await app.call(paymentsRoutes.createPayment, { body: valid() as never })
    expect(refusal?.code).toBe('UNAUTHORIZED')
  })

  it('accepts the older path and its spelling', async () => {
    const raw = JSON.stringify({
      customer_id: newCustomer(),
      customer_email: 'a@b.example',
      amount: 5,
      currency: 'USD',
    })
    const { status, headers, text } = await app.call(paymentsRoutes.createLegacyPayment, {}, { key: shop.apiKey, raw })
    expect(status).toBe(200)
    expect(headers.deprecation).toBeDefined()
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['reference_id', 'url'])
    const other = JSON.stringify({ customer_id: 'x', customer_email: 'a@b.example', amount: 5, currency: 'EUR' })
    const refused = await app.call(paymentsRoutes.createLegacyPayment, {}, { key: shop.apiKey, raw: other })
    expect(refused.refusal?.code).toBe('VALIDATION_FAILED')
    const empty = JSON.stringify({ customer_id: 'x', customer_email: 'a@b.example' })
    expect(
      (await app.call(paymentsRoutes.createLegacyPayment, {}, { key: shop.apiKey, raw: empty })).refusal?.code,
    ).toBe('VALIDATION_FAILED')
  })

  it('pins at once when the asset is named', async () => {
    const { body } = await create(valid({ amountInUSD: '30', blockchainCode: 'ethereum', currencyCode: 'eth' }))
    const shown = await read(body.reference_id)
    expect(shown.body).toMatchObject({ currencySymbol: 'ETH', blockchainSymbol: 'ETH', amount: '0.01' })
    expect((await events(body.reference_id)).map(({ type }) => type)).toEqual(['payment.created', 'payment.pinned'])
  })

  it.each([
    ['an unknown network', { blockchainCode: 'DOGE' }],
    ['a network that is not served', { blockchainCode: 'TRX', currencyCode: 'USDT' }],
    ['a currency that is not there', { blockchainCode: 'BASE', currencyCode: 'USDT' }],
    ['a network with several currencies and none named', { blockchainCode: 'ETH' }],
    ['less than the network’s smallest deposit', { blockchainCode: 'ETH', currencyCode: 'USDC', amountInUSD: '0.5' }],
  ])('refuses %s as not accepted', async (_what, more) => {
    const before = await count()
    expect((await create(valid(more))).refusal?.code).toBe('ASSET_NOT_ACCEPTED')
    expect(await count()).toBe(before)
  })

  it('refuses a currency without its network', async () => {
    expect((await create(valid({ currencyCode: 'USDC' }))).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('makes no quote from a broken price', async () => {
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1e400' })
    const { status, refusal } = await create(valid({ blockchainCode: 'ETH', currencyCode: 'ETH' }))
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(status).toBe(503)
    expect(refusal?.code).toBe('RATE_UNAVAILABLE')
  })

  it('takes the lifetime a caller names', async () => {
    const { body } = await create(valid({ expiresInMinutes: 10_080 }))
    expect(body.expiresAt).toEqual(new Date(START.getTime() + 7 * 24 * 3_600_000))
    expect((await create(valid({ expiresInMinutes: 4 }))).refusal?.fields).toHaveProperty('expiresInMinutes')
    expect((await create(valid({ expiresInMinutes: 10_081 }))).refusal?.fields).toHaveProperty('expiresInMinutes')
  })

  it('refuses links that are not web addresses and metadata that is too large', async () => {
    expect((await create(valid({ successURL: 'javascript:alert(1)' }))).refusal?.fields).toHaveProperty('successURL')
    expect((await create(valid({ metadata: { text: 'x'.repeat(5000) } }))).refusal?.fields).toHaveProperty('metadata')
  })

  it('refuses a customer who is blocked', async () => {
    const customerID = newCustomer()
    await create(valid({ customerID }))
    await sql`UPDATE customers SET state = 'blocked' WHERE customer_id = ${customerID}`.execute(app.ctx.db)
    expect((await create(valid({ customerID, amountInUSD: '7' }))).refusal?.code).toBe('CUSTOMER_BLOCKED')
  })

  it('gives a repeat the same link for five minutes, while it is open', async () => {
    const body = valid()
    const first = await create(body)
    const again = await create(body)
    expect(again.body.reference_id).toBe(first.body.reference_id)
    expect(again.headers['idempotency-replayed']).toBe('dedupe')
    await app.call(
      paymentsRoutes.cancelPaymentByReference,
      { params: { ref: first.body.reference_id }, body: {} },
      { key: shop.apiKey },
    )
    const third = await create(body)
    expect(third.body.reference_id).not.toBe(first.body.reference_id)
  })
})

describe('payments.create: supersede', () => {
  it('row 8: ends the customer’s older link without money, and says so', async () => {
    const customerID = newCustomer()
    const first = await create(valid({ customerID }))
    const second = await create(valid({ customerID, amountInUSD: '50' }))
    expect(second.body.superseded).toEqual([first.body.reference_id])
    const shown = await read(first.body.reference_id)
    expect(shown.body).toMatchObject({ paymentState: 'CANCELLED', cancelReason: 'superseded', fundingState: 'none' })
    const emitted = (await events(first.body.reference_id)).at(-1)
    expect(emitted).toMatchObject({ type: 'payment.cancelled', sequence: 2 })
    expect(emitted?.payload).toMatchObject({
      status: 'CANCELLED',
      cancel_reason: 'superseded',
      previous_status: 'OPEN',
    })
  })

  it('leaves other customers alone', async () => {
    const first = await create(valid())
    await create(valid())
    expect((await read(first.body.reference_id)).body.paymentState).toBe('OPEN')
  })

  it('leaves one open when two are made at once', async () => {
    const customerID = newCustomer()
    const amounts = ['1', '2', '3', '4', '5', '6']
    const made = await Promise.all(amounts.map((amountInUSD) => create(valid({ customerID, amountInUSD }))))
    const states = await Promise.all(made.map(async ({ body }) => (await read(body.reference_id)).body.paymentState))
    expect(states.filter((state) => state === 'OPEN')).toHaveLength(1)
    expect(made.flatMap(({ body }) => body.superseded)).toHaveLength(amounts.length - 1)
  })
})

describe('payments.create by an operator', () => {
  it('marks the payment as a person’s', async () => {
    const { status, body } = await createAsOperator(valid())
    expect(status).toBe(200)
    const { rows } = await sql<{ created_by: string }>`
      SELECT created_by FROM payments WHERE reference_id = ${body.reference_id}`.execute(app.ctx.db)
    expect(rows).toEqual([{ created_by: 'user' }])
  })

  it('uses the stored e-mail of a customer given by id only', async () => {
    const customerID = newCustomer()
    await create(valid({ customerID, customerEmail: 'stored@example.com' }))
    const { body } = await createAsOperator({ customerID, amountInUSD: '3', replace: true })
    expect((await events(body.reference_id))[0]?.payload).toMatchObject({ customer_email: 'stored@example.com' })
    const unknown = await createAsOperator({ customerID: newCustomer(), amountInUSD: '3' })
    expect(unknown.refusal?.fields).toHaveProperty('customerEmail')
  })

  it('takes a customer by our id, of this project only', async () => {
    const customerID = newCustomer()
    await create(valid({ customerID }))
    const { rows } = await sql<{ id: number }>`SELECT id FROM customers WHERE customer_id = ${customerID}`.execute(
      app.ctx.db,
    )
    const memberID = rows[0]?.id
    expect((await createAsOperator({ memberID, amountInUSD: '4', replace: true })).status).toBe(200)
    const other = await openShop(app, operator, 'Market')
    expect((await createAsOperator({ memberID, amountInUSD: '4' }, other.p)).refusal?.code).toBe('CUSTOMER_NOT_FOUND')
    expect((await createAsOperator({ memberID: 999_999, amountInUSD: '4' })).refusal?.code).toBe('CUSTOMER_NOT_FOUND')
  })

  it('asks for one project, of the caller’s own', async () => {
    expect((await createAsOperator(valid(), 'all')).refusal?.code).toBe('PROJECT_REQUIRED')
    expect((await createAsOperator(valid(), '999')).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await createAsOperator({ ...valid(), colour: 'red' })).refusal?.fields).toEqual({ colour: 'Unknown field' })
    expect((await createAsOperator({ amountInUSD: '1' })).refusal?.fields).toEqual({
      customerID: 'Customer ID is required',
    })
  })

  it('refuses a project that is not ready, with what is missing', async () => {
    const bare = await app.call(projectsRoutes.createProject, { body: { name: 'Bare' } }, { key: operator })
    const { status, refusal } = await createAsOperator(valid(), String(bare.body.id))
    expect(status).toBe(409)
    expect(refusal).toMatchObject({
      code: 'PROJECT_NOT_READY',
      data: { missing: [{ kind: 'wallet', family: 'ETH_Family', fixPath: '/manageWallet/deposit-wallet' }] },
    })
    expect(refusal?.message).toContain('Add a deposit wallet for Ethereum, Base')
  })
})

describe('payments.readiness', () => {
  const readiness = (p: string) => app.call(paymentsRoutes.getReadiness, { params: { p } }, { key: operator })

  it('reports that a project can be paid, with the state of its networks', async () => {
    const { body } = await readiness(shop.p)
    // 0.1 USDC is the smallest minimum of the sandbox.
    expect(body).toMatchObject({ ready: true, missing: [], leastAmountInUSD: '0.1' })
    expect(body.chains.map(({ blockchainCode }) => blockchainCode)).toEqual(['ETH', 'BASE'])
    const reasons = [{ kind: 'not_read', text: 'Ethereum is not read yet.' }]
    expect(body.chains[0]).toMatchObject({ ready: false, lagBlocks: null, reasons })
  })

  it('names what is missing: nodes, currencies, wallets', async () => {
    const ctx = asSystem(app.ctx)
    const bare = await app.call(projectsRoutes.createProject, { body: { name: 'Bare 2' } }, { key: operator })
    const p = String(bare.body.id)
    const walletless = await readiness(p)
    expect(walletless.body.missing.map(({ kind }) => kind)).toEqual(['wallet'])
    // What nobody can be offered makes nothing payable.
    expect(walletless.body.leastAmountInUSD).toBeNull()
    await sql`DELETE FROM project_assets WHERE project_id = ${bare.body.id}`.execute(ctx.db)
    const assetless = await readiness(p)
    expect(assetless.body.missing.map(({ kind }) => kind)).toEqual(['asset'])
    expect(assetless.body.leastAmountInUSD).toBeNull()
    await sql`UPDATE rpc_nodes SET is_active = false`.execute(ctx.db)
    expect((await readiness(p)).body.missing.map(({ kind }) => kind)).toEqual(['node'])
    await sql`UPDATE rpc_nodes SET is_active = true`.execute(ctx.db)
    expect((await readiness('all')).refusal?.code).toBe('PROJECT_REQUIRED')
  })
})
