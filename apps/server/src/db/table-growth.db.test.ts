import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../testing/app.ts'
import { type Db, openDatabase } from './database.ts'
import { analyzeGrown } from './table-growth.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const fill = (count: number) =>
  sql`INSERT INTO customers (project_id, customer_id, email)
    SELECT (SELECT min(id) FROM projects), gen_random_uuid()::text, 'payer@shop.example'
    FROM generate_series(1, ${count}::int)`.execute(app.ctx.db)

/** How PostgreSQL runs the statement of a connection that looks a customer up by id. */
async function planOf(db: Db): Promise<string> {
  const find = sql`SELECT email FROM customers WHERE id = ${1}`
  for (let time = 0; time < 8; time += 1) await find.execute(db)
  const { rows: known } = await sql<{ name: string }>`
    SELECT name FROM pg_prepared_statements WHERE statement LIKE 'SELECT email FROM customers WHERE id = %'`.execute(db)
  const name = known[0]?.name ?? expect.fail('the statement was not prepared')
  const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN EXECUTE ${sql.id(name)}(1)`.execute(db)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe('database.analyzeGrown', () => {
  it('has statements planned anew that were planned for an empty table', async () => {
    await sql`INSERT INTO projects (name) VALUES ('Shop')`.execute(app.ctx.db)
    await sql`VACUUM ANALYZE customers`.execute(app.ctx.db)
    const { db, close } = openDatabase(app.connectionString, { isDirect: true })
    await db.connection().execute(async (connection) => {
      expect(await planOf(connection)).toContain('Seq Scan on customers')
      await fill(2_000)
      expect(await planOf(connection)).toContain('Seq Scan on customers')
      expect(await analyzeGrown(app.ctx.db)).toContain('customers')
      expect(await planOf(connection)).toContain('Index Scan using customers_')
    })
    await close()
  })

  it('leaves a table alone until it has grown fourfold', async () => {
    expect(await analyzeGrown(app.ctx.db)).not.toContain('customers')
    await fill(2_000)
    expect(await analyzeGrown(app.ctx.db)).not.toContain('customers')
    await fill(5_000)
    expect(await analyzeGrown(app.ctx.db)).toContain('customers')
  })
})
