import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop } from '../../../testing/shop.ts'
import { recordStatements } from '../../../testing/database/record-statements.ts'
import { compact } from '../rollups/service.ts'
import { distinctPayers, distinctRequesters } from './distinct-customers.ts'

const DAY = 86_400_000
const statements = recordStatements()
/** A week around the payments, from midnight to midnight of Kolkata. */
const WEEK = { from: new Date('2026-04-02T18:30:00Z'), until: new Date('2026-04-09T18:30:00Z') }

let app: TestApp
let projectId: number
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-04-06T09:30:00.000Z') })
  const shop = await openShop(app, await app.signUp())
  projectId = shop.projectId
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  await sql`UPDATE projects SET payment_policy = '{"openPaymentsPerCustomer": "many"}'`.execute(app.ctx.db)
  for (const customer of ['ann', 'bob', 'ann']) await paid(customer)
  cashier.pass(DAY)
})
afterAll(() => app.stop())

const ctx = () => asSystem(app.ctx)

async function paid(customer: string): Promise<void> {
  const { to } = await cashier.newPayment({ customer })
  await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
  await eth.mineAll([[], []])
}

/** How many paid and asked to pay in the week, and how often all deposits or payments of it were read for that. */
async function counted(): Promise<{ payers: number; requesters: number; reads: number }> {
  statements.take()
  const [payers = 0] = await distinctPayers(ctx(), [projectId], [WEEK])
  const requesters = await distinctRequesters(ctx(), [projectId], WEEK)
  const reads = statements.take().filter((text) => text.includes('DISTINCT') && !text.includes('later')).length
  return { payers, requesters, reads }
}

describe('analytics: distinct customers of a span', () => {
  it('are counted once while nothing changes before today, compacted or not', async () => {
    expect(await counted()).toEqual({ payers: 2, requesters: 2, reads: 2 })
    expect(await counted()).toEqual({ payers: 2, requesters: 2, reads: 0 })
    await compact(ctx())
    expect(await counted()).toEqual({ payers: 2, requesters: 2, reads: 0 })
  })

  it('gain those who come today for the first time in the span', async () => {
    await paid('ann')
    await paid('eve')
    await cashier.newPayment({ customer: 'asks only' })
    expect(await counted()).toEqual({ payers: 3, requesters: 4, reads: 0 })
  })

  it('are counted again when money of a day before moves to another customer', async () => {
    await sql`
      UPDATE deposits SET customer_id = (SELECT id FROM customers WHERE customer_id = 'asks only')
      WHERE id = (SELECT min(id) FROM deposits)`.execute(app.ctx.db)
    expect(await counted()).toMatchObject({ payers: 4, reads: 1 })
    await eth.reorg(eth.height() - 20)
    expect(await counted()).toMatchObject({ payers: 0 })
  })
})
