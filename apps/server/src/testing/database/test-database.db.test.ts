import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestDatabase, testDatabase } from './test-database.ts'

describe('testDatabase', () => {
  let one: TestDatabase
  let other: TestDatabase

  beforeAll(async () => {
    ;[one, other] = await Promise.all([testDatabase(), testDatabase()])
  })
  afterAll(async () => {
    await Promise.all([one.drop(), other.drop()])
  })

  async function query(database: TestDatabase, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(sql)
    await client.end()
    return rows
  }

  it('gives each caller a database that the other does not see', async () => {
    await query(one, 'CREATE TABLE only_here (id int)')
    expect(await query(one, `SELECT to_regclass('only_here') IS NOT NULL AS found`)).toEqual([{ found: true }])
    expect(await query(other, `SELECT to_regclass('only_here') IS NOT NULL AS found`)).toEqual([{ found: false }])
  })

  it('hands out databases that are migrated', async () => {
    const tables = await query(one, `SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'`)
    expect(tables.length).toBeGreaterThan(1)
  })
})
