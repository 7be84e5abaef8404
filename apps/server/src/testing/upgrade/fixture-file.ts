/** The text of an upgrade fixture: plain SQL that rebuilds schema, rows and waiting jobs of the version it was made with. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import pg from 'pg'
import { getConstructionPlans } from 'pg-boss'

const MIGRATIONS = join(import.meta.dirname, '../../db/migrations')
const FOLDER = join(import.meta.dirname, 'fixtures')

/** The schemas that hold anything: Kassa's own and that of the job queue. */
const SCHEMAS = ['public', 'pgboss']

/**
 * Writes the database as plain SQL. The migrations stand in it as they are now, so that the fixture stays what this version
 * made, whatever becomes of the folder of migrations.
 */
export async function writeFixture(connectionString: string, about: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(`SET extra_float_digits = 3; SET timezone = 'UTC'`)
    const tables = await tablesOf(client)
    const parts = [
      comment(about),
      ...(await migrationTexts()),
      getConstructionPlans('pgboss'),
      // As a dump is restored: neither triggers nor foreign keys look at rows that come in no particular order.
      `CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
SET session_replication_role = replica;`,
      ...tables.map((table) => `DELETE FROM ${table};`),
    ]
    for (const table of tables) parts.push(...(await rowsOf(client, table)))
    parts.push(...(await sequencesOf(client)), 'SET session_replication_role = origin;')
    return `${parts.join('\n')}\n`
  } finally {
    await client.end()
  }
}

/** Reads the fixture of a version. */
export async function readFixture(version: string): Promise<string> {
  return (await promisify(gunzip)(await readFile(join(FOLDER, `${version}.sql.gz`)))).toString()
}

/** The bytes a fixture is stored as; equal text gives equal bytes. */
export function packFixture(text: string): Promise<Buffer> {
  return promisify(gzip)(text, { level: 9 })
}

/** Where the fixture of a version is stored. */
export function fixturePath(version: string): string {
  return join(FOLDER, `${version}.sql.gz`)
}

function comment(text: string): string {
  return text
    .split('\n')
    .map((line) => `-- ${line}`.trimEnd())
    .join('\n')
}

async function migrationTexts(): Promise<string[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(names.map((name) => readFile(join(MIGRATIONS, name), 'utf8')))
}

/** Ordinary and partitioned tables, by name; a partition is read through its parent. */
async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class
     JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = ANY($1) AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY nspname, relname`,
    [SCHEMAS],
  )
  return rows.map(({ name }) => name)
}

async function rowsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows: columns } = await client.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [table],
  )
  // Numbers of transactions mean nothing on another server; 3 is the first that exists, so it is over on each.
  const values = columns.map(({ name, type }) => `quote_nullable(${type === 'xid8' ? `'3'` : `${name}::text`})`)
  const { rows } = await client.query<{ line: string }>(
    `SELECT '(' || concat_ws(', ', ${values.join(', ')}) || ')' AS line FROM ${table} ORDER BY 1`,
  )
  if (rows.length === 0) return []
  const names = columns.map(({ name }) => name).join(', ')
  return [
    `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE VALUES`,
    `${rows.map(({ line }) => line).join(',\n')};`,
  ]
}

async function sequencesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT format('SELECT setval(%L, %s, %s);', format('%I.%I', schemaname, sequencename), coalesce(last_value, 1),
       CASE WHEN last_value IS NULL THEN 'false' ELSE 'true' END) AS line
     FROM pg_sequences WHERE schemaname = ANY($1) ORDER BY schemaname, sequencename`,
    [SCHEMAS],
  )
  return rows.map(({ line }) => line)
}
