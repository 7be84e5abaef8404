import { sql } from 'kysely'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { TestApp } from '../../testing/app.ts'
import { openSweepShop, type OpenSweepShop, type SweepShop } from '../../testing/money-out/sweeps.ts'

let opened: OpenSweepShop
let app: TestApp
let shop: SweepShop

beforeAll(async () => {
  opened = await openSweepShop()
  ;({ app, shop } = opened)
}, 120_000)
afterAll(() => opened.stop())

describe('sweeps on a local chain', () => {
  it('moves what three payers sent to the cold address, exactly, and leaves the books as the chain is', async () => {
    await shop.paid(400_000_000n, 400_000_001n, 400_000_002n)
    const { body: planned } = await shop.plan()
    expect(planned.batches).toMatchObject([
      { addressCount: 3, amount: '1200.000003', fundCollectorAddress: shop.collector },
    ])
    expect(planned.skipped).toEqual([])
    const started = await shop.start(planned.planID)
    expect(started.status).toBe(201)
    const id = started.body.sweeps[0]?.id ?? 0
    expect(started.body.sweeps).toMatchObject([{ status: 'planned', trigger: 'manual', sentBy: 'hot-wallet' }])
    await shop.run()
    const body = await shop.read(id)
    expect(body).toMatchObject({
      status: 'completed',
      sweptAmount: '1200.000003',
      sweptCount: 3,
      failedCount: 0,
      networkFeeCurrency: 'ETH',
    })
    expect(await shop.usdcOf(shop.collector)).toBe(1_200_000_003n)
    expect(Number(body.networkFee)).toBeGreaterThan(0)
    expect(body.journal.map(({ posting }) => posting)).toContain('sweep.settle')
    expect(await shop.broken()).toEqual([])
  })

  it('moves native coins as well, and again from the same addresses', async () => {
    const payee = await shop.payee()
    for (const units of [parseEther('0.3'), parseEther('0.2')]) {
      const before = await shop.etherOf(shop.collector)
      await shop.pay(payee, units, 'ETH')
      await shop.settle()
      await shop.begin('ETH')
      await shop.run()
      expect((await shop.etherOf(shop.collector)) - before).toBe(units)
    }
    expect(await shop.unsound()).toEqual([])
  })

  it('tells its projects and open pages, and counts the fee as the install’s', async () => {
    const { rows } = await sql<{ type: string; project_id: number }>`
      SELECT type, project_id FROM events WHERE type LIKE 'sweep.%' ORDER BY id LIMIT 3`.execute(app.ctx.db)
    expect(rows.map(({ type }) => type)).toEqual(['sweep.initiated', 'sweep.broadcast', 'sweep.completed'])
    expect(new Set(rows.map(({ project_id }) => project_id))).toEqual(new Set([shop.projectId]))
    expect(await shop.account('fees:network', 'install:0', shop.assets.ETH)).toBeGreaterThan(0n)
  })
})
