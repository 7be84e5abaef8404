import { createHash } from 'node:crypto'

import type pg from 'pg'

/**
 * The most statements a process prepares per connection: more than it has, and a limit on what lists of many lengths (`IN ($1,
 * $2, …)`) can make PostgreSQL remember.
 */
const MOST_NAMES = 400

/** feature_not_supported: PostgreSQL's error when a migration has changed the result of a prepared statement. */
const PLAN_OUTDATED = '0A000'

type Query = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>

/**
 * Makes a connection prepare its statements: PostgreSQL parses and plans each once instead of at every call. A statement
 * that a migration outdated fails once; its connection is then replaced by a new one.
 */
export function prepareStatements(client: pg.PoolClient, names: Map<string, string>): void {
  const query = client.query.bind(client) as unknown as (config: object) => Promise<pg.QueryResult>
  const prepared: Query = async (text, values) => {
    const name = values === undefined || values.length === 0 ? undefined : nameOf(names, text)
    try {
      return await query({ ...(name !== undefined && { name }), text, values })
    } catch (error) {
      if (name !== undefined && error instanceof Error && 'code' in error && error.code === PLAN_OUTDATED) {
        void client.end()
      }
      throw error
    }
  }
  client.query = prepared as typeof client.query
}

function nameOf(names: Map<string, string>, text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MOST_NAMES) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}
