import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { claimOf, OTHER_PAYEE, PAYEE, payoutShop } from '../../../testing/money-out/payouts.ts'
import { saveSetting } from '../../settings/service.ts'
import { signPending } from './service.ts'

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
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
})

const held = () => claimOf(app, 'project:held', `project:${shop.projectId}`)
const sign = () => signPending(asSystem(app.ctx))
/** A payout that people have let go. */
const approved = async (body: Parameters<typeof shop.ask>[0] = {}) => {
  const { id } = (await shop.ask(body)).body
  expect((await shop.approve(id)).body.status).toBe('pending')
  return id
}
const stateOf = async (id: number) => {
  const { status, waitReason } = (await shop.read(id)).body
  return [status, waitReason]
}
const end = async (id: number) => expect((await shop.cancel(id)).status).toBe(200)
const revoke = (operatorId: number) =>
  sql`UPDATE operators SET state = 'inactive' WHERE id = ${operatorId}`.execute(app.ctx.db)

describe('payouts: the sender’s checks before signing (X-2, X-3)', () => {
  it('waits for a hot wallet, and says so', async () => {
    const id = await approved()
    expect(await sign()).toBe(0)
    expect(await stateOf(id)).toEqual(['pending', 'NO_WALLET'])
    await end(id)
  })

  it('waits while sending is paused, and continues afterwards', async () => {
    const id = await approved()
    await shop.setPolicy({ paused: true })
    await sign()
    expect(await stateOf(id)).toEqual(['pending', 'PAUSED'])
    await shop.setPolicy({ paused: false })
    await sign()
    expect(await stateOf(id)).toEqual(['pending', 'NO_WALLET'])
    await saveSetting(asSystem(app.ctx), { key: 'payouts.sending', value: 'paused' })
    await sign()
    expect(await stateOf(id)).toEqual(['pending', 'PAUSED'])
    const { paused, installPausedAt } = (await shop.setPolicy({})).body.payoutConfig
    expect([paused, installPausedAt]).toEqual([false, expect.any(Date)])
    await saveSetting(asSystem(app.ctx), { key: 'payouts.sending', value: 'on' })
    await end(id)
  })

  it('waits until the address is known for long enough', async () => {
    const id = await approved()
    await shop.setPolicy({ recipientDelayHours: 24 })
    await sign()
    expect(await stateOf(id)).toEqual(['pending', 'LIMIT'])
    await end(id)
  })

  it('does not wait where no waiting time is set, though its clock is behind that of the requesting process', async () => {
    const id = await approved()
    const behind = () => new Date(app.ctx.now().getTime() - 3_600_000)
    await signPending({ ...asSystem(app.ctx), now: behind })
    expect(await stateOf(id)).toEqual(['pending', 'NO_WALLET'])
    await end(id)
  })

  it('asks people again when the policy became stricter between approval and signature', async () => {
    // The owner made the key that asks.
    await shop.setPolicy({ fourEyes: 'off' })
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    const id = await approved()
    const before = await held()
    await shop.setPolicy({ quorum: 2 })
    await sign()
    expect(await stateOf(id)).toEqual(['pending-approval', 'APPROVAL'])
    expect((await held()) - before).toBe(-100_000_000n)
    // What was approved before was approved under other rules.
    expect((await shop.read(id)).body.approvals).toMatchObject({ required: 2, given: [{ counts: false }] })
    await shop.approve(id)
    expect((await shop.approve(id, second.key)).body.status).toBe('pending')
    await revoke(second.operatorId)
    await shop.cancel(id)
  })

  it('asks people again when the policy let it go alone and would not any more', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '500' })
    const { id } = (await shop.ask()).body
    await shop.setPolicy({ autoApproveLimitInUSD: '50' })
    await sign()
    expect(await stateOf(id)).toEqual(['pending-approval', 'APPROVAL'])
    await end(id)
  })

  it('asks people again for an address that left the allow list', async () => {
    const id = await approved()
    await shop.setPolicy({ allowList: [OTHER_PAYEE] })
    await sign()
    expect(await stateOf(id)).toEqual(['pending-approval', 'APPROVAL'])
    expect((await shop.approve(id)).refusal?.code).toBe('ADDRESS_BLOCKED')
    await end(id)
  })

  it('lets the same approver approve again once the obstacle has ended', async () => {
    const id = await approved()
    const limit = (units: string | null) =>
      sql`UPDATE assets SET withdraw_limit_24h_units = ${units}::numeric WHERE currency_code = 'USDC'`.execute(
        app.ctx.db,
      )
    await limit('1000000')
    await sign()
    expect(await stateOf(id)).toEqual(['pending-approval', 'APPROVAL'])
    expect((await shop.approve(id)).refusal?.code).toBe('AMOUNT_OUT_OF_RANGE')
    await limit(null)
    expect((await shop.approve(id)).body.status).toBe('pending')
    expect((await shop.read(id)).body.approvals.given).toHaveLength(1)
    await sign()
    expect(await stateOf(id)).toEqual(['pending', 'NO_WALLET'])
    await end(id)
  })

  it('asks for approval again when an approver may not approve any more', async () => {
    // The owner made the key that asks.
    await shop.setPolicy({ fourEyes: 'off' })
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    const { id } = (await shop.ask()).body
    expect((await shop.approve(id, second.key)).body.status).toBe('pending')
    await revoke(second.operatorId)
    await sign()
    expect(await stateOf(id)).toEqual(['pending-approval', 'APPROVAL'])
    expect((await shop.approve(id)).body.status).toBe('pending')
    await end(id)
  })

  it('asks for approval again when an approver of a list left, though the payout alone would need nobody', async () => {
    await shop.setPolicy({ fourEyes: 'off', autoApproveLimitInUSD: '150', quorumRules: [] })
    const second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
    const recipientID = await shop.recipient(PAYEE)
    const row = { recipientID, currencyCode: 'USDC', amount: '100' }
    const rows = ['list-1', 'list-2'].map((clientReference) => ({ ...row, clientReference }))
    const [id = 0, other = 0] = (await shop.payAll(rows)).body.payouts.map((payout) => payout.id)
    expect((await shop.approve(id, second.key)).body.status).toBe('pending')
    await revoke(second.operatorId)
    await sign()
    expect(await stateOf(id)).toEqual(['pending-approval', 'APPROVAL'])
    const { approvals, policyDecision } = (await shop.read(id)).body
    expect([approvals.required, policyDecision.list?.payouts]).toEqual([1, 2])
    await shop.cancel(other)
    await end(id)
  })

  it('never signs another address than was approved', async () => {
    const id = await approved()
    await sql`UPDATE withdrawals SET to_address = ${OTHER_PAYEE} WHERE id = ${id}`.execute(app.ctx.db)
    await sign()
    const { body } = await shop.read(id)
    expect([body.status, body.approvals.given.map(({ counts }) => counts)]).toEqual(['pending-approval', [false]])
    await end(id)
  })
})
