/** What a backup needs to know of the database's schema. */
import type pg from 'pg'

export type TableColumns = { readonly table: string; readonly columns: readonly string[] }

/** Numbers and times are written completely, and identically on every server. */
export const EXACT = `SET extra_float_digits = 3; SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'`

/** Kassa's own tables with the columns that hold something, by name. */
export async function listTables(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migrations'
      AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    GROUP BY relname ORDER BY relname`)
  return rows
}

/** Columns that hold numbers of transactions, which mean nothing on another server, as `table.column`. */
export async function transactionColumns(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND udt_name = 'xid8'`)
  return new Set(rows.map(({ name }) => name))
}

/** The migrations that were applied, in their order. */
export async function listMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name')
  return rows.map(({ name }) => name)
}

/** The network the database belongs to; undefined before the first start. */
export async function findNetwork(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ network: string }>('SELECT network FROM install')
  return rows[0]?.network
}

/** The number each sequence that was used gave last. */
export async function listSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(`
    SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL`)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Whether a table exists. */
export async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [name])
  return rows[0]?.found === true
}

/** The name of some table that is there already. */
export async function findAnyTable(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
    ORDER BY relname LIMIT 1`)
  return rows[0]?.name
}

/**
 * Empties the tables and lets rows be inserted in any order: our triggers do not run, and references are not checked. The
 * returned function restores both, and fails when a reference is broken.
 */
export async function openForRows(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype = 'f'`)
  const tables = (await listTables(client)).map(({ table }) => client.escapeIdentifier(table))
  await client.query(keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`).join('; '))
  await client.query(
    tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER; DELETE FROM ${table}`).join('; '),
  )
  return async () => {
    for (const { table, name, definition } of keys) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    }
    await client.query(tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`).join('; '))
  }
}

/** Continues every sequence after the last number it gave. */
export async function moveSequences(client: pg.Client, last: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(last)) {
    await client.query('SELECT setval($1::regclass, $2::bigint)', [`public.${client.escapeIdentifier(name)}`, value])
  }
}
