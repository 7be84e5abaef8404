import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../../db/database.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { listCandidates } from './term-store.ts'

let app: TestApp
let operator: string

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-03-01T12:00:00.000Z') })
  operator = await app.signUp()
})
afterAll(() => app.stop())

const search = (body: Record<string, unknown>, p: string) =>
  app.call(paymentsRoutes.searchProjectPayments, { params: { p }, body }, { key: operator })

describe('payments.search: many', () => {
  let busy: string

  beforeAll(async () => {
    const { rows } = await sql<{ id: number }>`
      WITH shop AS (INSERT INTO projects (name) VALUES ('Busy') RETURNING id),
      payer AS (INSERT INTO customers (project_id, customer_id, email) SELECT id, 'busy', 'busy@example.com' FROM shop RETURNING id, project_id)
      INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, expires_at, created_at)
      SELECT gen_random_uuid(), project_id, id, 1, 'system', now(), '2026-01-01'::timestamptz + n * interval '1 minute'
      FROM payer, generate_series(1, 10001) AS n RETURNING project_id AS id`.execute(app.ctx.db)
    busy = String(rows[0]?.id)
  })

  it('counts all of them by the sums of their days', async () => {
    const { body } = await search({ limit: 1 }, busy)
    expect(body).toMatchObject({ totalCount: 10_001, totalIsEstimate: false })
    expect(body.nextCursor).not.toBeNull()
  })

  it('guesses the count where it has no sums', async () => {
    const { body } = await search({ limit: 1, amountMin: '0.5' }, busy)
    expect(body.totalIsEstimate).toBe(true)
    expect(body.totalCount).toBeGreaterThan(10_000)
    // What must be sorted first is counted: a guess would refuse, or sort, too much.
    expect((await search({ limit: 1, amountMin: '0.5', sortBy: 'email' }, busy)).body).toMatchObject({
      totalCount: 10_001,
      totalIsEstimate: false,
    })
  })

  it('sorts large lists only by an indexed column', async () => {
    expect((await search({ limit: 1, sortBy: 'email' }, busy)).status).toBe(200)
    await sql`INSERT INTO payment_counts (project_id, day, status, asset_id, payments)
      VALUES (${Number(busy)}, '2025-01-01', 'OPEN', 0, 40000)`.execute(app.ctx.db)
    const { refusal } = await search({ limit: 1, sortBy: 'email' }, busy)
    expect([refusal?.code, refusal?.message]).toEqual([
      'SORT_TOO_BROAD',
      'More than 50,000 payments match. Choose dates or a filter first, then sort them by Email.',
    ])
    for (const sortBy of ['created_at', 'updated_at', 'amount_in_usd'])
      expect((await search({ limit: 1, sortBy }, busy)).status).toBe(200)
    expect((await search({ limit: 1, sortBy: 'email', dateFrom: '2025-12-01' }, busy)).status).toBe(200)
    await sql`DELETE FROM payment_counts WHERE day = '2025-01-01'`.execute(app.ctx.db)
  })

  it('finds a term that matches more customers than it lists', async () => {
    const { body } = await search({ limit: 2, query: 'bus' }, busy)
    expect(body.data.map(({ customerId }) => customerId)).toEqual(['busy', 'busy'])
    expect(body.totalIsEstimate).toBe(true)
  })

  it('finds the few that begin with a term by an index, for every cached plan', async () => {
    await sql`
      WITH payer AS (
        INSERT INTO customers (project_id, customer_id, email)
        SELECT ${Number(busy)}, 'one-of-' || n, 'payer-' || n || '@example.com' FROM generate_series(1, 10000) AS n
        RETURNING id, project_id, customer_id
      )
      INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, expires_at, invoice_id)
      SELECT gen_random_uuid(), project_id, id, 1, 'system', now(), 'bill-' || customer_id FROM payer`.execute(
      app.ctx.db,
    )
    await sql`ANALYZE customers, payments`.execute(app.ctx.db)
    const { db, close } = openDatabase(app.ctx.config.databaseUrl, { max: 1 })
    onTestFinished(close)
    // Prepared statements may keep a plan that was made for any term.
    await sql`SET plan_cache_mode = force_generic_plan`.execute(db)
    const rowsRead = async () => {
      await sql`SELECT pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql<{ n: number }>`
        SELECT sum(seq_tup_read)::int AS n FROM pg_stat_user_tables WHERE relname IN ('customers', 'payments')`.execute(
        db,
      )
      return rows[0]?.n ?? 0
    }
    const before = await rowsRead()
    for (const value of ['payer-777', 'one-of-777', 'bill-one-of-777']) {
      const found = await listCandidates({ ...app.ctx, db }, { projectIds: 'every', term: { kind: 'text', value } })
      expect(found).toHaveLength(11)
    }
    expect((await rowsRead()) - before).toBe(0)
  })
})
