import { randomBytes } from 'node:crypto'

import { inject } from 'vitest'

import { databaseUrl, run } from './run-statement.ts'

export type TestDatabase = {
  readonly connectionString: string
  /** Removes the database and ends its connections. */
  readonly drop: () => Promise<void>
}

/**
 * A migrated, empty database of its own for one test file: `const database = await testDatabase()` in `beforeAll`,
 * `await database.drop()` in `afterAll`. Takes some tens of milliseconds.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { url, template } = inject('postgres')
  const name = `kassa_test_${randomBytes(6).toString('hex')}`
  await run(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return {
    connectionString: databaseUrl(url, name),
    drop: () => run(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}
