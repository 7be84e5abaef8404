import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../../testing/context.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { countByStatus, foldCounts } from './count-store.ts'
import type { CountFilter } from './rules.ts'

let test: TestContext
const FIRST_DAY = Date.parse('2026-03-01T00:00:00Z')
const HOUR = 3_600_000

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  await sql`INSERT INTO projects (name) VALUES ('One'), ('Two')`.execute(test.ctx.db)
  await sql`INSERT INTO customers (project_id, customer_id) SELECT id, 'c' FROM projects`.execute(test.ctx.db)
  await sql`
    INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, expires_at, created_at, status,
      asset_id, due_units, cancel_reason)
    SELECT gen_random_uuid(), customer.project_id, customer.id, 1, 'user', now(),
      ${new Date(FIRST_DAY)}::timestamptz + n * interval '47 minutes',
      (ARRAY['OPEN', 'FILLED', 'CANCELLED'])[n % 3 + 1], nullif(n % 4, 0), nullif(n % 4, 0), 'expired'
    FROM customers AS customer, generate_series(1, 200) AS n`.execute(test.ctx.db)
})
afterAll(() => test.stop())

/** Half-hours from the first day on: some at midnight, most not. */
const moment = fc.option(fc.integer({ min: -4, max: 340 }), { nil: undefined })
const filters = fc
  .record({
    projectIds: fc.constantFrom<CountFilter['projectIds']>('every', [1], [2], [1, 2], []),
    from: moment,
    to: moment,
    statuses: fc.subarray(['OPEN', 'FILLED', 'CANCELLED']),
    currencies: fc.subarray(['ETH', 'USDC']),
  })
  .map(({ from, to, ...filter }): CountFilter => {
    const at = (halfHours: number) => new Date(FIRST_DAY + (halfHours * HOUR) / 2)
    return {
      ...filter,
      created: { ...(from !== undefined && { from: at(from) }), ...(to !== undefined && { to: at(to) }) },
    }
  })

async function counted({ projectIds, created, statuses = [], currencies = [] }: CountFilter) {
  const { rows } = await sql<{ status: string; count: bigint }>`
    SELECT status, count(*) AS count FROM payments AS payment LEFT JOIN assets AS asset ON asset.id = payment.asset_id
    WHERE (${projectIds === 'every'} OR project_id = ANY (${projectIds === 'every' ? [] : projectIds}::int[]))
      AND (${statuses.length === 0} OR status = ANY (${statuses}::text[]))
      AND (${currencies.length === 0} OR asset.currency_code = ANY (${currencies}::text[]))
      AND payment.created_at >= ${created.from ?? '-infinity'} AND payment.created_at <= ${created.to ?? 'infinity'}
    GROUP BY status`.execute(test.ctx.db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
}

const summed = async (filter: CountFilter) =>
  Object.fromEntries([...(await countByStatus(test.ctx, filter))].filter(([, count]) => count !== 0))

describe('payments: counts by status', () => {
  it('are those of the payments, for any span and filter', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        expect(await summed(filter)).toEqual(await counted(filter))
      }),
      { numRuns: 60 },
    )
  })

  it('stay the same when changes are compacted, and include later changes', async () => {
    const all: CountFilter = { projectIds: 'every', created: {} }
    const before = await summed(all)
    expect(await foldCounts(test.ctx)).toBeGreaterThan(0)
    expect(await summed(all)).toEqual(before)
    expect(await foldCounts(test.ctx)).toBe(0)
    await sql`UPDATE payments SET status = 'FILLED' WHERE status = 'OPEN'`.execute(test.ctx.db)
    await sql`UPDATE payments SET late = true`.execute(test.ctx.db)
    expect(await summed(all)).toEqual(await counted(all))
    await foldCounts(test.ctx)
    expect(await summed(all)).toEqual(await counted(all))
  })
})
