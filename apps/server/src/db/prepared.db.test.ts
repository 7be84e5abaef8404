import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { recordStatements } from '../testing/statements.ts'
import { testDatabase, type TestDatabase } from '../testing/db.ts'
import { type DatabasePool, openDatabase } from './database.ts'

let database: TestDatabase
let direct: DatabasePool
let other: DatabasePool

beforeAll(async () => {
  database = await testDatabase()
  direct = openDatabase(database.connectionString, { max: 1, isDirect: true })
  other = openDatabase(database.connectionString, { max: 1 })
})
afterAll(async () => {
  await direct.close()
  await other.close()
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

describe('db.beginWith', () => {
  const count = async () => (await sql<{ n: number }>`SELECT count(*)::int AS n FROM made`.execute(other.db)).rows[0]?.n
  const insert = (pool: Pick<DatabasePool, 'db'>, id: number) => sql`INSERT INTO made VALUES (${id})`.execute(pool.db)
  const inTransaction = (work: (db: Pick<DatabasePool, 'db'>) => Promise<unknown>, pool = direct) =>
    pool.db.transaction().execute((db) => work({ db }))
  class Undone extends Error {}

  beforeAll(async () => {
    await sql`CREATE TABLE made (id int PRIMARY KEY)`.execute(direct.db)
    await insert(direct, 0)
  })
  afterEach(() => sql`DELETE FROM made WHERE id > 0`.execute(other.db))

  it('asks once for the beginning and the first statement', async () => {
    const statements = recordStatements()
    const pool = openDatabase(database.connectionString, { max: 1, isDirect: true })
    await inTransaction((tx) => insert(tx, 1), pool)
    statements.take()
    await inTransaction(async (tx) => {
      expect((await insert(tx, 2)).numAffectedRows).toBe(1n)
      const { rows } = await sql`SELECT id FROM made WHERE id > ${0} ORDER BY id`.execute(tx.db)
      expect(rows).toEqual([{ id: 1 }, { id: 2 }])
      expect(await count()).toBe(2)
    }, pool)
    const own = statements.take().filter((text) => /begin|INSERT|commit/.test(text))
    expect(own).toEqual(['INSERT INTO made VALUES ($1)', 'commit'])
    expect(await count()).toBe(3)
    await pool.close()
  })

  it('takes everything back when the work is given up, whatever the first statement was', async () => {
    const given = async (tx: Pick<DatabasePool, 'db'>) => {
      await insert(tx, 1)
      await insert(tx, 2)
      throw new Undone()
    }
    await expect(inTransaction(given)).rejects.toThrow(Undone)
    await expect(inTransaction((tx) => insert(tx, 0))).rejects.toThrow('duplicate key')
    const withUnprepared = async (tx: Pick<DatabasePool, 'db'>) => {
      await sql`INSERT INTO made SELECT ${3}::int`.execute(tx.db)
      throw new Undone()
    }
    await expect(inTransaction(withUnprepared)).rejects.toThrow(Undone)
    await expect(inTransaction(async () => Promise.reject(new Undone()))).rejects.toThrow(Undone)
    expect(await count()).toBe(1)
    await inTransaction((tx) => insert(tx, 4))
    expect(await count()).toBe(2)
  })

  it('begins before statements that run at the same time', async () => {
    const both = inTransaction(async (tx) => {
      await Promise.all([insert(tx, 5), insert(tx, 6)])
      throw new Undone()
    })
    await expect(both).rejects.toThrow(Undone)
    expect(await count()).toBe(1)
  })
})
