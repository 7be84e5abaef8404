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

const LAST = Symbol('last statements')

/** A connection with what goes out with the commit of its open transaction. */
type Pipelined = DatabaseConnection & { [LAST]?: CompiledQuery[] }

/**
 * Keeps the statement until the open transaction commits, and sends it together with the commit: one round trip instead of two
 * (decision 0054). If it fails, the transaction fails. Its result is not returned. Calls that share a transaction may keep one
 * each. A database that `openDatabase` did not open runs it at once.
 */
export async function executeLast(db: Kysely<Record<never, never>>, statement: RawBuilder<unknown>): Promise<void> {
  if (!db.isTransaction) throw new Error('A last statement belongs to a transaction')
  const query = statement.compile(db)
  await db.getExecutor().provideConnection(async (connection: Pipelined) => {
    const last = connection[LAST]
    if (last === undefined) await connection.executeQuery(query)
    else last.push(query)
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
    connection[LAST] = []
    return connection
  }
  driver.commitTransaction = async (connection: Pipelined) => {
    const last = connection[LAST] ?? []
    if (last.length === 0) return commit(connection)
    connection[LAST] = []
    // Sent in this order, and none waits for another. When one fails, PostgreSQL makes a rollback of the commit.
    const sent = [...last.map((query) => connection.executeQuery(query)), commit(connection)]
    const failed = (await Promise.allSettled(sent)).find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }
  driver.rollbackTransaction = async (connection: Pipelined) => {
    connection[LAST] = []
    await rollback(connection)
  }
  return driver
}
