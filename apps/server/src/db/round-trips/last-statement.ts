import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresDialect,
  type RawBuilder,
} from 'kysely'
import type pg from 'pg'

const LAST = Symbol('last statement')

/** A connection with what goes out with the commit of its open transaction; null while nothing does. */
type Pipelined = DatabaseConnection & { [LAST]?: CompiledQuery | null }

/**
 * Keeps the statement until the open transaction commits, and sends it together with the commit: one round trip instead of two
 * (decision 0054). If it fails, the transaction fails. Once per transaction; its result is not returned. A database that
 * `openDatabase` did not open runs it at once.
 */
export async function executeLast(db: Kysely<Record<never, never>>, statement: RawBuilder<unknown>): Promise<void> {
  if (!db.isTransaction) throw new Error('A last statement belongs to a transaction')
  const query = statement.compile(db)
  await db.getExecutor().provideConnection(async (connection: Pipelined) => {
    const last = connection[LAST]
    if (last === undefined) return void (await connection.executeQuery(query))
    if (last !== null) throw new Error('A transaction has one last statement')
    connection[LAST] = query
  })
}

/** PostgreSQL by connections that are pipelined, whose commits take the last statement along. */
export function pipelinedDialect(pool: pg.Pool): Dialect {
  const dialect = new PostgresDialect({ pool })
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => withLastStatements(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

function withLastStatements(driver: Driver): Driver {
  const acquire = driver.acquireConnection.bind(driver)
  const commit = driver.commitTransaction.bind(driver)
  const rollback = driver.rollbackTransaction.bind(driver)
  driver.acquireConnection = async (options) => {
    const connection: Pipelined = await acquire(options)
    connection[LAST] = null
    return connection
  }
  driver.commitTransaction = async (connection: Pipelined) => {
    const query = connection[LAST] ?? null
    if (query === null) return commit(connection)
    connection[LAST] = null
    // Sent in this order, without waiting in between. When the first fails, PostgreSQL turns the second into a rollback.
    const [last, end] = await Promise.allSettled([connection.executeQuery(query), commit(connection)])
    if (last.status === 'rejected') throw last.reason
    if (end.status === 'rejected') throw end.reason
  }
  driver.rollbackTransaction = async (connection: Pipelined) => {
    connection[LAST] = null
    await rollback(connection)
  }
  return driver
}
