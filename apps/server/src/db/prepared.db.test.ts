import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testDatabase, type TestDatabase } from '../testing/database/test-database.ts'
import { type DatabasePool, openDatabase } from './database.ts'

let database: TestDatabase
let direct: DatabasePool

beforeAll(async () => {
  database = await testDatabase()
  direct = openDatabase(database.connectionString, { max: 1, isDirect: true })
})
afterAll(async () => {
  await direct.close()
  await database.drop()
})

const prepared = async (pool: DatabasePool) =>
  (await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(pool.db)).rows

const say = (pool: DatabasePool, word: string) => sql<{ word: string }>`SELECT ${word}::text AS word`.execute(pool.db)

describe('db.prepareStatements', () => {
  it('prepares a statement once and gives each call its own values', async () => {
    for (const word of ['one', 'two', 'three']) expect((await say(direct, word)).rows).toEqual([{ word }])
    expect((await prepared(direct)).filter(({ statement }) => statement.includes('AS word'))).toHaveLength(1)
  })

  it('prepares nothing behind a pooler', async () => {
    const pooled = openDatabase(database.connectionString, { max: 1 })
    await say(pooled, 'one')
    expect(await prepared(pooled)).toEqual([])
    await pooled.close()
  })

  it('goes on with a new connection after a migration changed what a statement gives', async () => {
    await sql`CREATE TABLE things (id int)`.execute(direct.db)
    const read = () => sql`SELECT * FROM things WHERE id <> ${0}`.execute(direct.db)
    await read()
    await sql`ALTER TABLE things ADD COLUMN name text`.execute(direct.db)
    await expect(read()).rejects.toThrow('cached plan must not change result type')
    expect((await read()).rows).toEqual([])
  })
})
