import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { INVARIANTS } from '../../../app.ts'
import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { claimOf, payoutShop } from '../../../testing/payouts.ts'
import { openAlarms } from '../../alarms/service.ts'
import { verify } from '../../ledger/service.ts'

/** `KASSA_REORG_DEPTHS=64` plays every depth from 1 on. */
const EVERY = Number(process.env['KASSA_REORG_DEPTHS'] ?? 0)
const DEPTHS = EVERY > 0 ? Array.from({ length: EVERY }, (_, at) => at + 1) : [1, 2, 64]

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  root = await app.signUp()
  shop = await payoutShop(app, root)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
afterAll(() => app.stop())
beforeEach(() => sql`DELETE FROM rate_buckets`.execute(app.ctx.db))

const broken = () => verify(asSystem(app.ctx), INVARIANTS)
const losses = () => claimOf(app, 'losses:reorg', `project:${shop.projectId}`)
const unfunded = async () => (await openAlarms(app.ctx)).filter(({ kind }) => kind === 'refund_unfunded').length
const USDC = ASSET.USDC_ON_ETH

/** Money that belongs to no payment, `depth` blocks deep, and a refund of it that waits for a person. */
async function refundedSurplus(depth: number) {
  const { ref, to } = await cashier.newPayment()
  await eth.mine([{ to, assetId: USDC, units: dollars(100) }])
  await eth.mine()
  const base = eth.height()
  await eth.mine([{ to, assetId: USDC, units: dollars(25) }])
  for (let n = 0; n < Math.max(2, depth) - 1; n += 1) await eth.mine()
  const { body } = await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: root })
  const refundDepositID = body.unmatchedDeposits[0]?.id ?? 0
  const input = { amount: '10', refundOfReferenceID: ref, refundKind: 'unapplied' as const, refundDepositID }
  return { id: (await shop.ask(input)).body.id, base }
}

describe.each(DEPTHS)('refunds of unmatched money, %i blocks left', (depth) => {
  it('are a loss with an alarm once their deposit is gone, and none once they are cancelled', async () => {
    const { id, base } = await refundedSurplus(depth)
    expect((await shop.approve(id)).body.status).toBe('pending')
    await eth.reorg(base)
    expect(await broken()).toEqual([])
    expect([await losses(), await unfunded()]).toEqual([-dollars(10), 1])
    await shop.cancel(id)
    expect(await broken()).toEqual([])
    expect(await losses()).toBe(0n)
    await sql`UPDATE alarms SET cleared_at = now() WHERE kind = 'refund_unfunded'`.execute(app.ctx.db)
  })

  it('are not let go while their deposit is gone', async () => {
    const { id, base } = await refundedSurplus(depth)
    await eth.reorg(base)
    expect((await shop.approve(id)).refusal?.code).toBe('INSUFFICIENT_FUNDS')
    expect(await broken()).toEqual([])
    expect(await losses()).toBe(0n)
    await shop.reject(id)
  })
})
