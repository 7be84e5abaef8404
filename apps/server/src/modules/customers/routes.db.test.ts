import { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ensureCustomer } from './service.ts'

let app: TestApp
let operator: string
let shop: Shop
let market: Shop

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00Z') })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  market = await openShop(app, operator, 'Market')
})
afterAll(async () => {
  await app.stop()
})

const add = (body: object, { p = shop.p, key = operator } = {}) =>
  app.call(customersRoutes.createCustomer, { params: { p }, body: body as never }, { key })
const list = (query: object = {}, { p = shop.p, key = operator } = {}) =>
  app.call(customersRoutes.listCustomers, { params: { p }, query }, { key })
const get = (id: number | string, { p = shop.p, key = operator } = {}) =>
  app.call(customersRoutes.getCustomer, { params: { p, id: String(id) } }, { key })

describe('customers.create', () => {
  it('adds a customer under the shop’s own id', async () => {
    const { status, body } = await add({ email: 'Ann@Example.com', customerID: 'ann', name: 'Ann' })
    expect(status).toBe(201)
    expect(body.member).toMatchObject({
      email: 'ann@example.com',
      customer_id: 'ann',
      name: 'Ann',
      state: 'active',
      memberType: 'customer',
      memberExternalPlatformRoles: [{ externalPlatformID: shop.projectId, roleID: 2 }],
    })
  })

  it('names one without an id after our own', async () => {
    const { member } = (await add({ email: 'bob@example.com' })).body
    expect(member.customer_id).toBe(`c_${member.id}`)
  })

  it('refuses an id that is taken in this project, not in another', async () => {
    expect((await add({ email: 'b@example.com', customerID: 'ann' })).refusal?.code).toBe('CUSTOMER_EXISTS')
    expect((await add({ email: 'b@example.com', customerID: 'ann' }, { p: market.p })).status).toBe(201)
  })

  it('refuses bad input and callers without the permission', async () => {
    expect((await add({})).refusal?.fields).toHaveProperty('email')
    expect((await add({ email: 'a@b.example', level: 3 })).refusal?.fields).toEqual({ level: 'Unknown field' })
    expect((await add({ email: 'a@b.example' }, { p: 'all' })).refusal?.code).toBe('PROJECT_REQUIRED')
    expect((await add({ email: 'a@b.example' }, { key: shop.apiKey })).refusal?.code).toBe('FORBIDDEN')
    const manager = await addOperator(app, { projectId: shop.projectId, role: 'project_manager' })
    expect((await add({ email: 'a@b.example' }, { key: manager.key })).refusal?.code).toBe('FORBIDDEN')
  })
})

describe('customers.list', () => {
  it('lists newest first, page by page', async () => {
    await add({ email: 'c@example.com', customerID: 'carl' })
    const whole = (await list()).body
    expect(whole.totalCount).toBe(3)
    const ids = whole.members.map(({ id }) => id)
    const first = (await list({ limit: 2 })).body
    const second = (await list({ limit: 2, cursor: first.nextCursor ?? '' })).body
    expect([...first.members, ...second.members].map(({ id }) => id)).toEqual(ids)
    expect(second.nextCursor).toBeNull()
    expect((await list({ cursor: 'nonsense' })).refusal?.code).toBe('CURSOR_INVALID')
    expect((await list({ sortBy: 'password' })).refusal?.code).toBe('SORT_FIELD_UNKNOWN')
  })

  it('finds by the start of an e-mail, a name or an id', async () => {
    const found = async (query: object) => (await list(query)).body.members.map(({ customer_id }) => customer_id)
    expect(await found({ query: 'ANN@' })).toEqual(['ann'])
    expect(await found({ query: 'car' })).toEqual(['carl'])
    expect(await found({ query: '%' })).toEqual([])
    expect(await found({ email: 'ann@example.com' })).toEqual(['ann'])
    expect(await found({ customerID: 'carl' })).toEqual(['carl'])
  })

  it('keeps projects apart', async () => {
    expect((await list({}, { key: market.apiKey, p: 'all' })).body.totalCount).toBe(1)
    expect((await list({}, { key: market.apiKey })).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await list({}, { p: 'all' })).body.totalCount).toBe(4)
  })
})

describe('customers.get', () => {
  it('shows addresses, paid amounts and deposits that need a person', async () => {
    const eth = await fakeChain(app.ctx, 1)
    const body = { customerID: 'ann', customerEmail: 'ann@example.com', amountInUSD: '20' }
    const made = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    const choice = { params: { ref: made.body.reference_id }, body: { blockchain_code: 'ETH', currency_code: 'USDC' } }
    const { Address: to } = (await app.call(paymentsRoutes.pinPayment, choice)).body
    await eth.mine([
      { to, assetId: 7, units: 20_000_000n },
      { to, assetId: 11, units: 7_500_000n },
    ])
    await eth.mine()
    const ann = (await list({ customerID: 'ann' })).body.members[0]
    expect((await get(ann?.id ?? 0)).body).toMatchObject({
      customer_id: 'ann',
      addresses: [{ family: 'ETH_Family', address: to }],
      paymentCount: 1,
      paidInUSD: '20',
      unapplied: [{ currencyCode: 'USDT', blockchainCode: 'ETH', amount: '7.5' }],
    })
  })

  it('says 404 for what is not there or not in this project', async () => {
    const elsewhere = (await list({}, { p: market.p })).body.members[0]?.id ?? 0
    for (const id of [elsewhere, 999_999, 'nonsense', '0', '99999999999999']) {
      expect((await get(id)).refusal?.code).toBe('CUSTOMER_NOT_FOUND')
    }
    expect((await get(elsewhere, { key: market.apiKey, p: market.p })).status).toBe(200)
  })
})

describe('customers.ensureCustomer', () => {
  it('gives two callers at once the same customer', async () => {
    const input = { projectId: shop.projectId, customerId: 'raced', email: 'r@example.com' }
    const made = await Promise.all([1, 2, 3, 4].map(() => ensureCustomer(asSystem(app.ctx), input)))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    const { rows } = await sql`SELECT id FROM customers WHERE customer_id = 'raced'`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
  })

  it('takes a newer e-mail, and keeps the one it has when none is given', async () => {
    const ctx = asSystem(app.ctx)
    const input = { projectId: shop.projectId, customerId: 'moved' }
    await ensureCustomer(ctx, { ...input, email: 'old@example.com' })
    expect((await ensureCustomer(ctx, { ...input, email: 'new@example.com' })).email).toBe('new@example.com')
    expect((await ensureCustomer(ctx, { ...input, email: '' })).email).toBe('new@example.com')
  })
})

describe('customers.change', () => {
  const change = (id: number | string, body: object, { p = shop.p, key = operator } = {}) =>
    app.call(customersRoutes.changeCustomer, { params: { p, id: String(id) }, body }, { key })

  it('changes what is named, and keeps the rest', async () => {
    const { id } = (await add({ email: 'cora@example.com', name: 'Cora' })).body.member
    expect((await change(id, { group: 'wholesale' })).body).toMatchObject({ name: 'Cora', group: 'wholesale' })
    expect((await change(id, { email: 'Cora@Shop.example', name: '' })).body).toMatchObject({
      email: 'cora@shop.example',
      name: '',
      group: 'wholesale',
    })
  })

  it('blocks a customer, who gets no new payments until they are active again', async () => {
    const { member } = (await add({ email: 'dan@example.com', customerID: 'dan' })).body
    const body = { customerID: 'dan', customerEmail: 'dan@example.com', amountInUSD: '5' }
    const pay = () => app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    expect((await change(member.id, { state: 'blocked' })).body.state).toBe('blocked')
    expect((await pay()).refusal?.code).toBe('CUSTOMER_BLOCKED')
    await change(member.id, { state: 'active' })
    expect((await pay()).status).toBe(200)
  })

  it('knows no customer of another project', async () => {
    const { id } = (await add({ email: 'eve@example.com' }, { p: market.p })).body.member
    expect((await change(id, { name: 'x' })).refusal?.code).toBe('CUSTOMER_NOT_FOUND')
    expect((await change('none', { name: 'x' })).refusal?.code).toBe('CUSTOMER_NOT_FOUND')
    expect((await change(id, { name: 'x' }, { p: 'all' })).refusal?.code).toBe('PROJECT_REQUIRED')
  })
})
