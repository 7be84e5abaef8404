import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Each reason of a payment by the filter that names it alone. */
const REASONS = ['PARTIALLY_FILLED', 'OVER_FILLED', 'LATE', 'REOPENED', 'ON_HOLD', 'WEBHOOK_FAILED']

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
beforeEach(() => cashier.pass(MINUTE))
afterAll(() => app.stop())

/** Proof of presence runs out with the clock. */
const signIn = async () => {
  const answer = await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })
  operator = answer.body.key
}
const markResolved = (ref: string, note = 'sent back from our wallet', key = operator) =>
  app.call(
    paymentRepairRoutes.resolvePayment,
    { params: { p: shop.p, ref }, body: { action: 'mark_resolved', note } },
    { key },
  )
const why = async (ref: string) => (await markResolved(ref)).refusal?.details
const detail = async (ref: string) =>
  (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: operator })).body

async function search(...paymentStatus: string[]) {
  const input = { params: { p: shop.p }, body: { paymentStatus } }
  const { data, totalCount } = (await app.call(paymentsRoutes.searchProjectPayments, input, { key: operator })).body
  expect(totalCount).toBe(data.length)
  return data
}
/** What the list, its count, its rows and the payment itself say about one: they agree. */
async function needsAttention(ref: string): Promise<boolean> {
  const isListed = (await search('NEEDS_ATTENTION')).some(({ referenceId }) => referenceId === ref)
  const input = { params: { p: 'all' }, body: { query: ref } }
  const found = (await app.call(paymentsRoutes.searchProjectPayments, input, { key: operator })).body.data[0]
  const everywhere = await app.call(
    paymentsRoutes.searchProjectPayments,
    { params: { p: 'all' }, body: { query: ref, paymentStatus: ['needs attention'] } },
    { key: operator },
  )
  const { needsAttention: isNeeded } = await detail(ref)
  expect([found?.needsAttention, isNeeded, everywhere.body.totalCount === 1]).toEqual([isListed, isListed, isListed])
  return isListed
}

const pay = (to: string, amount: number, more: { quarantineReason?: 'NODE_DISAGREEMENT'; tx?: string } = {}) =>
  eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount), ...more }])
const makeFinal = async () => {
  for (let block = 0; block < 3; block += 1) await eth.mine()
}
const endLink = async () => {
  cashier.pass(2 * HOUR)
  await cashier.expire()
  await signIn()
}
let hooks = 0
/** An endpoint whose delivery of the newest event succeeded or failed. */
async function deliver(ref: string, status: 'failed' | 'received', hook = (hooks += 1)) {
  await sql`
    WITH hidden AS (INSERT INTO secrets (kind, label, vault_id, key_version, wrapped_key, sealed) VALUES ('x', 'x', 1, 1, '', '') RETURNING id),
    hook AS (
      INSERT INTO webhooks (project_id, url, secret_ref, secret_hint, access_key_ref, access_key_hint)
      SELECT ${shop.projectId}, ${`https://hook-${hook}.example`}, id, '', id, '' FROM hidden
      ON CONFLICT (project_id, url) WHERE status <> 'deleted' DO UPDATE SET name = '' RETURNING id
    )
    INSERT INTO deliveries (webhook_id, project_id, event_id, event_type, sequence, reference_id, body, status, finished_at)
    SELECT id, ${shop.projectId}, gen_random_uuid()::text, 'payment.filled',
      (SELECT event_count FROM payments WHERE reference_id = ${ref}), ${ref}, '{}', ${status}, ${app.clock.now}
    FROM hook`.execute(app.ctx.db)
  return hook
}

const MADE = {
  over: async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 150)
    await makeFinal()
    return ref
  },
  short: async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 60)
    await makeFinal()
    await endLink()
    return ref
  },
  late: async () => {
    const { ref, to } = await cashier.newPayment()
    await endLink()
    await pay(to, 100)
    await makeFinal()
    return ref
  },
  unappliedLate: async () => {
    const { ref, to } = await cashier.newPayment()
    cashier.pass(25 * HOUR)
    await endLink()
    await pay(to, 100)
    await makeFinal()
    return ref
  },
  reopened: async () => {
    const { ref, to } = await cashier.newPayment()
    const below = eth.height()
    await pay(to, 100)
    await makeFinal()
    await eth.reorg(below)
    return ref
  },
  undelivered: async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 100)
    await makeFinal()
    await deliver(ref, 'failed')
    return ref
  },
} as const

describe('payments.resolve: mark as resolved', () => {
  it.each(Object.entries(MADE))('takes a payment off the list: %s', async (_name, make) => {
    const ref = await make()
    expect(await needsAttention(ref)).toBe(true)
    const before = await detail(ref)
    const emitted = await cashier.emitted(ref)
    const { body } = await markResolved(ref)
    expect(body).toMatchObject({
      ...{ needsAttention: false, paymentState: before.paymentState, fundingState: before.fundingState },
      resolved: { at: app.clock.now, actor: 'operator:1', note: 'sent back from our wallet' },
      ...{ journal: before.journal, transfers: before.transfers },
    })
    expect(await needsAttention(ref)).toBe(false)
    expect(body.timeline.at(-1)).toMatchObject({
      ...{ event: 'payment.resolved', actor: 'operator:1' },
      data: { action: 'mark_resolved', note: 'sent back from our wallet', deposit_id: null },
    })
    expect(await cashier.emitted(ref)).toEqual([...emitted, 'payment.resolved'])
  })

  it('is stored once when marked repeatedly; the first author and note stay', async () => {
    const ref = await MADE.over()
    await markResolved(ref, 'first')
    cashier.pass(MINUTE)
    const { body } = await markResolved(ref, 'second')
    expect(body.resolved).toMatchObject({ note: 'first', at: new Date(app.clock.now.getTime() - MINUTE) })
    expect((await cashier.emitted(ref)).filter((type) => type === 'payment.resolved')).toHaveLength(1)
  })

  it('does not change the results of the other filters', async () => {
    const ref = await MADE.over()
    await markResolved(ref)
    expect((await search('OVER_FILLED')).find(({ referenceId }) => referenceId === ref)).toMatchObject({
      needsAttention: false,
    })
  })

  it('refuses while another action is required, and names it', async () => {
    const { ref, to } = await cashier.newPayment()
    expect(await markResolved(ref)).toMatchObject({ refusal: { code: 'RESOLUTION_NOT_POSSIBLE' } })
    expect(await why(ref)).toBe('Nothing about it needs attention.')
    await pay(to, 60)
    await makeFinal()
    expect(await why(ref)).toBe(
      'The customer can still send the rest. Accept what came as paid, or wait until the link ends.',
    )
    await pay(to, 1)
    expect(await why(ref)).toBe('Its money is not final yet. Wait for the confirmations.')
    await makeFinal()
    await pay(to, 5, { quarantineReason: 'NODE_DISAGREEMENT' })
    await makeFinal()
    expect(await why(ref)).toBe('Some of its money is on hold. Release it to this payment or to the customer first.')
    expect(await needsAttention(ref)).toBe(true)
  })

  it('needs a note, and the permission to decide', async () => {
    const ref = await MADE.over()
    expect((await markResolved(ref, ' ')).refusal?.fields).toEqual({ note: 'Note is required' })
    const { key: manager } = await addOperator(app, { role: 'project_manager', projectId: shop.projectId })
    expect((await markResolved(ref, 'done', manager)).refusal?.code).toBe('FORBIDDEN')
  })
})

describe('a resolved payment needs attention again', () => {
  it('when further money comes', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 60)
    await makeFinal()
    await endLink()
    await markResolved(ref)
    await pay(to, 10)
    expect(await needsAttention(ref)).toBe(true)
    expect((await detail(ref)).resolved).toBeNull()
    await makeFinal()
    await markResolved(ref, 'that as well')
    expect(await needsAttention(ref)).toBe(false)
  })

  it('when a further deposit comes so late that it stays unapplied', async () => {
    const { ref, to } = await cashier.newPayment()
    cashier.pass(25 * HOUR)
    await endLink()
    await pay(to, 100)
    await makeFinal()
    await markResolved(ref)
    await pay(to, 40)
    await makeFinal()
    expect(await needsAttention(ref)).toBe(true)
  })

  it('when the network takes money back', async () => {
    const { ref, to } = await cashier.newPayment()
    const below = eth.height()
    await pay(to, 150)
    await makeFinal()
    await markResolved(ref)
    await eth.reorg(below)
    expect(await detail(ref)).toMatchObject({ fundingState: 'reverted', resolved: null })
    expect(await needsAttention(ref)).toBe(true)
  })

  it('while a deposit of it is quarantined', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 60)
    await makeFinal()
    await endLink()
    await markResolved(ref)
    await pay(to, 5, { quarantineReason: 'NODE_DISAGREEMENT' })
    await makeFinal()
    expect(await needsAttention(ref)).toBe(true)
  })

  it('when a delivery fails after it, and not for one that had failed before', async () => {
    const ref = await MADE.undelivered()
    await markResolved(ref)
    cashier.pass(MINUTE)
    expect(await needsAttention(ref)).toBe(false)
    await deliver(ref, 'failed')
    expect(await needsAttention(ref)).toBe(true)
    cashier.pass(MINUTE)
    expect((await markResolved(ref, 'the second endpoint too')).body.resolved?.note).toBe('the second endpoint too')
    expect(await needsAttention(ref)).toBe(false)
  })

  it('not when its link ends, or something is sent again and arrives', async () => {
    const ref = await MADE.reopened()
    await markResolved(ref)
    cashier.pass(25 * HOUR)
    await endLink()
    expect((await detail(ref)).paymentState).toBe('CANCELLED')
    expect(await needsAttention(ref)).toBe(false)
  })
})

describe('what needs attention', () => {
  it('is the union of its reasons while nothing is resolved', async () => {
    for (const make of Object.values(MADE)) await make()
    await sql`UPDATE payments SET resolved_at = NULL, resolved_by = NULL, resolved_note = NULL`.execute(app.ctx.db)
    const references = async (...states: string[]) =>
      (await search(...states)).map(({ referenceId }) => referenceId).toSorted()
    const together = await references(...REASONS)
    expect(together.length).toBeGreaterThanOrEqual(6)
    expect(await references('NEEDS_ATTENTION')).toEqual(together)
  })

  it('is no longer one after the newest event was sent again and received', async () => {
    const { ref, to } = await cashier.newPayment()
    await pay(to, 100)
    await makeFinal()
    const hook = await deliver(ref, 'failed')
    expect(await needsAttention(ref)).toBe(true)
    await deliver(ref, 'received', hook)
    expect(await needsAttention(ref)).toBe(false)
    expect((await search('WEBHOOK_FAILED')).map(({ referenceId }) => referenceId)).not.toContain(ref)
  })
})
