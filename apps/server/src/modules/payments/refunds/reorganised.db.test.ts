import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { INVARIANTS } from '../../../app.ts'
import { asSystem } from '../../../context.ts'
import type { TestApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars } from '../../../testing/cashier.ts'
import type { FakeChain } from '../../../testing/fake-chain.ts'
import { claimOf } from '../../../testing/money-out/payouts.ts'
import { openRefundShop, type RefundShop } from '../../../testing/money-out/refunds.ts'
import { openAlarms } from '../../alarms/service.ts'
import { verify } from '../../ledger/service.ts'

/** `KASSA_REORG_DEPTHS=64` plays every depth from 1 on. */
const EVERY = Number(process.env['KASSA_REORG_DEPTHS'] ?? 0)
const DEPTHS = EVERY > 0 ? Array.from({ length: EVERY }, (_, at) => at + 1) : [1, 2, 64]

let app: TestApp
let root: string
let shop: RefundShop['shop']
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  ;({ app, root, shop, cashier, eth } = await openRefundShop())
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
  const surplus = { to, assetId: USDC, units: dollars(25), tx: `surplus of ${ref}` }
  await eth.mine([surplus])
  for (let n = 0; n < Math.max(2, depth) - 1; n += 1) await eth.mine()
  const { body } = await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: root })
  const refundDepositID = body.unmatchedDeposits[0]?.id ?? 0
  const input = { amount: '10', refundOfReferenceID: ref, refundKind: 'unapplied' as const, refundDepositID }
  return { id: (await shop.ask(input)).body.id, base, surplus }
}

describe.each(DEPTHS)('refunds of unmatched money, %i blocks left', (depth) => {
  it('are a loss with an alarm once their deposit is reverted, and none once they are cancelled', async () => {
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

  it('are no loss any more once their deposit is final again in its block', async () => {
    const { id, base, surplus } = await refundedSurplus(depth)
    await shop.approve(id)
    await eth.reorg(base, 'same')
    expect([await losses(), await unfunded()]).toEqual([-dollars(10), 1])
    await eth.mine([surplus])
    for (let n = 0; n < Math.max(2, depth); n += 1) await eth.mine()
    expect([await losses(), await unfunded()]).toEqual([0n, 0])
    expect(await broken()).toEqual([])
    await shop.cancel(id)
    expect(await broken()).toEqual([])
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
