import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../../db/database.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { readFilter } from './rules.ts'
import { countFound, listFound, openSearch } from './store.ts'
import { listCandidates } from './term-store.ts'

const NEWEST = { sort: 'created_at', isAscending: false, from: null, limit: 10, offset: 0 } as const

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

  it('reads a page of those that need attention, not all of them', async () => {
    await sql`UPDATE payments SET status = 'PARTIALLY_FILLED' WHERE project_id = ${Number(busy)} AND invoice_id = ''`.execute(
      app.ctx.db,
    )
    await sql`VACUUM ANALYZE payments`.execute(app.ctx.db)
    const { db, close } = openDatabase(app.ctx.config.databaseUrl, { max: 1 })
    onTestFinished(close)
    const ctx = { ...app.ctx, db }
    const rowsRead = async () => {
      await sql`SELECT pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql<{ n: number }>`
        SELECT (seq_tup_read + idx_tup_fetch)::int AS n FROM pg_stat_user_tables WHERE relname = 'payments'`.execute(db)
      return rows[0]?.n ?? 0
    }
    const inNeed = await openSearch(ctx, readFilter({ paymentStatus: ['NEEDS_ATTENTION'] }, [Number(busy)]))
    const before = await rowsRead()
    expect(await listFound(ctx, inNeed, NEWEST)).toHaveLength(11)
    expect((await rowsRead()) - before).toBeLessThan(100)
    expect((await countFound(ctx, inNeed)).isEstimate).toBe(true)
  })
})

describe('payments.search: paid in a time', () => {
  let project: number

  beforeAll(async () => {
    const { rows } = await sql<{ id: number }>`
      WITH shop AS (INSERT INTO projects (name) VALUES ('Paid') RETURNING id)
      INSERT INTO customers (project_id, customer_id, email) SELECT id, 'paying', '' FROM shop RETURNING project_id AS id`.execute(
      app.ctx.db,
    )
    project = rows[0]?.id ?? 0
    const at = '2026-01-02T12:00:00Z'
    await paidBy('once', { count: 1, at, madeAt: '2026-01-02T11:00:00Z' })
    await paidBy('twice', { count: 2, at, madeAt: '2026-01-02T11:30:00Z' })
    await paidBy('made later', { count: 3, at, madeAt: '2026-01-20T11:00:00Z' })
    await paidBy('another day', { count: 1, at: '2026-01-03T00:00:00Z' })
  })
  // The books are checked when the tests have ended.
  afterAll(() =>
    sql`SET session_replication_role = replica; DELETE FROM deposits WHERE project_id = ${sql.raw(String(project))};
      SET session_replication_role = origin`.execute(app.ctx.db),
  )

  /** Makes a payment with deposits of a dollar each, one of them counted; there are no entries for them. */
  async function paidBy(invoice: string, { count, at, madeAt = at }: { count: number; at: string; madeAt?: string }) {
    await sql`
      WITH paid AS (
        INSERT INTO payments (reference_id, project_id, customer_id, invoice_id, amount_usd, created_by, expires_at, created_at)
        SELECT gen_random_uuid(), project_id, id, ${invoice}, 1, 'system', now(), ${madeAt}::timestamptz
        FROM customers WHERE customer_id = 'paying' RETURNING *
      ), silent AS MATERIALIZED (SELECT set_config('session_replication_role', 'replica', true))
      INSERT INTO deposits (blockchain_id, asset_id, address_id, tx_id, leg, kind, evidence, to_address, units, height, block_hash,
        block_time, confirmations_required, rule, status, customer_id, project_id, payment_id, counted_units, counted_usd, seen_at)
      SELECT 1, 1, 0, ${invoice} || n, 'log:0', 'token', 'receipt', '0x', 1, 1, '0x', ${at}::timestamptz, 1, 'depth', 'applied',
        customer_id, project_id, id, 1, 1, ${at}::timestamptz
      FROM silent, paid, generate_series(1, ${count}::int) AS n`.execute(app.ctx.db)
  }

  it.each(['from deposits', 'among the newest', 'among those of its time', 'all of them'] as const)(
    'finds what was paid in a time %s',
    async (paidWay) => {
      const filter = readFilter({ dateField: 'paid', dateFrom: '2026-01-02', dateTo: '2026-01-02' }, [project])
      const search = { ...(await openSearch(app.ctx, filter)), paidWay }
      const rows = await listFound(app.ctx, search, NEWEST)
      expect(rows.map((row) => [row.invoice_id, Number(row.paid_usd)])).toEqual([
        // It was made after its deposit came: a person assigned that.
        ['made later', 3],
        ['twice', 2],
        ['once', 1],
      ])
      expect(await countFound(app.ctx, search)).toEqual({ count: 3, isEstimate: false })
    },
  )

  it('begins with the deposits of a time as long as they are few', async () => {
    const wayOf = async (dateTo: string) =>
      (await openSearch(app.ctx, readFilter({ dateField: 'paid', dateTo }, [project]))).paidWay
    expect(await wayOf('2026-02-20')).toBe('from deposits')
    await paidBy('many', { count: 50_001, at: '2026-02-10T12:00:00Z' })
    expect(await wayOf('2026-02-20')).toBe('among those of its time')
    expect(await wayOf('2026-03-01')).toBe('among the newest')
  })
})
