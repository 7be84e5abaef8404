import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import type { ResolutionAction } from '@kassa/contract/payments/offers.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INVARIANTS } from '../../../app.ts'
import { asSystem } from '../../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, balanceOf, depositsTo, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'
import { checkLedger } from '../../reconciliation/service.ts'
import { setSandboxPrice } from '../../prices/service.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const USDC = ASSET.USDC_ON_ETH

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
beforeEach(() => cashier.pass(MINUTE))
afterAll(async () => {
  await app.stop()
})

/** Proof of presence runs out with the clock. */
const signIn = async () => {
  const answer = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
  operator = answer.body.key
}
const resolve = (
  ref: string,
  action: ResolutionAction,
  more: { depositID?: number; note?: string } = {},
  key = operator,
) =>
  app.call(
    paymentRepairRoutes.resolvePayment,
    { params: { p: shop.p, ref }, body: { action, note: 'asked by phone', ...more } },
    { key },
  )
const assign = (id: number, referenceID: string, key = operator) =>
  app.call(paymentRepairRoutes.assignDeposit, { params: { id }, body: { referenceID } }, { key })
const detail = async (ref: string) =>
  (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: operator })).body

const pay = (to: string, amount: number, more: { assetId?: number; tx?: string } = {}) =>
  eth.mine([{ to, assetId: USDC, units: dollars(amount), ...more }])
const finalize = () => eth.mine()
const depositId = async (to: string, at = 0): Promise<number> => {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM deposits WHERE to_address = ${to} ORDER BY id`.execute(app.ctx.db)
  return Number(rows[at]?.id ?? 0)
}
/** Quarantines a deposit that was final. */
const hold = (to: string) =>
  sql`UPDATE deposits SET quarantine_reason = 'NODE_DISAGREEMENT'
    WHERE to_address = ${to} AND status = 'seen'`.execute(app.ctx.db)

describe('payments.resolve: accept_underpaid (row 15 of money.md 3.5)', () => {
  it('row 15: makes a part count as paid, stores who and why, and notifies the shop', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 60)
    await finalize()
    const { body } = await resolve(ref, 'accept_underpaid', { note: 'regular customer' })
    expect(body).toMatchObject({
      paymentState: 'FILLED',
      filledAmount: '60',
      amountDue: '0',
      repair: null,
      acceptance: { at: app.clock.now, actor: 'operator:1', note: 'regular customer' },
    })
    expect(body.timeline.find(({ event }) => event === 'payment.resolved')).toMatchObject({
      actor: 'operator:1',
      data: { action: 'accept_underpaid', note: 'regular customer', deposit_id: null },
    })
    expect((await cashier.emitted(ref)).slice(-2)).toEqual(['payment.resolved', 'payment.filled'])
    expect((await cashier.events(ref)).at(-1)?.payload).toMatchObject({
      status: 'FILLED',
      previous_status: 'PARTIALLY_FILLED',
    })
  })

  it('row 16: a reorganisation reopens what was accepted; the same money fills it again', async () => {
    const { ref, to } = await cashier.newPayment()
    const below = eth.height()
    await pay(to, 60, { tx: `again ${ref}` })
    await finalize()
    await resolve(ref, 'accept_underpaid')
    await eth.reorg(below)
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'reverted' })
    expect((await cashier.emitted(ref)).at(-1)).toBe('payment.reopened')
    await pay(to, 60, { tx: `again ${ref}` })
    await finalize()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
  })

  it('is void once the payer picks another coin, whose units differ', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 60)
    await finalize()
    for (const action of ['accept_underpaid', 'unassign'] as const) await resolve(ref, action)
    await cashier.pick(ref, 'ETH', 'ETH')
    for (const transfers of [[{ to, assetId: ASSET.ETH, units: 10n ** 15n }], []]) await eth.mine(transfers)
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', filledAmount: '0.001' })
    expect((await detail(ref)).acceptance).toBeNull()
  })

  it('keeps what comes afterwards for the customer', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 60)
    await finalize()
    await resolve(ref, 'accept_underpaid')
    await pay(to, 40)
    await finalize()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', filledAmount: '60', overpaid: null })
    expect((await detail(ref)).unmatchedDeposits).toMatchObject([{ amount: '40', reason: 'no_payment' }])
  })

  it('refuses where nothing is short, with what to do instead', async () => {
    const { ref, to } = await cashier.newPayment()
    const refusal = async () => (await resolve(ref, 'accept_underpaid')).refusal
    expect(await refusal()).toMatchObject({
      code: 'RESOLUTION_NOT_POSSIBLE',
      details: 'No money counts for it. Apply unmatched funds to it first, or create a new payment.',
    })
    await pay(to, 100)
    expect((await refusal())?.details).toBe('Its money is not final yet. Wait for the confirmations.')
    await finalize()
    expect((await refusal())?.details).toBe('It is paid already.')
  })

  it('needs a note, presence, permission and a payment of the project', async () => {
    const { ref } = await cashier.newPayment()
    expect((await resolve(ref, 'accept_underpaid', { note: ' ' })).refusal?.fields).toEqual({
      note: 'Note is required',
    })
    const { key: manager } = await addOperator(app, { role: 'project_manager', projectId: shop.projectId })
    expect((await resolve(ref, 'accept_underpaid', {}, manager)).refusal?.code).toBe('FORBIDDEN')
    const nobody = '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d'
    expect((await resolve(nobody, 'accept_underpaid')).refusal?.code).toBe('PAYMENT_NOT_FOUND')
    cashier.pass(31 * MINUTE)
    expect((await resolve(ref, 'accept_underpaid')).refusal).toMatchObject({
      code: 'STEP_UP_REQUIRED',
      data: { class: 'S', action: 'Y22' },
    })
    await signIn()
  })
})

describe('payments.resolve: apply_unapplied (row 17 of money.md 3.5)', () => {
  it('row 17: applies a late deposit to the payment; the ledger moves it from the customer to the project', async () => {
    const { ref, to } = await cashier.newPayment()
    cashier.pass(25 * HOUR)
    await cashier.expire()
    await pay(to, 100)
    await finalize()
    await signIn()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'CANCELLED',
      deposits: [{ state: 'unapplied', reason: 'late' }],
      repair: { kind: 'unapplied', amount: '100', currencyCode: 'USDC', blockchainCode: 'ETH' },
    })
    expect((await detail(ref)).unmatchedDeposits).toMatchObject([{ status: 'unapplied', reason: 'late' }])
    const earned = await balanceOf(app, 'project:balance', USDC)
    const unapplied = await balanceOf(app, 'customer:unapplied', USDC)
    const { body } = await resolve(ref, 'apply_unapplied')
    expect(body).toMatchObject({ paymentState: 'FILLED', late: true, unmatchedDeposits: [], repair: null })
    expect(body.transfers).toMatchObject([{ status: 'applied', reason: 'assigned' }])
    expect((await balanceOf(app, 'project:balance', USDC)) - earned).toBe(dollars(100))
    expect(unapplied - (await balanceOf(app, 'customer:unapplied', USDC))).toBe(dollars(100))
    expect((await cashier.emitted(ref)).slice(-2)).toEqual(['payment.resolved', 'payment.filled'])
  })

  it('accepts another currency as payment, at its value when received', async () => {
    const { ref, to } = await cashier.newPayment({ amount: '30' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'none', filledAmount: '0' })
    expect(await cashier.emitted(ref)).toEqual([])
    await finalize()
    expect(await cashier.show(ref)).toMatchObject({
      deposits: [{ state: 'unapplied', reason: 'wrong_asset', amount: '0.01', currencyCode: 'ETH' }],
      repair: { kind: 'unapplied', text: expect.stringContaining('You sent ETH; Shop asked for USDC.') as string },
    })
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '2000' })
    const { body } = await resolve(ref, 'apply_unapplied', { depositID: await depositId(to) })
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect(body).toMatchObject({ paymentState: 'FILLED', filledAmount: '30', filledAmountInUSD: '30.00' })
    expect(await balanceOf(app, 'customer:unapplied', ASSET.ETH)).toBe(0n)
  })

  it('values money without a price by the price of its block, or not at all', async () => {
    const { ref, to } = await cashier.newPayment({ amount: '30' })
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: 'broken' })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }])
    await finalize()
    expect((await resolve(ref, 'apply_unapplied')).refusal).toMatchObject({
      code: 'RESOLUTION_NOT_POSSIBLE',
      details: 'No trustworthy price is known for the time this deposit arrived. Refund it instead.',
    })
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    const { body } = await resolve(ref, 'apply_unapplied')
    expect(body.paymentState).toBe('FILLED')
    expect(body.transfers[0]?.amountInUSD).toBe('30.00')
  })

  it('row 17: takes it away again, and says so; twice over, with balanced books', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 100)
    await finalize()
    const earned = await balanceOf(app, 'project:balance', USDC)
    for (const pass of [1, 2]) {
      const away = await resolve(ref, 'unassign')
      expect(away.body).toMatchObject({ paymentState: 'OPEN', filledAmount: '0', transfers: [] })
      expect(away.body.unmatchedDeposits).toMatchObject([{ status: 'unapplied', reason: 'unassigned' }])
      expect((await cashier.emitted(ref)).slice(-2)).toEqual(['payment.resolved', 'payment.reopened'])
      expect(earned - (await balanceOf(app, 'project:balance', USDC))).toBe(dollars(100))
      const back = await resolve(ref, 'apply_unapplied', { note: `round ${pass}` })
      expect(back.body.paymentState).toBe('FILLED')
      expect(await balanceOf(app, 'project:balance', USDC)).toBe(earned)
    }
  })

  it('keeps books in which a deposit that contradicts its last move is reported', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 100)
    await finalize()
    await resolve(ref, 'unassign')
    const broken = async () => (await checkLedger(asSystem(app.ctx), INVARIANTS)).broken.map(({ name }) => name)
    const claim = (status: string) =>
      sql`UPDATE deposits SET status = ${status} WHERE to_address = ${to}`.execute(app.ctx.db)
    expect(await broken()).toEqual([])
    await claim('applied')
    expect(await broken()).toEqual(expect.arrayContaining(['deposit-entries', 'deposit-money']))
    await claim('unapplied')
    expect(await broken()).toEqual([])
  })

  it('refuses applications that are not possible, and says why', async () => {
    const customer = 'several'
    const first = await cashier.newPayment({ customer })
    const refusal = async (ref: string, action: ResolutionAction, depositID?: number) =>
      (await resolve(ref, action, { ...(depositID !== undefined && { depositID }) })).refusal
    expect(await refusal(first.ref, 'apply_unapplied')).toMatchObject({
      code: 'RESOLUTION_NOT_POSSIBLE',
      details: 'This customer has no unmatched funds.',
    })
    expect((await refusal(first.ref, 'release_quarantine'))?.details).toBe('No funds of this customer are on hold.')
    expect((await refusal(first.ref, 'unassign'))?.details).toBe('No money counts for this payment.')
    expect((await refusal(first.ref, 'apply_unapplied', 999_999))?.code).toBe('DEPOSIT_NOT_FOUND')
    await pay(first.to, 100)
    const id = await depositId(first.to)
    expect((await refusal(first.ref, 'apply_unapplied', id))?.details).toMatch(/not final yet/)
    await finalize()
    expect((await refusal(first.ref, 'apply_unapplied', id))?.details).toMatch(/counts for a payment/)
    await pay(first.to, 1)
    await pay(first.to, 2)
    await finalize()
    const second = await cashier.newPayment({ customer })
    await resolve(first.ref, 'unassign', { depositID: await depositId(first.to, 1) })
    await resolve(first.ref, 'unassign', { depositID: await depositId(first.to, 2) })
    expect((await refusal(second.ref, 'apply_unapplied'))?.details).toBe('Several deposits are possible. Name one.')
    expect((await refusal(first.ref, 'apply_unapplied', await depositId(first.to, 1)))?.details).toMatch(/paid already/)
    const stranger = await cashier.newPayment()
    const third = await refusal(stranger.ref, 'apply_unapplied', await depositId(first.to, 1))
    expect(third?.details).toMatch(/another customer/)
  })
})

describe('payments.resolve: release_quarantine', () => {
  it('lets a quarantined deposit count, and sends the deliveries that waited for it', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 100)
    await hold(to)
    await finalize()
    expect(await cashier.show(ref)).toMatchObject({
      paymentState: 'OPEN',
      deposits: [{ state: 'on_hold' }],
      repair: {
        kind: 'on_hold',
        amount: '100',
        text: 'Shop is checking the 100 USDC that arrived. Nothing for you to do.',
      },
    })
    const before = await balanceOf(app, 'project:balance', USDC)
    const { body } = await resolve(ref, 'release_quarantine')
    expect(body).toMatchObject({ paymentState: 'FILLED', repair: null })
    expect((await balanceOf(app, 'project:balance', USDC)) - before).toBe(dollars(100))
    expect(await balanceOf(app, 'project:quarantine', USDC)).toBe(0n)
  })
})

describe('payments.assignDeposit (Y26)', () => {
  const unplaced = async (customer: string) => {
    const { to } = await cashier.newPayment({ customer })
    cashier.pass(25 * HOUR)
    await cashier.expire()
    await pay(to, 70)
    await finalize()
    await signIn()
    return { to, id: await depositId(to) }
  }

  it('row 17: applies a deposit to another payment of the customer', async () => {
    const { to, id } = await unplaced('assigned')
    const { ref } = await cashier.newPayment({ customer: 'assigned' })
    const { body } = await assign(id, ref)
    expect(body.deposit).toMatchObject({ id, status: 'applied', reason: 'assigned', referenceID: ref, toAddress: to })
    expect(body.payment).toMatchObject({ paymentState: 'PARTIALLY_FILLED', amountDue: '30', late: false })
    expect(await cashier.emitted(ref)).toEqual(['payment.resolved', 'payment.partially_filled'])
    expect((await assign(id, ref)).refusal).toMatchObject({
      code: 'DEPOSIT_NOT_UNAPPLIED',
      details: 'This money counts for a payment. Unassign it there first.',
    })
  })

  it('accepts one of two concurrent calls', async () => {
    const { id } = await unplaced('raced')
    const { ref } = await cashier.newPayment({ customer: 'raced' })
    const answers = await Promise.all([assign(id, ref), assign(id, ref), resolve(ref, 'apply_unapplied')])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { refusal } of answers) {
      if (refusal) expect(['DEPOSIT_NOT_UNAPPLIED', 'RESOLUTION_NOT_POSSIBLE']).toContain(refusal.code)
    }
    expect(await cashier.show(ref)).toMatchObject({ filledAmount: '70' })
  })

  it('refuses unknown deposits and payments, and requests that ask for nothing yet', async () => {
    const { to, id } = await unplaced('refused')
    expect((await assign(999_999, '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d')).refusal?.code).toBe('DEPOSIT_NOT_FOUND')
    expect((await assign(id, '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d')).refusal?.code).toBe('PAYMENT_NOT_FOUND')
    const body = { customerID: 'refused', customerEmail: 'payer@example.com', amountInUSD: '70' }
    const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    expect((await assign(id, created.body.reference_id)).refusal).toMatchObject({
      code: 'RESOLUTION_NOT_POSSIBLE',
      details: 'The payer has not picked a currency yet. Wait until they have.',
    })
    expect((await depositsTo(app, to)).map(({ status }) => status)).toEqual(['unapplied'])
    const other = await app.call(projectsRoutes.createProject, { body: { name: 'Other' } }, { key: operator })
    const { key: foreigner } = await addOperator(app, { role: 'project_ops', projectId: other.body.id })
    expect((await assign(id, created.body.reference_id, foreigner)).refusal?.code).toBe('DEPOSIT_NOT_FOUND')
  })
})

describe('payments.resendWebhook (Y23)', () => {
  const resend = (ref: string, webhookID?: number) =>
    app.call(
      paymentRepairRoutes.resendPaymentWebhook,
      { params: { p: shop.p, ref }, body: { ...(webhookID !== undefined && { webhookID }) } },
      { key: operator },
    )

  it('refuses payments and endpoints that do not exist', async () => {
    const { ref } = await cashier.newPayment()
    expect((await resend('0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d')).refusal?.code).toBe('PAYMENT_NOT_FOUND')
    expect((await resend(ref, 999)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await resend(ref)).body).toEqual({ deliveries: [] })
  })

  it('sends the state as it is, with an id receivers have not seen', async () => {
    const change = { webhookEndpoint: 'http://127.0.0.1:9/hook' }
    const changed = await app.call(
      projectsRoutes.changeProject,
      { params: { p: shop.p }, body: change },
      { key: operator },
    )
    expect(changed.status).toBe(200)
    const { ref, to } = await cashier.newPayment()
    await pay(to, 100)
    await finalize()
    const emitted = (await detail(ref)).deliveries
    const { body } = await resend(ref)
    expect(body.deliveries).toMatchObject([{ event: 'payment.filled', referenceID: ref, status: 'pending' }])
    expect(emitted.map(({ id }) => id)).not.toContain(body.deliveries[0]?.id)
    expect((await resend(ref, body.deliveries[0]?.webhookID)).body.deliveries).toHaveLength(1)
  })
})

describe('the books', () => {
  it('balance after all decisions of operators', async () => {
    const { broken, differences } = await checkLedger(asSystem(app.ctx), INVARIANTS)
    expect(broken).toEqual([])
    expect(differences.every(({ units }) => units === 0n)).toBe(true)
  })
})
