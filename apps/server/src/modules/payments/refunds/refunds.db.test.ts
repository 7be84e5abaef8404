import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import type { TestApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars } from '../../../testing/cashier.ts'
import type { FakeChain } from '../../../testing/fake-chain.ts'
import { claimOf, PAYEE, payoutShop } from '../../../testing/money-out/payouts.ts'
import { openRefundShop, type RefundShop } from '../../../testing/money-out/refunds.ts'
import { findDifferences } from '../../analytics/rollups/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { depositsOfPayment } from '../../deposits/service.ts'
import { saveSetting } from '../../settings/service.ts'
import { getByReference } from '../payment/service.ts'
import { resolvePayment } from '../resolution/resolve-payment.ts'

const USDC = ASSET.USDC_ON_ETH

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

/** A payment of 100 dollars whose money is final. */
async function paid(...amounts: number[]) {
  const payment = await cashier.newPayment()
  for (const amount of amounts) await eth.mine([{ to: payment.to, assetId: USDC, units: dollars(amount) }])
  await eth.mine()
  return payment
}
const detail = async (ref: string) =>
  (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: root })).body
const refund = (ref: string, amount: string, more: Parameters<typeof shop.ask>[0] = {}) =>
  shop.ask({ amount, refundOfReferenceID: ref, ...more })
const balance = () => claimOf(app, 'project:balance', `project:${shop.projectId}`)

describe('refunds', () => {
  it('take the newest money first, show on the payment, and give back what did not leave', async () => {
    const { ref } = await paid(60, 40)
    expect((await detail(ref)).refundable).toEqual([
      { currencyCode: 'USDC', blockchainCode: 'ETH', amount: '100', overpaid: '0' },
    ])
    const { body } = await refund(ref, '50')
    expect(body).toMatchObject({ status: 'pending-approval', refundOfReferenceID: ref, refundKind: 'custom' })
    const { rows } = await sql<{ units: string }>`
      SELECT units::text AS units FROM refund_parts WHERE withdrawal_id = ${body.id} ORDER BY deposit_id DESC`.execute(
      app.ctx.db,
    )
    expect(rows.map(({ units }) => BigInt(units))).toEqual([dollars(40), dollars(10)])
    expect(await detail(ref)).toMatchObject({ refunds: [{ id: body.id }], refundable: [{ amount: '50' }] })
    await shop.reject(body.id)
    expect((await detail(ref)).refundable).toMatchObject([{ amount: '100' }])
  })

  it('are never more than came in: REFUND_TOO_LARGE', async () => {
    const { ref } = await paid(100)
    const refused = await refund(ref, '100.01')
    expect(refused.refusal).toMatchObject({ code: 'REFUND_TOO_LARGE', data: { amount: '100' } })
    expect((await refund(ref, '70')).status).toBe(201)
    expect((await refund(ref, '30.000001')).refusal?.code).toBe('REFUND_TOO_LARGE')
    expect((await refund(ref, '1', { currencyCode: 'USDT' })).refusal?.code).toBe('REFUND_TOO_LARGE')
  })

  it('of ten at once return no deposit twice', async () => {
    const { ref } = await paid(100)
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(ref, '40')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect((await detail(ref)).refundable).toMatchObject([{ amount: '20' }])
  })

  it('take from the balance of the project, and not from what its figures say that deposits brought', async () => {
    const { ref } = await paid(100)
    const before = await balance()
    const { body } = await refund(ref, '30')
    expect((await shop.approve(body.id)).body.status).toBe('pending')
    expect(await balance()).toBe(before - dollars(30))
    expect(await findDifferences(asSystem(app.ctx))).toEqual([])
    await shop.cancel(body.id)
  })

  it('of the surplus take the surplus and no more', async () => {
    const { ref } = await paid(130)
    expect((await detail(ref)).refundable).toMatchObject([{ amount: '130', overpaid: '30' }])
    expect((await refund(ref, '31', { refundKind: 'overpaid' })).refusal?.code).toBe('REFUND_TOO_LARGE')
    expect((await refund(ref, '30', { refundKind: 'overpaid' })).status).toBe(201)
    expect((await refund(ref, '1', { refundKind: 'overpaid' })).refusal?.code).toBe('REFUND_TOO_LARGE')
  })

  it('of the surplus take none that an operator unassigns meanwhile', async () => {
    const { ref } = await paid(70, 60)
    const ctx = asSystem(app.ctx)
    const payment = await getByReference(ctx, ref)
    expect((await detail(ref)).refundable).toMatchObject([{ amount: '130', overpaid: '30' }])
    const depositID = Number((await depositsOfPayment(ctx, payment.id)).at(-1)?.id)
    const asked = await inTransaction(ctx, async (tx) => {
      await lockCustomers(tx, [payment.customer.id])
      const answer = refund(ref, '30', { refundKind: 'overpaid' })
      await vi.waitFor(async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx.db)
        expect(rows).toHaveLength(1)
      }, 10_000)
      await resolvePayment(tx, payment, { action: 'unassign', depositID, note: 'Of another order' })
      return { answer }
    })
    expect((await asked.answer).refusal).toMatchObject({ code: 'REFUND_TOO_LARGE', data: { amount: '0' } })
    expect((await detail(ref)).refundable).toMatchObject([{ amount: '70', overpaid: '0' }])
  })

  it('of unmatched money take the customer’s deposits, which cannot be assigned meanwhile', async () => {
    const { ref, to, customerID } = await paid(100)
    await eth.mine([{ to, assetId: USDC, units: dollars(25) }])
    await eth.mine()
    const unmatched = (await detail(ref)).unmatchedDeposits[0]
    const id = unmatched?.id ?? 0
    expect(unmatched?.status).toBe('unapplied')
    const other = await cashier.newPayment({ customer: customerID })
    const before = await balance()
    const asked = await refund(ref, '25', { refundKind: 'unapplied', refundDepositID: id })
    expect((await shop.approve(asked.body.id)).body.status).toBe('pending')
    expect(await balance()).toBe(before)
    const assigned = await app.call(
      paymentRepairRoutes.assignDeposit,
      { params: { id }, body: { referenceID: other.ref } },
      { key: root },
    )
    expect(assigned.refusal?.code).toBe('DEPOSIT_NOT_UNAPPLIED')
    await shop.cancel(asked.body.id)
  })

  it('of unmatched money are not counted for the next request, which can still be paid', async () => {
    const policy = (applyUnappliedToNext: boolean) =>
      app.call(
        projectsRoutes.changePaymentPolicy,
        { params: { p: shop.p }, body: { applyUnappliedToNext } },
        { key: root },
      )
    const { ref, to, customerID } = await paid(100)
    await eth.mine([20, 30].map((amount) => ({ to, assetId: USDC, units: dollars(amount) })))
    await eth.mine()
    const { id = 0 } = (await detail(ref)).unmatchedDeposits.find(({ amount }) => amount === '20') ?? {}
    const asked = await refund(ref, '20', { refundKind: 'unapplied', refundDepositID: id })
    expect(asked.status).toBe(201)
    expect((await policy(true)).status).toBe(200)
    const next = await cashier.newPayment({ customer: customerID })
    expect(await cashier.show(next.ref)).toMatchObject({
      paymentState: 'PARTIALLY_FILLED',
      filledAmount: '30',
      amountDue: '70',
    })
    await policy(false)
    await shop.reject(asked.body.id)
  })

  it('of unmatched money do not ask what the project has earned', async () => {
    const { ref, to } = await paid(100)
    await eth.mine([{ to, assetId: USDC, units: dollars(25) }])
    await eth.mine()
    const all = await shop.ask({ amount: String((await balance()) / dollars(1) + 5n) })
    expect((await shop.approve(all.body.id)).body.status).toBe('pending')
    expect(await balance()).toBeLessThan(0n)
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'earned' })
    const id = (await detail(ref)).unmatchedDeposits[0]?.id ?? 0
    const asked = await refund(ref, '25', { refundKind: 'unapplied', refundDepositID: id })
    expect((await shop.approve(asked.body.id)).body.status).toBe('pending')
    const matched = await refund(ref, '10')
    expect((await shop.approve(matched.body.id)).refusal?.code).toBe('INSUFFICIENT_FUNDS')
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'float' })
    for (const { body } of [all, asked, matched]) await shop.cancel(body.id)
  })
})

describe('projects.archiveProject', () => {
  it('refuses a project with payouts that have not ended: PROJECT_HAS_OPEN_MONEY', async () => {
    const other = await payoutShop(app, root, 'Archive')
    const { id } = (await other.ask({ toAddress: PAYEE })).body
    const archive = () => app.call(projectsRoutes.archiveProject, { params: { p: other.p } }, { key: root })
    expect((await archive()).refusal?.code).toBe('PROJECT_HAS_OPEN_MONEY')
    await other.cancel(id)
    expect((await archive()).status).toBe(200)
    expect((await other.ask()).refusal?.code).toBe('PROJECT_ARCHIVED')
  })
})
