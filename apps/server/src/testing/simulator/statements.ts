import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

import { databaseTypes } from '../../db/database.ts'
import { type Answer, type Field, bind, describe, EXECUTE, parse, readMessages, SYNC } from './messages.ts'

export type Result = pg.QueryResult<Record<string, unknown>>
export type Query = (text: string, values?: readonly unknown[]) => Promise<Result>

type Column = { readonly name: string; readonly read: (text: string) => unknown }
type Prepared = { readonly name: string; readonly columns: readonly Column[] }

/**
 * Runs statements as `pg.Client` does, with the same types, but prepares each, those without values too, and asks for the
 * columns of each once: for the few rows of a world, all that takes longer than the work itself.
 */
export function statementsOn(server: PGlite): Query {
  const prepared = new Map<string, Prepared>()
  let names = 0

  const send = (messages: readonly Uint8Array[]): Answer => {
    // The answer is complete when the call returns; its promise waits for files, of which there are none.
    const parts: Buffer[] = []
    void server.execProtocolRawStream(Buffer.concat(messages), {
      syncToFs: false,
      onRawData: (part) => void parts.push(Buffer.from(part)),
    })
    return readMessages(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
  }

  return async (text, values = []) => {
    const known = prepared.get(text)
    if (known) return resultOf(send([bind(known.name, values), EXECUTE, SYNC]), known.columns)
    const name = `s${(names += 1)}`
    const answer = send([parse(name, text), describe(name), bind(name, values), EXECUTE, SYNC])
    const columns = (answer.fields ?? []).map(columnOf)
    if (answer.isParsed) prepared.set(text, { name, columns })
    return resultOf(answer, columns)
  }
}

function columnOf({ name, typeId }: Field): Column {
  return { name, read: databaseTypes.getTypeParser(typeId, 'text') as unknown as Column['read'] }
}

/** @throws DatabaseError as pg does */
function resultOf({ tag, rows, error }: Answer, columns: readonly Column[]): Result {
  if (error) throw Object.assign(new pg.DatabaseError(error['message'] ?? '', 0, 'error'), error)
  const [command = '', ...numbers] = tag.split(' ')
  const count = numbers.at(-1)
  return {
    command,
    rowCount: count === undefined || !/^\d+$/.test(count) ? null : Number(count),
    oid: 0,
    fields: [],
    rows: rows.map((row) => rowOf(row, columns)),
  }
}

function rowOf(values: readonly (string | null)[], columns: readonly Column[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, { name, read }] of columns.entries()) {
    const value = values[at] ?? null
    row[name] = value === null ? null : read(value)
  }
  return row
}
