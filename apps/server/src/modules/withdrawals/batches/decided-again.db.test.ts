import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { OTHER_PAYEE, PAYEE, payoutShop } from '../../../testing/money-out/payouts.ts'
import { signPending } from '../sending/service.ts'

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>
let second: Awaited<ReturnType<typeof addOperator>>
let recipients: number[]
let n = 0

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await payoutShop(app, root)
  second = await addOperator(app, { projectId: shop.projectId, role: 'admin' })
  recipients = [await shop.recipient(PAYEE), await shop.recipient(OTHER_PAYEE)]
})
afterAll(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await sql`UPDATE withdrawals SET decided_at = decided_at - interval '5 days'`.execute(app.ctx.db)
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
  await shop.setPolicy({ fourEyes: 'off', autoApproveLimitInUSD: '150', quorumRules: [] })
})

/** Requests a list, and returns the numbers of its payouts. */
const requested = async (...amounts: string[]): Promise<number[]> => {
  n += 1
  const rows = amounts.map((amount, at) => ({
    ...{ recipientID: recipients[at % 2] ?? 0, currencyCode: 'USDC', amount, clientReference: `list-${n}-${at}` },
  }))
  return (await shop.payAll(rows)).body.payouts.map(({ id }) => id)
}
const detail = async (id = 0) => {
  const { status, approvals, policyDecision } = (await shop.read(id)).body
  return { status, required: approvals.required, ...policyDecision }
}
const cancelAll = async (ids: readonly number[]) => {
  for (const id of ids) expect((await shop.cancel(id)).status).toBe(200)
}
/** Two approvals above an amount that the list of these tests exceeds, and none of its payouts. */
const STEP = { quorumRules: [{ aboveUSD: '180', approvals: 2 }] }

describe('D21: a list whose policy becomes stricter', () => {
  it('is judged by its sum at the approval, as it was at the request', async () => {
    const ids = await requested('100', '100')
    expect((await detail(ids[0])).required).toBe(1)
    await shop.setPolicy(STEP)
    expect((await shop.approve(ids[0] ?? 0)).body.status).toBe('pending-approval')
    const { required, rule, list, hourUsed } = await detail(ids[0])
    expect([required, rule, list?.payouts]).toEqual([2, 'over_step', 2])
    expect(Number(hourUsed)).toBeCloseTo(200, 0)
    expect((await shop.approve(ids[0] ?? 0, second.key)).body.status).toBe('pending')
    // The other one counts the list once, though a part of it is decided.
    await shop.approve(ids[1] ?? 0)
    const other = await detail(ids[1])
    expect([other.required, Number(other.hourUsed).toFixed(0)]).toEqual([2, '200'])
    await cancelAll(ids)
  })

  it('is judged by its sum when several are approved together', async () => {
    const ids = await requested('100', '100')
    await shop.setPolicy(STEP)
    expect((await shop.approveAll(ids)).body.payouts.map(({ status }) => status)).toEqual(
      ids.map(() => 'pending-approval'),
    )
    expect((await shop.approveAll(ids, second.key)).body.payouts.map(({ status }) => status)).toEqual(
      ids.map(() => 'pending'),
    )
    await cancelAll(ids)
  })

  it('is judged by its sum before it is signed', async () => {
    const ids = await requested('100', '100')
    await shop.approveAll(ids)
    await shop.setPolicy(STEP)
    await signPending(asSystem(app.ctx))
    const { status, required } = await detail(ids[0])
    expect([status, required]).toEqual(['pending-approval', 2])
    await cancelAll(ids)
  })

  it('is signed without people where the windows hold its sum once', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '1000', hourlyLimitInUSD: '450' })
    const ids = await requested('200', '200')
    // The sender stops at the first one, for want of a wallet: it counts the other one, too.
    await sql`UPDATE withdrawals SET decided_at = (SELECT max(decided_at) FROM withdrawals)
      WHERE id = ANY(${ids}::bigint[])`.execute(app.ctx.db)
    await signPending(asSystem(app.ctx))
    expect((await detail(ids[0])).status).toBe('pending')
    expect((await detail(ids[1])).status).toBe('pending')
    await cancelAll(ids)
  })

  it('does not show the number by which its payouts know each other', async () => {
    const [id = 0] = await requested('100', '100')
    expect(Object.keys((await detail(id)).list ?? {})).toEqual(['payouts', 'amountInUSD'])
  })
})
