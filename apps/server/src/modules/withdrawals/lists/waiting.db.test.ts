import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { payoutShop } from '../../../testing/money-out/payouts.ts'

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>
let second: string
let reader: string
/** Payouts that wait for two approvals, oldest first; the first has that of root. */
let ids: number[]

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await payoutShop(app, root)
  second = (await addOperator(app, { projectId: shop.projectId, role: 'admin' })).key
  reader = (await addOperator(app, { projectId: shop.projectId, role: 'auditor' })).key
  await shop.setPolicy({ quorum: 2, fourEyes: 'off' })
  ids = []
  for (let n = 0; n < 3; n += 1) ids.push((await shop.ask()).body.id)
  await shop.approve(ids[0] ?? 0)
})
afterAll(() => app.stop())

const list = (query: object, key = root) =>
  app.call(payoutsRoutes.listPayouts, { params: { p: shop.p }, query: { order: 'asc', ...query } }, { key })
const waiting = async (waitingFor: 'me' | 'others', key = root) =>
  (await list({ waitingFor }, key)).body.data.map(({ id }) => id)
const badge = async (key = root) =>
  (await app.call(payoutsRoutes.getPayoutMetrics, { params: { p: shop.p } }, { key })).body.waitingForMe

describe('D4: payouts that wait for somebody', () => {
  it('are those that the caller may approve now, and the rest, with the count of the menu', async () => {
    const [first, ...others] = ids
    expect([await waiting('me'), await waiting('others'), await badge()]).toEqual([others, [first], 2])
    expect([await waiting('me', second), await waiting('others', second), await badge(second)]).toEqual([ids, [], 3])
    expect([await waiting('me', reader), await waiting('others', reader), await badge(reader)]).toEqual([[], ids, 0])
    expect([await waiting('me', shop.apiKey), await waiting('others', shop.apiKey)]).toEqual([[], ids])
  })

  it('come in pages with their own total: CURSOR_INVALID', async () => {
    const { data, total, nextCursor } = (await list({ waitingFor: 'me', limit: 1 })).body
    expect([data.map(({ id }) => id), total]).toEqual([[ids[1]], 2])
    const rest = (await list({ waitingFor: 'me', limit: 1, cursor: nextCursor })).body
    expect([rest.data.map(({ id }) => id), rest.nextCursor]).toEqual([[ids[2]], null])
    expect((await list({ waitingFor: 'others', limit: 1, cursor: nextCursor })).refusal?.code).toBe('CURSOR_INVALID')
    expect((await list({ waitingFor: 'nobody' })).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('wait once more for who approved when they came back with all they need', async () => {
    await shop.setPolicy({ quorum: 1 })
    await sql`UPDATE withdrawals SET approvals_needed = 1 WHERE id = ${ids[0]}`.execute(app.ctx.db)
    expect([await waiting('me'), await badge()]).toEqual([ids, 3])
    await sql`UPDATE withdrawals SET approvals_needed = 2 WHERE id = ${ids[0]}`.execute(app.ctx.db)
    await shop.setPolicy({ quorum: 2 })
  })

  it('wait for somebody else where an approver may not approve any more, as the decision says', async () => {
    const third = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    const { id } = (await shop.ask()).body
    await shop.approve(id, third.key)
    await shop.approve(id)
    await sql`UPDATE withdrawals SET status = 'pending-approval' WHERE id = ${id}`.execute(app.ctx.db)
    expect(await waiting('me')).toContain(id)
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${third.operatorId}`.execute(app.ctx.db)
    expect((await shop.approve(id)).refusal?.code).toBe('PAYOUT_ALREADY_APPROVED')
    expect([(await waiting('me')).includes(id), (await waiting('others')).includes(id)]).toEqual([false, true])
    expect(await badge()).toBe((await waiting('me')).length)
    expect(await waiting('me', second)).toContain(id)
    await sql`UPDATE withdrawals SET status = 'pending' WHERE id = ${id}`.execute(app.ctx.db)
  })

  it('wait for others where who asked may not approve', async () => {
    await shop.setPolicy({ quorum: 1, fourEyes: 'always' })
    const recipientID = await shop.recipient()
    const { id } = (await shop.pay({ currencyCode: 'USDC', amount: '1', recipientID })).body
    expect(await waiting('me')).not.toContain(id)
    expect([(await waiting('others')).includes(id), (await waiting('me', second)).includes(id)]).toEqual([true, true])
  })

  it('wait for others once a stricter policy withholds them from who asked, and for everybody under new bytes', async () => {
    await shop.setPolicy({ quorum: 1, fourEyes: 'off' })
    const { id } = (await shop.ask()).body
    const approved = (await shop.ask()).body.id
    await sql`UPDATE withdrawals SET approvals_needed = 2 WHERE id = ${approved}`.execute(app.ctx.db)
    await shop.approve(approved, second)
    expect(await waiting('me')).toEqual(expect.arrayContaining([id, approved]))
    expect(await waiting('me', second)).not.toContain(approved)
    await shop.setPolicy({ fourEyes: 'always' })
    expect((await waiting('me')).filter((one) => [id, approved].includes(one))).toEqual([])
    expect(await waiting('others')).toEqual(expect.arrayContaining([id, approved]))
    expect(await badge()).toBe((await waiting('me')).length)
    // It is asked by the stricter rule, under which nobody has approved it yet.
    expect(await waiting('me', second)).toEqual(expect.arrayContaining([id, approved]))
    expect((await shop.approve(id)).refusal?.code).toBe('PAYOUT_SELF_APPROVAL')
    expect((await shop.approve(approved, second)).status).toBe(200)
  })
})
