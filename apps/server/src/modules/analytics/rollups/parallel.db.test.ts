import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier, type Pinned } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { backfill, compact, countedPercent, findDifferences } from './service.ts'

const CUSTOMERS = 12
const ROUNDS = 2

let app: TestApp
let key: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let base: FakeChain

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-04-06T09:30:00.000Z') })
  key = await app.signUp()
  shop = await openShop(app, key)
  await sql`UPDATE projects SET payment_policy = '{"openPaymentsPerCustomer": "many"}'`.execute(app.ctx.db)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  base = await fakeChain(app.ctx, 4)
})
afterAll(() => app.stop())

const ctx = () => asSystem(app.ctx)
const customers = Array.from({ length: CUSTOMERS }, (_, at) => `payer-${at}`)

function newPayments(chain: string): Promise<Pinned[]> {
  return Promise.all(customers.map((customer) => cashier.newPayment({ customer, chain })))
}

/** As the migration leaves an install that had payments. */
async function forgetFigures(): Promise<void> {
  await sql`UPDATE deposits SET counted_usd = NULL`.execute(app.ctx.db)
  await sql`UPDATE customers SET first_payment_at = NULL, first_final_at = NULL`.execute(app.ctx.db)
  await sql`TRUNCATE rollups, rollup_changes, finality_times, finality_time_changes`.execute(app.ctx.db)
  await sql`UPDATE rollup_backfill SET deposit_id = 0, customer_id = 0,
    last_deposit_id = (SELECT max(id) FROM deposits), last_customer_id = (SELECT max(id) FROM customers)`.execute(
    app.ctx.db,
  )
}

const moves = async (payments: readonly Pinned[], action: 'unassign' | 'apply_unapplied') => {
  for (const { ref } of payments) {
    const input = { params: { p: shop.p, ref }, body: { action, note: 'as decided' } } as const
    expect((await app.call(paymentRepairRoutes.resolvePayment, input, { key })).status).not.toBe(500)
  }
}

describe('analytics: every writer of deposits at once', () => {
  it('waits for the others in one order and loses no first payment', async () => {
    const usdc = (assetId: number, backwards: boolean) => (links: readonly Pinned[]) =>
      (backwards ? links.toReversed() : links).map(({ to }) => ({ to, assetId, units: dollars(100) }))
    for (let round = 0; round < ROUNDS; round += 1) {
      const [onEth, onBase] = await Promise.all([newPayments('ETH'), newPayments('BASE')])
      const before = new Date(app.ctx.now().getTime() - round * 3_600_000)
      await eth.mineAll([usdc(ASSET.USDC_ON_ETH, false)(onEth), [], []], before)
      await base.mine(usdc(ASSET.USDC_ON_BASE, true)(onBase), new Date(before.getTime() - 60_000))
      await forgetFigures()
      await Promise.all([
        backfill(ctx()),
        eth.reorg(eth.height() - 3).then(() => eth.mineAll([usdc(ASSET.USDC_ON_ETH, true)(onEth), [], []])),
        base.mineAll([[], []]),
        moves(onEth, 'unassign').then(() => moves(onEth, 'apply_unapplied')),
        moves(onBase, 'unassign'),
        newPayments('ETH'),
        compact(ctx()),
      ])
      await backfill(ctx())
      expect(await countedPercent(ctx())).toBeNull()
      expect(await findDifferences(ctx())).toEqual([])
    }
  })
})
