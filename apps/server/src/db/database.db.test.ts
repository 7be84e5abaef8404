import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { testDatabase, type TestDatabase } from '../testing/db.ts'
import { run } from '../testing/statement.ts'
import { openDatabase } from './database.ts'

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
})
