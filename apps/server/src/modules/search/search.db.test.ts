import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { SEARCHED, searchRoutes } from '@kassa/contract/search/routes.ts'
import type { Found } from '@kassa/contract/search/schemas.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { addSession } from '../../testing/accounts/credentials.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier, type Pinned } from '../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { openProgramme } from '../../testing/referral/programme.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

let app: TestApp
let root: string
let shop: Shop
let market: Shop
let cashier: Cashier
let eth: FakeChain
let payment: Pinned
let payoutId: number
let member: string

/** Two shops, each with one of every kind that begins with “wren”; one member works in the first. */
beforeAll(async () => {
  const siteUrl = 'https://pay.shop.example'
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z'), config: { siteUrl } })
  root = await app.signUp()
  shop = await openShop(app, root)
  market = await openShop(app, root, 'Market')
  eth = await fakeChain(app.ctx, 1)
  cashier = openCashier(app, shop)
  payment = await cashier.newPayment({ amount: '49', customer: 'wren-1' })
  payoutId = await fill(shop)
  await openCashier(app, market).newPayment({ amount: '12', customer: 'wren-2' })
  await fill(market)
  const session = await addSession(app, { projectId: shop.projectId, operator: { email: 'wren-ops@shop.example' } })
  member = session.key
})
afterAll(() => app.stop())

async function fill({ p, apiKey, ...of }: Shop): Promise<number> {
  const asked = {
    email: 'wren@payee.example',
    blockchainCode: 'ETH',
    currencyCode: 'USDC',
    amount: '1',
    toAddress: PAYEE,
  }
  const { body } = await app.call(payoutsRoutes.createMerchantPayout, { body: asked }, { key: apiKey })
  await openProgramme(app, { p, apiKey, ...of }, root).signIn('wren-promoter')
  await app.call(apiKeysRoutes.createApiKey, { params: { p }, body: { name: 'Wren server' } }, { key: root })
  return body.id
}

const ask = (query: string, { p = shop.p, key = root } = {}) =>
  app.call(searchRoutes.searchEverything, { params: { p }, body: { query } }, { key })
const find = async (query: string, options = {}): Promise<Found> => (await ask(query, options)).body
/** How many of each kind were found; null for a kind that was not searched. */
const counts = (found: Found) =>
  Object.fromEntries(Object.entries(found).map(([kind, rows]) => [kind, rows && rows.length]))

describe('search (F1)', () => {
  it('finds every kind of a project at once, by the start of what it is called', async () => {
    const found = await find('WREN')
    expect(counts(found)).toEqual({ payments: 1, customers: 1, payouts: 1, promoters: 1, members: 1, keys: 1 })
    expect(found.payments?.[0]).toMatchObject({ referenceID: payment.ref, amountInUSD: '49.00', customerID: 'wren-1' })
    expect(found.payouts?.[0]).toMatchObject({ id: payoutId, amount: '1', currencyCode: 'USDC', toAddress: PAYEE })
    expect(found.keys).toEqual([
      { id: expect.any(Number), externalPlatformID: shop.projectId, name: 'Wren server', last4: expect.any(String) },
    ])
  })

  it('finds in every project that the caller may read, and in no other', async () => {
    expect(counts(await find('wren', { p: 'all' }))).toMatchObject({ payments: 2, customers: 2, payouts: 2, keys: 2 })
    const permissions = Object.values(SEARCHED)
    const { key } = await addSession(app, { projectId: shop.projectId, permissions })
    const found = await find('wren', { p: 'all', key })
    expect(counts(found)).toEqual({ payments: 1, customers: 1, payouts: 1, promoters: 1, members: 1, keys: 1 })
    const rows = [found.payments, found.customers, found.payouts, found.promoters, found.keys].flat()
    expect(new Set(rows.map((row) => row?.externalPlatformID))).toEqual(new Set([shop.projectId]))
    expect((await ask('wren', { p: market.p, key })).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })

  it.each(Object.entries(SEARCHED))(
    'searches %s for who holds %s there, and nothing else',
    async (kind, permission) => {
      const { key } = await addSession(app, { projectId: shop.projectId, permissions: [permission] })
      for (const p of [shop.p, 'all']) {
        const others = Object.fromEntries(Object.keys(SEARCHED).map((name) => [name, null]))
        expect(counts(await find('wren', { p, key }))).toEqual({ ...others, [kind]: 1 })
      }
    },
  )

  it('searches each kind in the projects in which the caller may read it, whatever they may read in others', async () => {
    const { key, operatorId } = await addSession(app, { projectId: shop.projectId, permissions: ['payment:read'] })
    const other = await addSession(app, { projectId: market.projectId, permissions: ['customer:read'] })
    await sql`UPDATE operator_roles SET operator_id = ${operatorId} WHERE operator_id = ${other.operatorId}`.execute(
      app.ctx.db,
    )
    const found = await find('wren', { p: 'all', key })
    expect(found.payments?.map(({ customerID }) => customerID)).toEqual(['wren-1'])
    expect(found.customers?.map(({ customerID }) => customerID)).toEqual(['wren-2'])
    expect(counts(await find('wren', { p: market.p, key }))).toMatchObject({ payments: null, customers: 1 })
    expect(counts(await find('wren', { key }))).toMatchObject({ payments: 1, customers: null })
  })

  it('refuses who may read none of it, and API keys', async () => {
    expect((await ask('wren', { key: member })).refusal?.code).toBe('FORBIDDEN')
    expect((await ask('wren', { key: shop.apiKey })).refusal?.code).toBe('FORBIDDEN')
  })

  it('finds by a whole reference, a transaction, an address and an id', async () => {
    await eth.mine([{ to: payment.to, assetId: ASSET.USDC_ON_ETH, units: dollars(9), tx: 'first' }])
    expect(counts(await find(payment.ref))).toMatchObject({ payments: 1, customers: 0, payouts: 0 })
    expect(counts(await find(payment.to))).toMatchObject({ payments: 1, payouts: 0 })
    expect(counts(await find(PAYEE.toLowerCase()))).toMatchObject({ payments: 0, payouts: 1 })
    expect((await find(String(payoutId).padStart(2, '0'))).payouts).toEqual([])
    const byName = await find('wren se')
    expect(counts(await find(byName.keys?.[0]?.last4 ?? ''))).toMatchObject({ keys: 1 })
  })

  it('gives the newest five', async () => {
    for (let n = 1; n <= 7; n += 1) {
      cashier.pass(1_000)
      const body = { email: `many-${n}@example.com`, customerID: `many-${n}`, name: 'Many' }
      await app.call(customersRoutes.createCustomer, { params: { p: shop.p }, body }, { key: root })
    }
    const { customers } = await find('many')
    expect(customers?.map(({ customerID }) => customerID)).toEqual(['many-7', 'many-6', 'many-5', 'many-4', 'many-3'])
  })

  it('takes what is typed for text: no pattern, and nothing that is too short', async () => {
    expect(counts(await find('%%'))).toEqual({
      payments: 0,
      customers: 0,
      payouts: 0,
      promoters: 0,
      members: 0,
      keys: 0,
    })
    expect((await ask('w')).refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: { query: 'Query must be at least 2 characters long' },
    })
    expect((await ask('w'.repeat(201))).refusal?.code).toBe('VALIDATION_FAILED')
  })
})
