import { attentionRoutes } from '@kassa/contract/attention/routes.ts'
import type { Attention } from '@kassa/contract/attention/schemas.ts'
import type { Permission } from '@kassa/contract/permissions.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { addSession } from '../../testing/accounts/credentials.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { ASSET, dollars, openCashier } from '../../testing/cashier.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { payoutShop } from '../../testing/money-out/payouts.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { raiseAlarm } from '../alarms/service.ts'

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>
let market: Shop

/** A payment that is short, one that is overpaid, a deposit in another coin, a payout that waits, and an alarm. */
beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  root = await app.signUp()
  shop = await payoutShop(app, root)
  market = await openShop(app, root, 'Market')
  const eth = await fakeChain(app.ctx, 1)
  const cashier = openCashier(app, shop)
  const [short, over] = [await cashier.newPayment({ amount: '80' }), await cashier.newPayment({ amount: '20' })]
  await eth.mine([
    { to: short.to, assetId: ASSET.USDC_ON_ETH, units: dollars(30) },
    { to: over.to, assetId: ASSET.USDC_ON_ETH, units: dollars(50) },
    { to: over.to, assetId: ASSET.USDT_ON_ETH, units: dollars(5) },
  ])
  for (let block = 0; block < 3; block += 1) await eth.mine()
  await shop.setPolicy({ quorum: 1, fourEyes: 'off' })
  await shop.ask()
  const params = { currencyCode: 'BTC', sources: [] }
  await raiseAlarm(asSystem(app.ctx), { kind: 'price_missing', subject: 'BTC', params })
})
afterAll(() => app.stop())

const read = async ({ p = shop.p, key = root } = {}): Promise<Attention> =>
  (await app.call(attentionRoutes.getAttention, { params: { p } }, { key })).body

/** How many rows a list of the wire says that it has. */
async function totalOf(list: string): Promise<number> {
  const { headers, payload } = await app.http.inject({
    url: `/api/v1${list}`,
    headers: { host: 'localhost:8080', 'api-key': root },
  })
  const body = JSON.parse(payload) as { totalCount?: number; total?: number; length?: number; isDue?: boolean }
  if (body.isDue !== undefined) return body.isDue ? 1 : 0
  return body.totalCount ?? body.total ?? Number(headers['x-total-count'] ?? body.length)
}

describe('attention (F2)', () => {
  it('counts each kind as the list that it names does', async () => {
    const found = await read()
    expect(found).toMatchObject({
      payments: { isRead: true, count: 2, short: 1, over: 1, late: 0 },
      deposits: { isRead: true, count: 1 },
      payouts: { isRead: true, count: 1 },
      sweeps: { isRead: true, count: 0 },
      alarms: { isRead: true, data: [expect.objectContaining({ kind: 'price_missing' })] },
      backups: { isRead: true, count: 0, lastTakenAt: null },
    })
    for (const kind of Object.values(found))
      expect([kind?.list, await totalOf(kind?.list ?? '')]).toEqual([kind?.list, kind?.count])
  })

  it('keeps projects apart, and sums them up for all', async () => {
    expect(await read({ p: market.p })).toMatchObject({
      payments: { count: 0, short: 0, over: 0, late: 0 },
      deposits: { count: 0 },
      payouts: { count: 0 },
    })
    const all = await read({ p: 'all' })
    expect(all).toMatchObject({ payments: { count: 2 }, deposits: { count: 1 }, payouts: { count: 1 } })
    for (const kind of Object.values(all))
      expect([kind?.list, await totalOf(kind?.list ?? '')]).toEqual([kind?.list, kind?.count])
  })

  const KINDS: readonly (readonly [keyof Attention, Permission])[] = [
    ['payments', 'payment:read'],
    ['deposits', 'deposit:read'],
    ['payouts', 'payout:read'],
  ]
  it.each(KINDS)('counts %s for who holds %s there, and nothing else', async (kind, permission) => {
    const { key } = await addSession(app, { projectId: shop.projectId, permissions: [permission] })
    for (const p of [shop.p, 'all']) {
      const found = await read({ p, key })
      expect(Object.entries(found).flatMap(([name, value]) => (value === null ? [] : [name]))).toEqual([kind])
    }
    const call = await app.call(attentionRoutes.getAttention, { params: { p: market.p } }, { key })
    expect(call.refusal?.code).toBe('PROJECT_NOT_FOUND')
  })

  it('refuses who may read none of it', async () => {
    const { key } = await addSession(app, { projectId: shop.projectId, permissions: ['customer:read'] })
    const call = await app.call(attentionRoutes.getAttention, { params: { p: shop.p } }, { key })
    expect(call.refusal?.code).toBe('FORBIDDEN')
  })

  it('says of what could not be counted that it is not known, and counts the rest', async () => {
    await sql`ALTER TABLE sweep_items RENAME TO sweep_items_away`.execute(app.ctx.db)
    const found = await read()
    await sql`ALTER TABLE sweep_items_away RENAME TO sweep_items`.execute(app.ctx.db)
    expect(found.sweeps).toMatchObject({ isRead: false, count: 0 })
    expect(found).toMatchObject({ payments: { isRead: true, count: 2 }, alarms: { isRead: true } })
    expect(app.logLines.join('\n')).toContain('What needs attention could not be counted')
  })
})
