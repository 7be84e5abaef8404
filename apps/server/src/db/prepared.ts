import { createHash } from 'node:crypto'

import type pg from 'pg'

import { beginWith, isPrepared } from './first-statement.ts'

/**
 * Statements a process prepares at most, per connection: more than it has, and a bound on what lists of many lengths
 * (`IN ($1, $2, …)`) can make PostgreSQL remember.
 */
const MOST_NAMES = 400

/** feature_not_supported: what PostgreSQL answers when a migration changed what a prepared statement gives. */
const PLAN_OUTDATED = '0A000'

/** How Kysely begins a transaction that asks for nothing special. */
const BEGIN = 'begin'
const ENDS = new Set(['commit', 'rollback'])

const NOTHING: pg.QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] }

type Query = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult>

/**
 * Makes a connection prepare its statements: PostgreSQL parses and plans each once instead of at every call. A statement
 * that a migration outdated fails once; its connection is then replaced by a new one. A transaction begins with its first
 * statement, in one round trip (`first-statement.ts`).
 */
export function prepareStatements(client: pg.PoolClient, names: Map<string, string>): void {
  const query = client.query.bind(client) as unknown as (config: object) => Promise<pg.QueryResult>
  const ask = async (text: string, values: readonly unknown[] | undefined, mayBegin: boolean) => {
    const name = values === undefined || values.length === 0 ? undefined : nameOf(names, text)
    try {
      if (mayBegin && name !== undefined && isPrepared(client, name)) {
        return await beginWith(client, { name, text, values: [...(values ?? [])] })
      }
      if (mayBegin) await query({ text: BEGIN })
      return await query({ ...(name !== undefined && { name }), text, values })
    } catch (error) {
      if (name !== undefined && error instanceof Error && 'code' in error && error.code === PLAN_OUTDATED) {
        void client.end()
      }
      throw error
    }
  }
  let isToBegin = false
  const prepared: Query = async (text, values) => {
    const mayBegin = isToBegin
    isToBegin = text === BEGIN
    // A transaction that ends before its first statement has never begun.
    return isToBegin || (mayBegin && ENDS.has(text)) ? NOTHING : ask(text, values, mayBegin)
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
