import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { openShop } from '../../../testing/shop.ts'
import { openCashier, type Cashier } from '../../../testing/cashier.ts'

const DAY = 24 * 3_600_000

let app: TestApp
let cashier: Cashier

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  cashier = openCashier(app, await openShop(app, await app.signUp()))
})
afterAll(() => app.stop())

const stateOf = async (ref: string) => (await cashier.show(ref)).paymentState

describe('payments.expirePayments', () => {
  it('expires the others when one fails, and retries that one', async () => {
    const [before, faulty, after] = [await cashier.newPayment(), await cashier.newPayment(), await cashier.newPayment()]
    await sql`ALTER TABLE payments ADD CONSTRAINT odd
      CHECK (status = 'OPEN' OR reference_id <> ${sql.lit(faulty.ref)}::uuid)`.execute(app.ctx.db)
    cashier.pass(DAY)
    expect(await cashier.expire()).toBe(2)
    expect([await stateOf(before.ref), await stateOf(faulty.ref), await stateOf(after.ref)]).toEqual([
      'CANCELLED',
      'OPEN',
      'CANCELLED',
    ])
    expect(app.logLines.join('')).toContain('a payment could not expire')
    await sql`ALTER TABLE payments DROP CONSTRAINT odd`.execute(app.ctx.db)
    expect(await cashier.expire()).toBe(1)
    expect(await cashier.emitted(faulty.ref)).toEqual(['payment.cancelled'])
  })

  it('expires each once when several processes run at the same time', async () => {
    const made = [await cashier.newPayment(), await cashier.newPayment(), await cashier.newPayment()]
    cashier.pass(DAY)
    const counts = await Promise.all([cashier.expire(), cashier.expire(), cashier.expire()])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
    for (const { ref } of made) expect(await cashier.emitted(ref)).toEqual(['payment.cancelled'])
  })
})
