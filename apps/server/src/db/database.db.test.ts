import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { testDatabase, type TestDatabase } from '../testing/database/test-database.ts'
import { run } from '../testing/database/run-statement.ts'
import { allowLong, type Db, openDatabase } from './database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})

afterAll(() => database.drop())

describe('database.openDatabase', () => {
  it('survives the loss of a connection that is in use', async () => {
    const pool = openDatabase(database.connectionString)
    onTestFinished(pool.close)
    const uncaught: unknown[] = []
    const catchAll = (thrown: unknown) => void uncaught.push(thrown)
    process.on('uncaughtException', catchAll)
    onTestFinished(() => void process.off('uncaughtException', catchAll))
    const lost = pool.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
      await run(database.connectionString, `SELECT pg_terminate_backend(${rows[0]?.pid})`)
      await sleep(200)
      await sql`SELECT 1`.execute(tx)
    })
    await expect(lost).rejects.toThrow(/terminat|connection/i)
    expect(uncaught).toEqual([])
    expect((await sql<{ one: number }>`SELECT 1 AS one`.execute(pool.db)).rows).toEqual([{ one: 1 }])
  })

  it('limits statements and idle transactions where no pooler stands between', async () => {
    const pool = openDatabase(database.connectionString, { isDirect: true })
    onTestFinished(pool.close)
    const limits = async (db: Db) =>
      (
        await sql<{ statement: string; idle: string }>`
          SELECT current_setting('statement_timeout') AS statement,
            current_setting('idle_in_transaction_session_timeout') AS idle`.execute(db)
      ).rows[0]
    expect(await limits(pool.db)).toEqual({ statement: '1min', idle: '5min' })
    await pool.db.transaction().execute(async (tx) => {
      await allowLong(tx, 30 * 60_000)
      expect(await limits(tx)).toEqual({ statement: '30min', idle: '5min' })
    })
    expect(await limits(pool.db)).toEqual({ statement: '1min', idle: '5min' })
  })
})
