import { type RawBuilder, sql } from 'kysely'

/**
 * Rows as a table of the row type of `table`: one parameter however many rows there are, where a statement takes 65,535.
 * Columns that a row does not name are null.
 */
export function recordset(table: string, rows: readonly object[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(NULL::${sql.table(table)}, ${textOf(rows)}::json)`
}

/** `(columns) SELECT columns FROM rows`, in the order given: what follows INSERT INTO. All rows name the same columns. */
export function rowsInto(table: string, rows: readonly object[]): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)))
  return sql`${sql.table(table)} (${columns}) SELECT ${columns} FROM ${recordset(table, rows)}`
}

/** Rows as JSON text; whole units stand as text, which no reader rounds. */
export function textOf(rows: readonly object[]): string {
  try {
    return JSON.stringify(rows)
  } catch {
    // Most rows hold no bigint, which JSON refuses: to look at each value of theirs costs four times as much.
    return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  }
}
