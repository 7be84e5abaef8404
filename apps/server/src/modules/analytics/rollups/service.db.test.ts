import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop } from '../../../testing/shop.ts'
import { backfill, compact, countedPercent, findDifferences, sumBuckets } from './service.ts'

const START = new Date('2026-04-06T09:30:00.000Z')
const EVER = [{ from: new Date('2026-01-01T00:00:00Z'), until: new Date('2027-01-01T00:00:00Z') }]

let app: TestApp
let projectId: number
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START })
  const shop = await openShop(app, await app.signUp())
  projectId = shop.projectId
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  for (let payer = 0; payer < 5; payer += 1) {
    const { to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(60) }])
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(40) }])
    cashier.pass(10 * 60_000)
  }
  await eth.mineAll([[], []])
})
afterAll(() => app.stop())

const ctx = () => asSystem(app.ctx)
const total = async () => (await sumBuckets(ctx(), 'paid', [projectId], EVER)).map(({ usd, count }) => [usd, count])
const waiting = async () => {
  const { rows } = await sql<{ waiting: bigint }>`SELECT count(*) AS waiting FROM rollup_changes`.execute(app.ctx.db)
  return Number(rows[0]?.waiting)
}

describe('analytics: what a deposit counts for', () => {
  it('loses no part of a micro-dollar that the payment has', async () => {
    const { ref, to } = await cashier.newPayment({ currency: 'ETH' })
    // $33.333333333333333 at $3,000: rounded by themselves, the three would be a micro-dollar short.
    const transfer = { to, assetId: ASSET.ETH, units: 11_111_111_111_111_111n }
    await eth.mine([transfer])
    await eth.mine([transfer, transfer])
    await eth.mineAll([[], []])
    const { rows } = await sql<{ usd: string; filled_usd: string }>`
      SELECT string_agg(deposit.counted_usd::text, ' ' ORDER BY deposit.id) AS usd, payment.filled_usd
      FROM deposits AS deposit JOIN payments AS payment ON payment.id = deposit.payment_id
      WHERE payment.reference_id = ${ref} GROUP BY payment.id`.execute(app.ctx.db)
    expect(rows).toEqual([{ usd: '33.333333 33.333334 33.333333', filled_usd: '100' }])
    await eth.reorg(eth.height() - 4)
    expect(await findDifferences(ctx())).toEqual([])
  })
})

describe('analytics.compact', () => {
  it('changes no figure, whether none, one or several processes compact', async () => {
    const before = await total()
    expect(before).toEqual([[500_000_000n, 10]])
    expect(await waiting()).toBeGreaterThan(5)
    await Promise.all([compact(ctx()), compact(ctx()), compact(ctx())])
    expect([await total(), await waiting()]).toEqual([before, 0])
    expect(await findDifferences(ctx())).toEqual([])
  })

  it('loses nothing when its process dies in between', async () => {
    await sql`UPDATE deposits SET counted_usd = counted_usd WHERE project_id = ${projectId}`.execute(app.ctx.db)
    expect(await waiting()).toBe(0)
    await sql`INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
      VALUES ('paid', ${projectId}, 1970000, 7, 0, 0, 0)`.execute(app.ctx.db)
    const dying = inTransaction(ctx(), async (tx) => {
      await compact(tx)
      throw new Error('killed')
    })
    await expect(dying).rejects.toThrow('killed')
    expect(await waiting()).toBe(1)
    await compact(ctx())
    expect(await findDifferences(ctx())).toEqual([])
  })
})

describe('analytics.backfill', () => {
  it('counts a past once, however often it is interrupted, while money goes on', async () => {
    // As the migration leaves an install that had payments.
    await sql`UPDATE deposits SET counted_usd = NULL`.execute(app.ctx.db)
    await sql`UPDATE customers SET first_payment_at = NULL`.execute(app.ctx.db)
    await sql`DELETE FROM rollup_changes WHERE kind = 'requester'`.execute(app.ctx.db)
    await sql`DELETE FROM rollups WHERE kind = 'requester'`.execute(app.ctx.db)
    await sql`UPDATE rollup_backfill SET last_deposit_id = (SELECT max(id) FROM deposits),
      last_customer_id = (SELECT max(id) FROM customers)`.execute(app.ctx.db)
    expect(await total()).toEqual([])
    expect(await countedPercent(ctx())).toBe(0)
    const killed = inTransaction(ctx(), async (tx) => {
      await backfill(tx)
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    expect(await countedPercent(ctx())).toBe(0)
    await Promise.all([backfill(ctx()), backfill(ctx())])
    await backfill(ctx())
    expect(await countedPercent(ctx())).toBeNull()
    expect(await total()).toEqual([[500_000_000n, 10]])
    expect(await findDifferences(ctx())).toEqual([])
  })
})

describe('a reorganisation of 64 blocks', () => {
  it('takes what lay in them off every figure, and only that', async () => {
    const base = eth.height()
    const { to } = await cashier.newPayment()
    const share = [{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(50) }]
    await eth.mineAll([share, ...Array.from({ length: 60 }, () => []), share, [], []])
    expect(await total()).toEqual([[600_000_000n, 12]])
    await eth.reorg(base)
    expect(await total()).toEqual([[500_000_000n, 10]])
    expect(await findDifferences(ctx())).toEqual([])
  })
})
