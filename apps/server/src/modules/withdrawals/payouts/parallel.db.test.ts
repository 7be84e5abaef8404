import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { ASSET, dollars } from '../../../testing/cashier.ts'
import { claimOf } from '../../../testing/money-out/payouts.ts'
import { openRefundShop, type RefundShop } from '../../../testing/money-out/refunds.ts'
import { saveSetting } from '../../settings/service.ts'

/** `KASSA_PARALLEL_RUNS=100` repeats each case so many times, with 1,000 requests in waves of 100; approvals are always 100. */
const MANY = Number(process.env['KASSA_PARALLEL_RUNS'] ?? 0)
const RUNS = Array.from({ length: Math.max(1, MANY) }, (_, at) => at + 1)
const WAVES = MANY > 0 ? 10 : 1
const AT_ONCE = 100

/** A refused call costs nearly as much as one that is done. */
const REFUSED_FOR_MS = 50
const RUN_MS = 300_000

let app: RefundShop['app']
let shop: RefundShop['shop']

beforeAll(async () => {
  const opened = await openRefundShop()
  ;({ app, shop } = opened)
  // What the shop has earned: a hundred dollars.
  const { to } = await opened.cashier.newPayment()
  await opened.eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
  await opened.eth.mine()
})
afterAll(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  // What a test left open holds money: it is given back. Windows count what was decided within a day.
  const { rows } = await sql<{ id: number }>`
    SELECT id::int AS id FROM withdrawals WHERE status = 'pending' ORDER BY id`.execute(app.ctx.db)
  for (const { id } of rows) await persistent(() => shop.cancel(id))
  await sql`
    UPDATE withdrawals SET decided_at = decided_at - interval '2 days'
     WHERE decided_at > now() - interval '1 day'`.execute(app.ctx.db)
  // The tests' server cleans nothing by itself: what earlier runs left behind would slow down every later one.
  await sql`VACUUM (ANALYZE) withdrawals, idempotency_keys`.execute(app.ctx.db)
})

const held = () => claimOf(app, 'project:held', `project:${shop.projectId}`)
const balance = () => claimOf(app, 'project:balance', `project:${shop.projectId}`)

/** Requests of ten dollars, as many at a time as come from one shop; how many went without a person, and how many wait for one. */
async function askAll(): Promise<[pending: number, waiting: number]> {
  const states: string[] = []
  for (let wave = 0; wave < WAVES; wave += 1) {
    const ask = () => persistent(() => shop.ask({ amount: '10' }))
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask))
    states.push(...answers.map(({ body }) => body.status))
  }
  const count = (wanted: string) => states.filter((state) => state === wanted).length
  return [count('pending'), count('pending-approval')]
}

describe.each(RUNS)('payouts that are asked for at the same time, run %i', () => {
  it('go as many as the window holds (X-1)', { timeout: RUN_MS }, async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '10', hourlyLimitInUSD: '100' })
    const before = await held()
    expect(await askAll()).toEqual([10, WAVES * AT_ONCE - 10])
    expect((await held()) - before).toBe(dollars(100))
  })

  it('never take more than was earned, where that is the bound', { timeout: RUN_MS }, async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '10', hourlyLimitInUSD: '100000', dailyLimitInUSD: '100000' })
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'earned' })
    expect(await balance()).toBe(dollars(100))
    expect(await askAll()).toEqual([10, WAVES * AT_ONCE - 10])
    expect([await balance(), await held()]).toEqual([0n, dollars(100)])
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'float' })
  })

  it('are moved once by 100 approvals (D-7)', { timeout: RUN_MS }, async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '0' })
    const { body } = await shop.ask()
    const before = await held()
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => persistent(() => shop.approve(body.id))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = new Set(answers.flatMap(({ refusal }) => refusal?.code ?? []))
    expect([...refused]).toEqual(['PAYOUT_NOT_PENDING'])
    expect((await held()) - before).toBe(dollars(100))
  })
})

/** As a client does: what was refused because of too many calls at once has done nothing, and is sent again a little later. */
async function persistent<A extends { readonly status: number }>(call: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 429 && answer.status !== 503) return answer
    await pause(REFUSED_FOR_MS)
    await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  }
}
