import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'

import { prepareStatements } from './prepared.ts'

/** The database as modules see it: each store adds the types of its own tables with `$extendTables`. */
export type Db = Kysely<Record<never, never>>

/** PostgreSQL's type ids (pg_type.oid) of the columns whose JavaScript form Kassa decides itself. */
const INT8 = 20
const NUMERIC = 1700
const DATE = 1082

/** Reads int8 as bigint, numeric and date as text: money and days never become floats or local times. */
const types = new pg.TypeOverrides()
types.setTypeParser(INT8, (text) => BigInt(text))
types.setTypeParser(NUMERIC, (text) => text)
types.setTypeParser(DATE, (text) => text)

export type DatabasePool = { readonly db: Db; readonly pool: pg.Pool; readonly close: () => Promise<void> }

/** Connections per process: enough to keep two cores and one disk busy without starving other processes. */
const POOL_SIZE = 20

/**
 * Opens a pool on the database. `isDirect` says that no pooler stands between: then statements are prepared, which a
 * pooler in transaction mode could not carry.
 */
export function openDatabase(connectionString: string, { max = POOL_SIZE, isDirect = false } = {}): DatabasePool {
  const pool = new pg.Pool({ connectionString, max, types, application_name: 'kassa', connectionTimeoutMillis: 10_000 })
  // A connection that breaks is replaced by the pool. Without a listener the break would end the process: the pool's own
  // hears it while the connection is idle, and the connection's own while it is in use, where the statement fails as well.
  pool.on('error', () => undefined)
  const names = new Map<string, string>()
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    if (isDirect) prepareStatements(client, names)
  })
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
}

/** Asks the database for a sign of life. @throws what the connection fails with */
export async function ping(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db)
}
