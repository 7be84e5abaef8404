import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { saveSetting } from '../../settings/service.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { claimOf, OTHER_PAYEE, PAYEE, payoutShop } from '../../../testing/money-out/payouts.ts'

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>
let other: Awaited<ReturnType<typeof payoutShop>>

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await payoutShop(app, root)
  other = await payoutShop(app, root, 'Other')
})
afterAll(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await sql`UPDATE withdrawals SET decided_at = decided_at - interval '2 days'`.execute(app.ctx.db)
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
})

const held = (projectId = shop.projectId) => claimOf(app, 'project:held', `project:${projectId}`)
const events = async (id: number) => {
  const { rows } = await sql<{ type: string; sequence: number | null }>`
    SELECT type, sequence FROM events WHERE order_key = ${`payout:${id}`} ORDER BY id`.execute(app.ctx.db)
  return rows.filter(({ sequence }) => sequence !== null).map(({ type, sequence }) => `${sequence} ${type}`)
}

describe('D1: a payout asked for by a merchant’s server', () => {
  it('waits for a person by default, and holds nothing', async () => {
    const { status, body } = await shop.ask()
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'pending-approval',
      type: 'payout_merchant',
      createdBy: 'merchant_api',
      amount: '100',
      toAddress: PAYEE,
      waitReason: 'APPROVAL',
      waits: { params: { given: 0, needed: 1 } },
      approvals: { required: 1, given: [] },
      amountInUSD: expect.stringMatching(/^\d+\.\d\d/),
    })
    expect(await held()).toBe(0n)
    expect(await events(body.id)).toEqual(['1 payout.pending-approval'])
  })

  it('holds the money at once where the policy needs no approval', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '150' })
    const before = await held()
    const { body } = await shop.ask()
    expect([body.status, (await held()) - before]).toEqual(['pending', 100_000_000n])
    expect(await events(body.id)).toEqual(['1 payout.pending'])
    const cancelled = await shop.cancel(body.id)
    expect([cancelled.body.status, (await held()) - before]).toEqual(['cancelled', 0n])
  })

  it('pays out no more than what was earned where operators say so', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '150' })
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'earned' })
    const { body } = await shop.ask({ amount: '10' })
    expect([body.status, await held()]).toEqual(['pending-approval', 0n])
    expect((await shop.read(body.id)).body.policyDecision).toMatchObject({
      rule: 'not_earned',
      reason: { code: 'not_earned' },
    })
    expect((await shop.approve(body.id)).refusal).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      message: 'Only 0 USDC is available.',
    })
    expect([(await shop.read(body.id)).body.status, await held()]).toEqual(['pending-approval', 0n])
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'float' })
    expect((await shop.approve(body.id)).body.status).toBe('pending')
    await shop.cancel(body.id)
  })

  it('asks people once a window is full', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '150', hourlyLimitInUSD: '250' })
    const states = []
    for (let n = 0; n < 4; n += 1) states.push((await shop.ask()).body.status)
    expect(states).toEqual(['pending', 'pending', 'pending-approval', 'pending-approval'])
  })

  it('counts what a process decided whose clock is ahead (X-1)', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '150', hourlyLimitInUSD: '150' })
    const { body } = await shop.ask()
    expect(body.status).toBe('pending')
    await sql`UPDATE withdrawals SET decided_at = decided_at + interval '2 minutes' WHERE id = ${body.id}`.execute(
      app.ctx.db,
    )
    expect((await shop.ask()).body.status).toBe('pending-approval')
    await sql`UPDATE assets SET withdraw_limit_24h_units = 150000000 WHERE currency_code = 'USDC'`.execute(app.ctx.db)
    expect((await shop.ask()).refusal?.code).toBe('AMOUNT_OUT_OF_RANGE')
    await sql`UPDATE assets SET withdraw_limit_24h_units = NULL`.execute(app.ctx.db)
  })

  it('answers a blind repetition with the same payout, and another key with another', async () => {
    const body = { amount: '7.5', clientReference: undefined }
    const call = () =>
      app.call(
        payoutsRoutes.createMerchantPayout,
        { body: { ...body, email: 'a@b.co', blockchainCode: 'ETH', currencyCode: 'USDC', toAddress: PAYEE } },
        { key: shop.apiKey },
      )
    const [first, second] = [await call(), await call()]
    expect(second.body.id).toBe(first.body.id)
    expect(second.headers['idempotency-replayed']).toBe('dedupe')
    expect((await shop.ask(body)).body.id).not.toBe(first.body.id)
  })

  it('makes one payout of each client reference: CLIENT_REFERENCE_EXISTS', async () => {
    const { body } = await shop.ask({ clientReference: 'salary-10' })
    const again = await shop.ask({ clientReference: 'salary-10', amount: '5' })
    expect(again.refusal).toMatchObject({ code: 'CLIENT_REFERENCE_EXISTS', data: { id: body.id } })
    expect((await other.ask({ clientReference: 'salary-10' })).status).toBe(201)
  })

  it.each([
    ['a zero amount', { amount: '0.00' }, 'VALIDATION_FAILED'],
    ['more decimals than the asset has', { amount: '1.0000001' }, 'VALIDATION_FAILED'],
    ['an amount in words', { amount: '1e3' }, 'VALIDATION_FAILED'],
    ['an address of another kind', { toAddress: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' }, 'ADDRESS_INVALID'],
    ['a wrong checksum', { toAddress: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'ADDRESS_INVALID'],
    ['the zero address', { toAddress: `0x${'0'.repeat(40)}` }, 'ADDRESS_BLOCKED'],
    ['an unknown currency', { currencyCode: 'NOPE' }, 'ASSET_NOT_PAYABLE'],
    ['a network that does not run', { blockchainCode: 'POLYGON' }, 'ASSET_NOT_PAYABLE'],
    ['a coin that no key of the server spends', { blockchainCode: 'BTC', currencyCode: 'BTC' }, 'ASSET_NOT_PAYABLE'],
    ['a phone number of letters', { mobileNumber: 'call me' }, 'VALIDATION_FAILED'],
    ['a refund of an unknown payment', { refundOfReferenceID: 'x' }, 'PAYMENT_NOT_FOUND'],
  ])('refuses %s', async (_what, body, code) => {
    expect((await shop.ask(body)).refusal?.code).toBe(code)
  })

  it('refuses a token’s own contract, and one of our addresses', async () => {
    const { rows } = await sql<{ address: string }>`
      SELECT address FROM assets WHERE currency_code = 'USDC' AND blockchain_id =
        (SELECT id FROM blockchains WHERE code = 'ETH')`.execute(app.ctx.db)
    expect((await shop.ask({ toAddress: rows[0]?.address ?? '' })).refusal?.code).toBe('ADDRESS_BLOCKED')
    const own = await sql<{ key: string }>`SELECT encode(key, 'hex') AS key FROM addresses LIMIT 1`.execute(app.ctx.db)
    const key = own.rows[0]?.key
    if (key) expect((await shop.ask({ toAddress: `0x${key}` })).refusal?.code).toBe('ADDRESS_IS_OURS')
  })

  it('keeps within the limits of the asset: AMOUNT_OUT_OF_RANGE', async () => {
    await sql`UPDATE assets SET min_withdraw_units = 5000000, withdraw_limit_24h_units = 150000000
      WHERE currency_code = 'USDC'`.execute(app.ctx.db)
    expect((await shop.ask({ amount: '4' })).refusal?.code).toBe('AMOUNT_OUT_OF_RANGE')
    await shop.setPolicy({ autoApproveLimitInUSD: '1000' })
    expect((await shop.ask()).status).toBe(201)
    expect((await other.ask()).refusal).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
    await sql`UPDATE assets SET min_withdraw_units = NULL, withdraw_limit_24h_units = NULL`.execute(app.ctx.db)
  })

  it('refuses what it cannot price: RATE_UNAVAILABLE', async () => {
    await sql`INSERT INTO sandbox_prices (currency_code, price) VALUES ('USDC', 'nonsense')
      ON CONFLICT (currency_code) DO UPDATE SET price = 'nonsense'`.execute(app.ctx.db)
    expect((await shop.ask()).refusal?.code).toBe('RATE_UNAVAILABLE')
    await sql`DELETE FROM sandbox_prices`.execute(app.ctx.db)
  })

  it('pays no address that is not on the allow list', async () => {
    await shop.setPolicy({ allowList: [OTHER_PAYEE] })
    expect((await shop.ask()).refusal?.code).toBe('ADDRESS_BLOCKED')
    expect((await shop.ask({ toAddress: OTHER_PAYEE })).status).toBe(201)
  })
})

describe('D7: a payout to a recipient', () => {
  it('keeps a recipient from being deleted while a payout to it is under way: RECIPIENT_IN_USE', async () => {
    const recipientID = await shop.recipient('0x8617E340B3D01FA5F11F306F4090FD50E238070D')
    const { body } = await shop.pay({ currencyCode: 'USDC', amount: '1', recipientID })
    const remove = () => app.call(recipientsRoutes.deleteRecipient, { params: { id: recipientID } }, { key: root })
    expect((await remove()).refusal?.code).toBe('RECIPIENT_IN_USE')
    await sql`UPDATE withdrawals SET status = 'cancelled' WHERE id = ${body.id}`.execute(app.ctx.db)
    expect((await remove()).status).toBe(200)
  })

  it('pays the address of the recipient, and needs approval like any other', async () => {
    const recipientID = await shop.recipient()
    const { status, body } = await shop.pay({ currencyCode: 'USDC', amount: '12.5', recipientID, note: 'October' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ type: 'payout', toAddress: PAYEE, recipientID, note: 'October', createdBy: 'user' })
    expect(body.status).toBe('pending-approval')
  })

  it('refuses strangers and those who cannot be paid now', async () => {
    const theirs = await other.recipient(OTHER_PAYEE)
    const ask = (recipientID: number) => shop.pay({ currencyCode: 'USDC', amount: '1', recipientID })
    expect((await ask(theirs)).refusal?.code).toBe('RECIPIENT_NOT_FOUND')
    const late = await shop.recipient(OTHER_PAYEE)
    await sql`UPDATE recipients SET status = 'blocked' WHERE id = ${late}`.execute(app.ctx.db)
    expect((await ask(late)).refusal?.code).toBe('RECIPIENT_NOT_ACTIVE')
    const here = await shop.recipient('0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb')
    const wrong = await shop.pay({ currencyCode: 'NOPE', amount: '1', recipientID: here })
    expect(wrong.refusal?.code).toBe('ASSET_NOT_PAYABLE')
  })
})

describe('D8: approvals', () => {
  it('decides with the last one that is needed, and holds the money', async () => {
    const { body } = await shop.ask()
    const before = await held()
    const approved = await shop.approve(body.id)
    expect(approved.body).toMatchObject({
      status: 'pending',
      approvals: { given: [{ method: 'window', counts: true }] },
    })
    expect((await held()) - before).toBe(100_000_000n)
    expect(await events(body.id)).toEqual(['1 payout.pending-approval', '2 payout.pending'])
    expect((await shop.approve(body.id)).refusal?.code).toBe('PAYOUT_NOT_PENDING')
  })

  it('needs two different people where the policy says two: PAYOUT_ALREADY_APPROVED', async () => {
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    await shop.setPolicy({ quorum: 2 })
    const { body } = await shop.ask()
    expect((await shop.approve(body.id)).body).toMatchObject({
      status: 'pending-approval',
      waits: { params: { given: 1, needed: 2 } },
    })
    expect((await shop.approve(body.id)).refusal?.code).toBe('PAYOUT_ALREADY_APPROVED')
    expect((await shop.approve(body.id, second.key)).body.status).toBe('pending')
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${second.operatorId}`.execute(app.ctx.db)
  })

  it('refuses the approval of the requester where four eyes are needed: PAYOUT_SELF_APPROVAL', async () => {
    await shop.setPolicy({ fourEyes: 'off' })
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    await shop.setPolicy({ fourEyes: 'always' })
    const recipientID = await shop.recipient('0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB')
    const { body } = await shop.pay({ currencyCode: 'USDC', amount: '1', recipientID })
    expect(body.approvals.byOthersOnly).toBe(true)
    expect((await shop.approve(body.id)).refusal?.code).toBe('PAYOUT_SELF_APPROVAL')
    const approved = (await shop.approve(body.id, second.key)).body
    expect([approved.status, approved.approvals.byOthersOnly]).toEqual(['pending', false])
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${second.operatorId}`.execute(app.ctx.db)
  })

  it('counts the holder of the requesting key as the requester, also after its rotation', async () => {
    const second = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    await app.call(
      membersRoutes.replaceRoles,
      { params: { id: second.operatorId }, body: { roleName: 'admin' } },
      { key: root },
    )
    const scopes = ['payout:create']
    const body = { name: 'Payroll', scopes }
    const { body: made } = await app.call(apiKeysRoutes.createApiKey, { params: { p: shop.p }, body }, { key: root })
    const ask = async (key?: string | null) => (await shop.ask({ amount: '1' }, { key: key ?? '' })).body
    const first = await ask(made.key)
    expect(first).toMatchObject({ createdBy: 'merchant_api', createdByMemberID: null })
    expect((await shop.approve(first.id)).refusal?.code).toBe('PAYOUT_SELF_APPROVAL')
    expect((await shop.approve(first.id, second.key)).body.status).toBe('pending')
    const rotate = { params: { p: shop.p, id: made.id, x: 'rotate' }, body: { overlapHours: 24 } }
    const rotated = (await app.call(apiKeysRoutes.actOnApiKey, rotate, { key: second.key })).body
    const next = await ask(rotated.key)
    expect((await shop.approve(next.id, second.key)).refusal?.code).toBe('PAYOUT_SELF_APPROVAL')
    expect((await shop.approve(next.id)).body.status).toBe('pending')
    // While both values work, each is known to another person.
    const old = await ask(made.key)
    expect((await shop.approve(old.id)).refusal?.code).toBe('PAYOUT_SELF_APPROVAL')
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${second.operatorId}`.execute(app.ctx.db)
  })

  it('counts an approval over other bytes no more', async () => {
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    await shop.setPolicy({ quorum: 2 })
    const { body } = await shop.ask()
    await shop.approve(body.id)
    await sql`UPDATE withdrawals SET policy_version = policy_version + 1,
      digest = sha256('another') WHERE id = ${body.id}`.execute(app.ctx.db)
    expect((await shop.read(body.id)).body.waits?.params).toMatchObject({ given: 0, needed: 2 })
    expect((await shop.approve(body.id, second.key)).body.status).toBe('pending-approval')
    await shop.reject(body.id)
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${second.operatorId}`.execute(app.ctx.db)
  })

  it('asks as many people as a policy needs that became stricter meanwhile', async () => {
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    const { body } = await shop.ask()
    await shop.setPolicy({ quorum: 2 })
    const first = await shop.approve(body.id)
    expect(first.body).toMatchObject({ status: 'pending-approval', approvals: { required: 2 } })
    expect((await shop.approve(body.id, second.key)).body.status).toBe('pending')
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${second.operatorId}`.execute(app.ctx.db)
  })
})

describe('D9, D10: rejected and cancelled', () => {
  it('ends payouts that wait for approval, and no others', async () => {
    const { body } = await shop.ask()
    const rejected = await shop.reject(body.id)
    expect(rejected.body).toMatchObject({ status: 'rejected', rejectedByMember: { id: 1 } })
    expect((await shop.reject(body.id)).refusal?.code).toBe('PAYOUT_NOT_PENDING')
    expect((await shop.cancel(body.id)).refusal?.code).toBe('PAYOUT_NOT_CANCELLABLE')
    expect(await events(body.id)).toEqual(['1 payout.pending-approval', '2 payout.rejected'])
  })

  it('gives back what was held', async () => {
    const { body } = await shop.ask()
    await shop.approve(body.id)
    const before = await held()
    await shop.cancel(body.id)
    expect((await held()) - before).toBe(-100_000_000n)
    expect(await events(body.id)).toEqual(['1 payout.pending-approval', '2 payout.pending', '3 payout.cancelled'])
  })

  it('is never retried before it was signed: PAYOUT_NOT_RETRYABLE', async () => {
    const { body } = await shop.ask()
    const retried = await app.call(
      payoutsRoutes.retryPayout,
      { params: { id: String(body.id) }, body: {} },
      { key: root },
    )
    expect(retried.refusal?.code).toBe('PAYOUT_NOT_RETRYABLE')
  })
})

describe('payouts of another project', () => {
  it('are not found by other projects', async () => {
    const { body } = await other.ask()
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    for (const route of ['approve', 'reject', 'cancel'] as const) {
      expect((await shop[route](body.id, lead.key)).refusal?.code).toBe('WITHDRAWAL_NOT_FOUND')
    }
    expect((await shop.read(body.id, lead.key)).refusal?.code).toBe('WITHDRAWAL_NOT_FOUND')
    const byKey = { params: { id: String(body.id) } }
    expect((await app.call(payoutsRoutes.getMerchantPayout, byKey, { key: shop.apiKey })).refusal?.code).toBe(
      'WITHDRAWAL_NOT_FOUND',
    )
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${lead.operatorId}`.execute(app.ctx.db)
  })
})

describe('D3: payouts as a merchant’s server lists them', () => {
  it('link to the next page with the same filters', async () => {
    const asked = [(await shop.ask()).body.id, (await shop.ask()).body.id]
    await shop.reject((await shop.ask()).body.id)
    const query = { status: ['pending-approval' as const], types: ['payout_merchant' as const], limit: 1 }
    const first = await app.call(payoutsRoutes.listMerchantPayouts, { query }, { key: shop.apiKey })
    const [, address = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.link ?? '') ?? []
    const next = await app.http.inject({ url: address, headers: { host: 'localhost:8080', 'api-key': shop.apiKey } })
    const ids = [...first.body, ...next.json<{ id: number }[]>()].map(({ id }) => id)
    expect(ids).toEqual(asked.toReversed())
  })

  it('are narrowed by day, under every name of it: FILTER_INVALID', async () => {
    const list = (query: object) => app.call(payoutsRoutes.listMerchantPayouts, { query }, { key: shop.apiKey })
    const all = (await list({})).body.length
    const spans = [{ dateTo: '2020-01-31' }, { endDate: '2020-01-31' }, { createdBefore: '2020-01-31' }]
    for (const span of spans) expect((await list(span)).body).toEqual([])
    for (const from of ['dateFrom', 'startDate', 'createdAfter']) {
      expect((await list({ [from]: '2020-01-31' })).body).toHaveLength(all)
      expect((await list({ [from]: 'yesterday' })).refusal?.code).toBe('FILTER_INVALID')
    }
  })
})
