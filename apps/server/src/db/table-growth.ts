import { sql } from 'kysely'

import type { Db } from './database.ts'

/** How many times its former size a table may reach: reading all of it where an index would do costs no more than that. */
const GROWTH = 4

/**
 * Analyses every table that has outgrown its statistics. PostgreSQL prepares a statement once per connection and keeps
 * its plan until the statistics change: one that was made while a table was empty reads all of it, however large it gets.
 * By itself PostgreSQL looks once a minute, in which a new install can receive thousands of deposits. Returns the tables.
 */
export async function analyzeGrown(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT oid::regclass::text AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND pg_has_role(relowner, 'USAGE')
      AND pg_relation_size(oid) / current_setting('block_size')::int > ${GROWTH}::int * greatest(relpages, 1)
    ORDER BY name`.execute(db)
  for (const { name } of rows) await sql`ANALYZE (SKIP_LOCKED) ${sql.raw(name)}`.execute(db)
  return rows.map(({ name }) => name)
}
