import pg from 'pg'

/** What the driver offers to its own statements, and its types do not name. */
type Wire = {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>
  readonly parse: (statement: { readonly text: string }) => void
  readonly bind: () => void
  readonly execute: () => void
}
type DriverQuery = {
  prepare: (wire: Wire) => void
  handleCommandComplete: (message: unknown, wire: Wire) => void
}

type Statement = { readonly name: string; readonly text: string; readonly values: unknown[] }

/** Whether a connection has prepared the statement: only then does nothing but its values go with the beginning. */
export function isPrepared(client: pg.PoolClient, name: string): boolean {
  return (client as unknown as { connection: Wire }).connection.parsedStatements[name] !== undefined
}

/**
 * Begins a transaction and runs its first statement, which the connection has prepared, in one round trip. One Sync follows
 * both: where BEGIN fails PostgreSQL does not look at the statement, so that nothing runs outside of a transaction.
 */
export function beginWith(client: pg.PoolClient, statement: Statement): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null | undefined, result: unknown) =>
      error ? reject(error) : resolve(result as pg.QueryResult)
    const query = new pg.Query(statement, undefined, done)
    goBehindBegin(query as unknown as DriverQuery)
    const { query: send } = pg.Client.prototype as { readonly query: (query: object) => unknown }
    send.call(client, query)
  })
}

/** The result of BEGIN comes first, and is nobody's. */
function goBehindBegin(query: DriverQuery): void {
  const prepare = query.prepare.bind(query)
  const handleCommandComplete = query.handleCommandComplete.bind(query)
  let hasBegun = false
  query.prepare = (wire) => {
    wire.parse({ text: 'BEGIN' })
    wire.bind()
    wire.execute()
    prepare(wire)
  }
  query.handleCommandComplete = (message, wire) => {
    if (hasBegun) handleCommandComplete(message, wire)
    hasBegun = true
  }
}
