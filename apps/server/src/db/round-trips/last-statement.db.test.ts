import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testDatabase, type TestDatabase } from '../../testing/database/test-database.ts'
import { type DatabasePool, openDatabase } from '../database.ts'
import { executeLast } from './last-statement.ts'

let database: TestDatabase
let pool: DatabasePool

beforeAll(async () => {
  database = await testDatabase()
  pool = openDatabase(database.connectionString, { max: 1, isDirect: true })
  await sql`CREATE TABLE notes (id int PRIMARY KEY)`.execute(pool.db)
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})

const insert = (id: number) => sql`INSERT INTO notes VALUES (${id})`
const notes = async () => (await sql<{ id: number }>`SELECT id FROM notes ORDER BY id`.execute(pool.db)).rows

/** A transaction that inserts a first row at once and a last one with its commit. */
const insertBoth = (first: number, last: number) =>
  pool.db.transaction().execute(async (db) => {
    await executeLast(db, insert(last))
    await insert(first).execute(db)
  })

describe('db.executeLast', () => {
  it('runs after everything else of its transaction, and commits with it', async () => {
    await insertBoth(1, 2)
    expect(await notes()).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('fails its transaction by its own error, with all that went before', async () => {
    await expect(insertBoth(3, 2)).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' })
    expect(await notes()).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('goes with a transaction that is given up, and not with the next one of the connection', async () => {
    await expect(insertBoth(1, 4)).rejects.toMatchObject({ code: '23505' })
    await pool.db.transaction().execute((db) => insert(5).execute(db))
    expect(await notes()).toEqual([{ id: 1 }, { id: 2 }, { id: 5 }])
  })

  it('may be several, sent in their order; when one fails, all of the transaction do', async () => {
    const insertAll = (ids: readonly number[]) =>
      pool.db.transaction().execute(async (db) => {
        for (const id of ids) await executeLast(db, insert(id))
      })
    await insertAll([7, 8])
    await expect(insertAll([9, 8, 10])).rejects.toMatchObject({ code: '23505' })
    expect((await notes()).map(({ id }) => id)).toEqual([1, 2, 5, 7, 8])
  })

  it('is refused outside of a transaction', async () => {
    await expect(executeLast(pool.db, insert(6))).rejects.toThrow('belongs to a transaction')
  })
})
