import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { claimOf, OTHER_PAYEE, payoutShop } from '../../testing/money-out/payouts.ts'
import { verify } from '../ledger/service.ts'
import { withdrawalsInvariants } from './invariants.ts'
import { signPending } from './sending/service.ts'

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
  await sql`UPDATE withdrawals SET decided_at = decided_at - interval '5 days'`.execute(app.ctx.db)
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
})

const held = () => claimOf(app, 'project:held', `project:${shop.projectId}`)
const revoke = (operatorId: number) =>
  sql`UPDATE operators SET state = 'inactive' WHERE id = ${operatorId}`.execute(app.ctx.db)
const several = async (...amounts: string[]) => {
  const ids = []
  for (const amount of amounts) ids.push((await shop.ask({ amount })).body.id)
  return ids
}
const statesOf = (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await shop.read(id)).body.status))
const describeAll = async (ids: readonly number[]) =>
  (await app.call(authRoutes.prepareStepUp, { body: { action: 'D20', subject: { body: { ids } } } }, { key: root }))
    .body
const confirm = async (ids: readonly number[]) => {
  const { challengeId } = await describeAll(ids)
  const proof = { method: 'password' as const, password: TEST_PASSWORD, challengeId }
  const { body } = await app.call(authRoutes.stepUp, { body: proof }, { key: root })
  return { headers: { 'step-up': body.stepUpToken ?? '' } }
}
const signedOf = (id: number) =>
  sql<{ own: boolean; listed: boolean; digest: string; method: string }>`
    SELECT given.digest = payout.digest AS own, given.digest = ANY(list.items) AS listed,
      encode(list.digest, 'hex') AS digest, given.method
    FROM withdrawals AS payout JOIN withdrawal_approvals AS given ON given.withdrawal_id = payout.id
      JOIN withdrawal_approval_lists AS list ON list.id = given.list_id
    WHERE payout.id = ${id}`
    .execute(app.ctx.db)
    .then(({ rows }) => rows)
const broken = () => verify(asSystem(app.ctx), withdrawalsInvariants)

describe('D20: one approval of several payouts', () => {
  it('shows the sums and each payout, and stores of each its own bytes and the list (X-2)', async () => {
    const ids = await several('100', '20.5', '3')
    const { display } = await describeAll(ids)
    expect(display.lines.map(({ code }) => code)).toEqual([
      ...['payout_list', 'payout_list_total', 'payout_to', 'payout_to', 'payout_to', 'payout_list_words'],
    ])
    expect(display.lines[1]).toMatchObject({
      text: 'Together 123.5 USDC on ETH, in 3 payouts.',
      params: { amount: '123.5', currency: 'USDC', chain: 'ETH', count: 3 },
    })
    const before = await held()
    const { status, body } = await shop.approveAll(ids, root, await confirm(ids))
    expect([status, body.payouts]).toEqual([200, ids.map((id) => ({ id, status: 'pending' }))])
    expect(display.lines.at(-1)?.params).toEqual({ words: body.words })
    expect((await held()) - before).toBe(123_500_000n)
    for (const id of ids) {
      expect(await signedOf(id)).toEqual([{ own: true, listed: true, digest: body.digest, method: 'password' }])
    }
    expect(await broken()).toEqual([])
  })

  it('approves nothing when a payout is not what was confirmed: STEP_UP_MISMATCH', async () => {
    const ids = await several('10', '11')
    const options = await confirm(ids)
    await sql`UPDATE withdrawals SET units = units * 2 WHERE id = ${ids[1]}`.execute(app.ctx.db)
    expect((await shop.approveAll(ids, root, options)).refusal?.code).toBe('STEP_UP_MISMATCH')
    expect(await statesOf(ids)).toEqual(['pending-approval', 'pending-approval'])
    const [first] = ids
    expect((await shop.approveAll([first ?? 0], root, await confirm(ids))).refusal?.code).toBe('STEP_UP_MISMATCH')
  })

  it('approves all or none: PAYOUT_NOT_PENDING says which', async () => {
    const ids = await several('10', '11', '12')
    const [, ended = 0] = ids
    await shop.reject(ended)
    const before = await held()
    const { refusal } = await shop.approveAll(ids)
    expect(refusal).toMatchObject({ code: 'PAYOUT_NOT_PENDING', data: { payoutID: ended } })
    expect(refusal?.details).toMatch(new RegExp(`^Payout ${ended}: `))
    expect(await statesOf(ids)).toEqual(['pending-approval', 'rejected', 'pending-approval'])
    expect([(await held()) - before, await signedOf(ids[0] ?? 0)]).toEqual([0n, []])
  })

  it('keeps the sum of a list within the limits of the asset: AMOUNT_OUT_OF_RANGE', async () => {
    const ids = await several('100', '60')
    const limit = (units: string | null) =>
      sql`UPDATE assets SET withdraw_limit_24h_units = ${units}::numeric WHERE currency_code = 'USDC'`.execute(
        app.ctx.db,
      )
    await limit('150000000')
    expect((await shop.approveAll(ids)).refusal).toMatchObject({
      code: 'AMOUNT_OUT_OF_RANGE',
      data: { payoutID: ids[1] },
    })
    expect(await statesOf(ids)).toEqual(['pending-approval', 'pending-approval'])
    await limit('160000000')
    expect((await shop.approveAll(ids)).status).toBe(200)
    await limit(null)
  })

  it('counts one approval of each payout where the policy needs two', async () => {
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    await shop.setPolicy({ quorum: 2 })
    const ids = await several('10', '11')
    const first = await shop.approveAll(ids)
    expect(first.body.payouts.map(({ status }) => status)).toEqual(['pending-approval', 'pending-approval'])
    expect((await shop.approveAll(ids)).refusal?.code).toBe('PAYOUT_ALREADY_APPROVED')
    expect((await shop.approve(ids[0] ?? 0, second.key)).body.status).toBe('pending')
    expect((await shop.approveAll(ids.slice(1), second.key)).body.payouts).toEqual([{ id: ids[1], status: 'pending' }])
    await revoke(second.operatorId)
  })

  it('refuses a list with a payout of the approver where four eyes are needed: PAYOUT_SELF_APPROVAL', async () => {
    await shop.setPolicy({ fourEyes: 'off' })
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    await shop.setPolicy({ fourEyes: 'always' })
    const recipientID = await shop.recipient(OTHER_PAYEE)
    const own = (await shop.pay({ currencyCode: 'USDC', amount: '1', recipientID }, { key: second.key })).body.id
    const [foreign = 0] = await several('10')
    const { refusal } = await shop.approveAll([foreign, own], second.key)
    expect(refusal).toMatchObject({ code: 'PAYOUT_SELF_APPROVAL', data: { payoutID: own } })
    expect(await statesOf([foreign, own])).toEqual(['pending-approval', 'pending-approval'])
    await revoke(second.operatorId)
  })

  it('approves payouts of two projects together, and finds none of a project that is not the caller’s', async () => {
    const ids = [(await other.ask()).body.id, ...(await several('10'))]
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    expect((await shop.approveAll(ids, lead.key)).refusal?.code).toBe('WITHDRAWAL_NOT_FOUND')
    await revoke(lead.operatorId)
    expect((await shop.approveAll(ids)).body.payouts).toHaveLength(2)
  })

  it.each([
    ['no payout', []],
    ['one payout twice', [1, 1]],
    ['more than a hundred', Array.from({ length: 101 }, (_, at) => at + 1)],
  ])('refuses %s', async (_what, ids) => {
    expect((await shop.approveAll(ids)).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('is moved once by 100 approvals of the list at the same time (D-7)', { timeout: 120_000 }, async () => {
    const ids = await several('10', '11', '12')
    const before = await held()
    const answers = await Promise.all(Array.from({ length: 100 }, () => shop.approveAll(ids)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await held()) - before).toBe(33_000_000n)
    for (const id of ids) expect(await signedOf(id)).toHaveLength(1)
  })
})

describe('payouts approved in a list: the sender’s check before signing (X-2)', () => {
  const sign = () => signPending(asSystem(app.ctx))
  const approvedTwo = async () => {
    // The sender takes the oldest first, and what waits for a wallet would stop it.
    const { rows } = await sql<{ id: number }>`
      SELECT id::int AS id FROM withdrawals WHERE status = 'pending' ORDER BY id`.execute(app.ctx.db)
    for (const { id } of rows) expect((await shop.cancel(id)).status).toBe(200)
    const ids = await several('10', '11')
    expect((await shop.approveAll(ids)).status).toBe(200)
    return ids as [number, number]
  }

  it('signs no other bytes of one of them, and the others all the same', async () => {
    const [changed, same] = await approvedTwo()
    await sql`UPDATE withdrawals SET to_address = ${OTHER_PAYEE} WHERE id = ${changed}`.execute(app.ctx.db)
    await sign()
    expect(await statesOf([changed, same])).toEqual(['pending-approval', 'pending'])
    for (const id of [changed, same]) await shop.cancel(id)
  })

  it('counts no approval whose bytes are not in the list that was confirmed', async () => {
    const [forged, same] = await approvedTwo()
    const { rows } = await sql<{ digest: Buffer }>`
      SELECT digest FROM withdrawals WHERE id = ${forged}`.execute(app.ctx.db)
    // The list names other bytes in its place, and its digest is no longer the one over its items.
    await sql`UPDATE withdrawal_approval_lists SET items = array_replace(items, ${rows[0]?.digest}::bytea, sha256('other'))
      WHERE id = (SELECT list_id FROM withdrawal_approvals WHERE withdrawal_id = ${forged})`.execute(app.ctx.db)
    expect(await broken()).not.toEqual([])
    await sign()
    expect(await statesOf([forged, same])).toEqual(['pending-approval', 'pending-approval'])
    for (const id of [forged, same]) await shop.cancel(id)
    await sql`UPDATE withdrawal_approval_lists SET items = array_replace(items, sha256('other'), ${rows[0]?.digest}::bytea)
      WHERE sha256('other') = ANY(items)`.execute(app.ctx.db)
    expect(await broken()).toEqual([])
  })
})
