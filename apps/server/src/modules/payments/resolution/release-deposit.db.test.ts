import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, balanceOf, depositsTo, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'

const USDC = ASSET.USDC_ON_ETH

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
beforeEach(() => cashier.pass(1_000))
afterAll(() => app.stop())

const release = (id: number, { note = 'seen in an explorer', key = operator } = {}) =>
  app.call(paymentRepairRoutes.releaseDeposit, { params: { id }, body: { note } }, { key })

/** A final deposit that is quarantined because two nodes disagree; returns its id. */
async function held(to: string, amount: number): Promise<number> {
  await eth.mine([{ to, assetId: USDC, units: dollars(amount) }])
  const { rows } = await sql<{ id: bigint }>`
    UPDATE deposits SET quarantine_reason = 'NODE_DISAGREEMENT' WHERE to_address = ${to} AND status = 'seen' RETURNING id`.execute(
    app.ctx.db,
  )
  await eth.mine()
  return Number(rows[0]?.id)
}

describe('payments.releaseDeposit (Y27)', () => {
  it('releases a quarantined deposit without a payment as unapplied', async () => {
    const { ref, to, customerID } = await cashier.newPayment()
    await eth.mine([{ to, assetId: USDC, units: dollars(100) }])
    await eth.mine()
    const id = await held(to, 7)
    const { status, body } = await release(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'unapplied', reason: 'released', referenceID: null, amount: '7' })
    expect(await balanceOf(app, 'project:quarantine', USDC)).toBe(0n)
    expect(await balanceOf(app, 'customer:unapplied', USDC)).toBe(dollars(7))
    const { rows } = await sql<{ actor: string; payload: unknown }>`
      SELECT actor, payload FROM events WHERE type = 'payment.resolved' AND project_id = ${shop.projectId}`.execute(
      app.ctx.db,
    )
    expect(rows).toMatchObject([
      { actor: 'operator:1', payload: { action: 'release_to_customer', note: 'seen in an explorer', deposit_id: id } },
    ])
    const next = await cashier.newPayment({ customer: customerID, amount: '7' })
    const params = { id }
    const applied = await app.call(
      paymentRepairRoutes.assignDeposit,
      { params, body: { referenceID: next.ref } },
      { key: operator },
    )
    expect(applied.body.payment.paymentState).toBe('FILLED')
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
  })

  it('lets the payment that waited for it continue without it', async () => {
    const { ref, to } = await cashier.newPayment()
    const id = await held(to, 100)
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', deposits: [{ state: 'on_hold' }] })
    await release(id)
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'none',
      deposits: [],
      repair: null,
    })
    expect((await cashier.emitted(ref)).at(-1)).toBe('payment.resolved')
    cashier.pass(2 * 3_600_000)
    await cashier.expire()
    expect((await cashier.show(ref)).paymentState).toBe('CANCELLED')
  })

  it('refuses a deposit that is not quarantined, and one of another project', async () => {
    const { to } = await cashier.newPayment()
    operator = (await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })).key
    const id = await held(to, 3)
    await release(id)
    expect((await release(id)).refusal).toMatchObject({
      code: 'DEPOSIT_NOT_HELD',
      details: 'This money is unmatched. Apply it to a payment.',
    })
    expect((await release(999_999)).refusal?.code).toBe('DEPOSIT_NOT_FOUND')
    expect((await release(id, { note: ' ' })).refusal?.fields).toEqual({ note: 'Note is required' })
    const { key } = await addOperator(app, { projectId: shop.projectId, role: 'project_manager' })
    expect((await release(id, { key })).refusal?.code).toBe('FORBIDDEN')
    expect((await depositsTo(app, to)).map(({ status }) => status)).toEqual(['unapplied'])
  })
})

describe('payments.assignDeposit (Y26)', () => {
  const detail = async (ref: string) =>
    (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: operator })).body
  const assigned = async (id: number, customer: string) => {
    const body = { referenceID: (await cashier.newPayment({ customer })).ref }
    return app.call(paymentRepairRoutes.assignDeposit, { params: { id }, body }, { key: operator })
  }

  it('leaves the payment that the deposit came too late for as if it had never come', async () => {
    const { ref, to, customerID } = await cashier.newPayment()
    cashier.pass(25 * 3_600_000)
    await cashier.expire()
    await eth.mine([{ to, assetId: USDC, units: dollars(70) }])
    await eth.mine()
    // The session has ended meanwhile.
    const again = { body: { email: TEST_EMAIL, password: TEST_PASSWORD } }
    operator = (await app.call(authRoutes.signIn, again)).body.key
    expect(await detail(ref)).toMatchObject({ late: true, needsAttention: true })
    const { id = 0 } = (await detail(ref)).unmatchedDeposits[0] ?? {}
    expect((await assigned(id, customerID)).status).toBe(200)
    expect(await detail(ref)).toMatchObject({ paymentState: 'CANCELLED', late: false, needsAttention: false })
  })
})
