import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { openShop } from '../../../testing/shop.ts'
import { openTill, type Till } from '../../../testing/till.ts'

const DAY = 24 * 3_600_000

let app: TestApp
let till: Till

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  till = openTill(app, await openShop(app, await app.signUp()))
})
afterAll(() => app.stop())

const stateOf = async (ref: string) => (await till.show(ref)).paymentState

describe('payments.expirePayments', () => {
  it('lets one that cannot be ended keep no other from it, and ends it once it can', async () => {
    const [before, odd, after] = [await till.newPayment(), await till.newPayment(), await till.newPayment()]
    await sql`ALTER TABLE payments ADD CONSTRAINT odd
      CHECK (status = 'OPEN' OR reference_id <> ${sql.lit(odd.ref)}::uuid)`.execute(app.ctx.db)
    till.pass(DAY)
    expect(await till.expire()).toBe(2)
    expect([await stateOf(before.ref), await stateOf(odd.ref), await stateOf(after.ref)]).toEqual([
      'CANCELLED',
      'OPEN',
      'CANCELLED',
    ])
    expect(app.logLines.join('')).toContain('a payment whose time is up cannot be ended')
    await sql`ALTER TABLE payments DROP CONSTRAINT odd`.execute(app.ctx.db)
    expect(await till.expire()).toBe(1)
    expect(await till.told(odd.ref)).toEqual(['payment.cancelled'])
  })

  it('ends each once when several processes look at the same moment', async () => {
    const made = [await till.newPayment(), await till.newPayment(), await till.newPayment()]
    till.pass(DAY)
    const counts = await Promise.all([till.expire(), till.expire(), till.expire()])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
    for (const { ref } of made) expect(await till.told(ref)).toEqual(['payment.cancelled'])
  })
})
