import { Kysely, type LogEvent, sql } from 'kysely'
import pg from 'pg'

import { watchDiskSpace } from './disk-space.ts'
import { KEEP_ALIVE } from './keep-alive.ts'
import { pipelinedDialect } from './round-trips/last-statement.ts'
import { prepareStatements } from './prepared.ts'

/** The database as modules see it: each store adds the types of its own tables with `$extendTables`. */
export type Db = Kysely<Record<never, never>>

/** PostgreSQL's type ids (pg_type.oid) of the columns whose JavaScript form Kassa decides itself. */
const INT8 = 20
const NUMERIC = 1700
const DATE = 1082

/** Reads int8 as bigint, numeric and date as text, so that money and days never become floats or local times. */
export const databaseTypes = new pg.TypeOverrides()
databaseTypes.setTypeParser(INT8, (text) => BigInt(text))
databaseTypes.setTypeParser(NUMERIC, (text) => text)
databaseTypes.setTypeParser(DATE, (text) => text)

export type DatabasePool = {
  readonly db: Db
  readonly pool: pg.Pool
  /** Whether a statement was refused a moment ago because the database's disk is full. */
  readonly isDiskFull: () => boolean
  readonly close: () => Promise<void>
}

/**
 * The longest a statement may run. What a caller waits for takes less than a tenth of it, and a statement that hangs behind a
 * lock must not keep its job and connection without end. Work that reads the whole install asks for more (`allowLong`); migrations
 * have a connection of their own without a limit.
 */
const STATEMENT_MS = 60_000
/** The longest an open transaction may be idle: a hanging process holds locks that others wait for. */
const IDLE_IN_TRANSACTION_MS = 300_000

/** Connections per process: enough to keep two cores and one disk busy without starving other processes. */
const POOL_SIZE = 20

/**
 * Opens a pool on the database. `isDirect`: no pooler is in between, so statements are prepared and limited in time. A pooler
 * in transaction mode supports neither; there `ALTER ROLE … SET statement_timeout` limits them.
 */
export function openDatabase(connectionString: string, { max = POOL_SIZE, isDirect = false } = {}): DatabasePool {
  const pool = new pg.Pool({
    connectionString,
    max,
    types: databaseTypes,
    application_name: 'kassa',
    // A commit and what goes before it need one round trip (decision 0054).
    pipeline: true,
    connectionTimeoutMillis: 10_000,
    // The connection of a server that vanished is replaced.
    ...KEEP_ALIVE,
    ...(isDirect && { statement_timeout: STATEMENT_MS, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
  })
  // The pool replaces a connection that breaks. Without a listener the break would end the process: the pool's listener catches
  // it while the connection is idle, and the connection's own while it is in use, where the statement fails as well.
  pool.on('error', () => undefined)
  const names = new Map<string, string>()
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    if (isDirect) prepareStatements(client, names)
  })
  const space = watchDiskSpace()
  const log = (event: LogEvent) => {
    if (event.level === 'error') space.note(event.error)
  }
  const db: Db = new Kysely({ dialect: pipelinedDialect(pool), log })
  return { db, pool, isDiskFull: space.isFull, close: () => db.destroy() }
}

/** Lets the statements of the open transaction run longer, for checks and exports that read the whole install. */
export async function allowLong(db: Db, ms: number): Promise<void> {
  await sql`SELECT set_config('statement_timeout', ${String(ms)}, true)`.execute(db)
}

/** Checks that the database answers. @throws what the connection fails with */
export async function ping(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db)
}
