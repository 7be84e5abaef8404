import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'
import { readFilter } from './rules.ts'
import { countFound, openSearch } from './store.ts'

let app: TestApp
let shop: Shop
let market: Shop
let eth: FakeChain
let cashier: Cashier
let operator: string
const refs: Record<string, string> = {}

/** A payment that is paid, one that is short and one that waits. */
beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  market = await openShop(app, operator, 'Market')
  eth = await fakeChain(app.ctx, 1)
  cashier = openCashier(app, shop)
  for (const [customer, amount, paid] of [
    ['paid', 50, 50],
    ['short', 80, 30],
    ['open', 20, 0],
  ] as const) {
    const { ref, to } = await cashier.newPayment({ amount: String(amount), customer })
    refs[customer] = ref
    if (paid > 0) await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(paid), tx: customer }])
    cashier.pass(1_000)
  }
  for (let block = 0; block < 3; block += 1) await eth.mine()
})
afterAll(() => app.stop())

async function search(paymentStatus: readonly string[], p = shop.p) {
  const body = { paymentStatus: [...paymentStatus] }
  return (await app.call(paymentsRoutes.searchProjectPayments, { params: { p }, body }, { key: operator })).body
}
const found = async (...paymentStatus: string[]) =>
  (await search(paymentStatus)).data.map(({ customerId }) => customerId)

async function deliver(customer: string, status: string, sequence: number, endpoint = 'first') {
  const event = `${customer}-${sequence}-${endpoint}`
  await sql`
    WITH hidden AS (INSERT INTO secrets (kind, label, vault_id, key_version, wrapped_key, sealed) VALUES ('x', 'x', 1, 1, '', '') RETURNING id),
    hook AS (
      INSERT INTO webhooks (project_id, url, secret_ref, secret_hint, access_key_ref, access_key_hint)
      SELECT ${shop.projectId}, ${`https://${event}.example`}, id, '', id, '' FROM hidden RETURNING id
    )
    INSERT INTO deliveries (webhook_id, project_id, event_id, event_type, sequence, reference_id, body, status)
    SELECT id, ${shop.projectId}, ${event}, 'payment.filled', ${sequence}, ${refs[customer]}, '{}', ${status}
    FROM hook`.execute(app.ctx.db)
}

describe('payments that need a person', () => {
  it('are those with money on hold, beside other states', async () => {
    expect(await found('ON_HOLD')).toEqual([])
    const { ref, to } = await cashier.newPayment({ customer: 'held' })
    refs.held = ref
    await eth.mine([
      { to, assetId: ASSET.USDC_ON_ETH, units: dollars(100), tx: 'held', quarantineReason: 'NODE_DISAGREEMENT' },
    ])
    for (let block = 0; block < 3; block += 1) await eth.mine()
    expect(await found('On hold')).toEqual(['held'])
    expect(await found('PARTIALLY_FILLED', 'ON_HOLD')).toEqual(['held', 'short'])
    expect(await search(['ON_HOLD'])).toMatchObject({ totalCount: 1, totalIsEstimate: false })
    expect((await search(['ON_HOLD'], market.p)).data).toEqual([])
  })

  it('are those that are paid and whose newest event was not delivered', async () => {
    await deliver('paid', 'failed', 5)
    expect(await found('WEBHOOK_FAILED')).toEqual(['paid'])
    expect(await found('WEBHOOK_FAILED', 'ON_HOLD', 'OPEN')).toEqual(['held', 'open', 'paid'])
    // Only the newest event must be delivered.
    await deliver('paid', 'received', 6)
    expect(await found('WEBHOOK_FAILED')).toEqual([])
  })

  it('are found by those who see every project, and not by another project', async () => {
    await deliver('paid', 'failed', 7)
    await deliver('paid', 'failed', 7, 'second')
    for (const p of [shop.p, 'all']) {
      expect(await search(['WEBHOOK_FAILED'], p)).toMatchObject({ totalCount: 1, data: [{ customerId: 'paid' }] })
      const inNeed = await search(['NEEDS_ATTENTION'], p)
      expect(inNeed.data.map(({ customerId }) => customerId)).toEqual(['held', 'short', 'paid'])
      expect(inNeed.totalCount).toBe(3)
    }
    for (const reason of ['WEBHOOK_FAILED', 'NEEDS_ATTENTION'])
      expect((await search([reason], market.p)).data).toEqual([])
  })

  it('are divided by issue, as the dashboard counts them', async () => {
    expect(await found('SHORT_NEEDS_ATTENTION')).toEqual(['short'])
    expect(await found('Over needs attention')).toEqual([])
    expect(await found('LATE_NEEDS_ATTENTION')).toEqual([])
  })

  it('are counted up to the limit, each once for any number of failed endpoints', async () => {
    const { ref, to } = await cashier.newPayment({ amount: '50', customer: 'paid too' })
    refs['paid too'] = ref
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(50), tx: 'paid too' }])
    for (let block = 0; block < 3; block += 1) await eth.mine()
    for (const endpoint of ['a', 'b', 'c', 'd']) {
      for (const customer of ['paid', 'paid too']) await deliver(customer, 'failed', 9, endpoint)
    }
    const search = await openSearch(app.ctx, readFilter({ paymentStatus: ['NEEDS_ATTENTION'] }, 'every'))
    const atLeast = async (most: number) => (await countFound(app.ctx, search, most - 1)).isEstimate
    expect([await atLeast(1), await atLeast(2), await atLeast(3), await atLeast(4), await atLeast(5)]).toEqual([
      ...[true, true, true, true, false],
    ])
    expect(await countFound(app.ctx, search)).toEqual({ count: 4, isEstimate: false })
  })

  it('do not include payments that wait for money, for any state of their deliveries', async () => {
    await deliver('open', 'failed', 5)
    expect(await found('WEBHOOK_FAILED')).toEqual(['paid too', 'paid'])
  })
})
