import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { payoutShop } from '../../../testing/money-out/payouts.ts'
import { addOperator } from '../../../testing/operators.ts'

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await payoutShop(app, root)
})
afterAll(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
  await sql`UPDATE operators SET state = 'inactive' WHERE customer_id <> 'root'`.execute(app.ctx.db)
})

describe('D5: a payout that waits for approval', () => {
  it('says what to do where nobody is left who may approve', async () => {
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    const { id, waits } = (await shop.ask({ amount: '1' })).body
    expect(waits?.params).toEqual({ given: 0, needed: 1, able: 1, permission: 'payout:approve' })
    const roles = (roleName: string) =>
      app.call(membersRoutes.replaceRoles, { params: { id: second.operatorId }, body: { roleName } }, { key: root })
    await roles('auditor')
    const { body } = await shop.read(id)
    expect([body.approvals.byOthersOnly, body.waits]).toEqual([
      true,
      {
        code: 'APPROVAL',
        params: { given: 0, needed: 1, able: 0, permission: 'payout:approve' },
        text: 'It needs 1 approval and has 0. Nobody is left who may approve it: give a member a role with payout:approve, or cancel it.',
      },
    ])
    expect((await shop.approve(id)).refusal?.code).toBe('PAYOUT_SELF_APPROVAL')
    await roles('admin')
    expect((await shop.approve(id, second.key)).body.status).toBe('pending')
  })

  it('says who cannot approve by the policy as it is now, as the decision does', async () => {
    await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    await shop.setPolicy({ fourEyes: 'off' })
    const { id } = (await shop.ask({ amount: '1' })).body
    const isForbidden = async () => (await shop.read(id)).body.approvals.byOthersOnly
    expect(await isForbidden()).toBe(false)
    await shop.setPolicy({ fourEyes: 'always' })
    expect([await isForbidden(), (await shop.approve(id)).refusal?.code]).toEqual([true, 'PAYOUT_SELF_APPROVAL'])
    await shop.setPolicy({ autoApproveLimitInUSD: '150' })
    expect([await isForbidden(), (await shop.approve(id)).body.status]).toEqual([false, 'pending'])
  })

  it('says what a policy that became stricter asks of it, and which approvals still count, before anybody decides', async () => {
    const [second, third] = [
      await addOperator(app, { projectId: shop.projectId, role: 'admin' }),
      await addOperator(app, { projectId: shop.projectId, role: 'admin' }),
    ]
    await shop.setPolicy({ quorum: 2, fourEyes: 'off' })
    const { id } = (await shop.ask()).body
    await shop.approve(id)
    const before = (await shop.read(id)).body
    expect([before.approvals.required, before.approvals.given[0]?.counts]).toEqual([2, true])
    await shop.setPolicy({ quorum: 3 })
    const { body } = await shop.read(id)
    expect(body.approvals).toMatchObject({ required: 3, given: [{ counts: false }], byOthersOnly: false })
    expect(body.waits?.params).toMatchObject({ given: 0, needed: 3, able: 3 })
    expect(body.policyDecision).toMatchObject({ approvalsNeeded: 3, fourEyes: false, policyVersion: 3 })
    const { approvals, ...decided } = (await shop.approve(id, second.key)).body
    expect(decided).toMatchObject({
      digest: body.digest,
      words: body.words,
      waits: { params: { given: 1, needed: 3 } },
    })
    expect([body.digest === before.digest, approvals.given.length]).toEqual([false, 2])
    expect((await shop.approve(id, third.key)).body.waits?.params).toMatchObject({ given: 2, needed: 3 })
    expect((await shop.approve(id)).body.status).toBe('pending')
  })

  it('withholds from who requested it what a window alone sends to people, as the decision does', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '150', hourlyLimitInUSD: '1', dailyLimitInUSD: '100000' })
    const { id, approvals } = (await shop.ask({ amount: '2' })).body
    expect(approvals).toMatchObject({ required: 1, byOthersOnly: false })
    await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    const isForbidden = async () => (await shop.read(id)).body.approvals.byOthersOnly
    expect([await isForbidden(), (await shop.approve(id)).refusal?.code]).toEqual([true, 'PAYOUT_SELF_APPROVAL'])
    await shop.setPolicy({ hourlyLimitInUSD: '100000' })
    expect([await isForbidden(), (await shop.approve(id)).body.status]).toEqual([false, 'pending'])
  })
})
