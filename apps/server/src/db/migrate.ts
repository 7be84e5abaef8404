import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

/** Key of the advisory lock that lets one process migrate while the others wait: the letters "KM". */
export const MIGRATION_LOCK = 0x4b4d

const FOLDER = join(import.meta.dirname, 'migrations')

/**
 * Migrates the database to the newest version; idempotent, and safe when several processes start at once. It needs a direct
 * connection, because an advisory lock of a session does not survive a pooler in transaction mode.
 */
export async function migrate(connectionString: string, folder = FOLDER): Promise<void> {
  const client = new pg.Client({ connectionString, application_name: 'kassa-migrate' })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await applyMissing(client, folder)
  } finally {
    await client.end()
  }
}

/** The names of all migrations this version has, in their order. */
export async function listMigrationFiles(folder = FOLDER): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
}

/** Applies these migrations in the open transaction; a restore applies them all in one. */
export async function applyInTransaction(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE)
  for (const name of names) await applyOne(client, FOLDER, name)
}

const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())'

async function applyMissing(client: pg.Client, folder: string): Promise<void> {
  await client.query(MIGRATIONS_TABLE)
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations')
  const applied = new Set(rows.map((row) => row.name))
  const files = await listMigrationFiles(folder)
  const unknown = [...applied].filter((name) => !files.includes(name))
  if (unknown.length > 0) {
    throw new Error(`The database was used by a newer Kassa (it holds ${unknown.join(', ')}). Start that version.`)
  }
  for (const name of files.filter((file) => !applied.has(file))) await apply(client, folder, name)
}

async function apply(client: pg.Client, folder: string, name: string): Promise<void> {
  await client.query('BEGIN')
  try {
    await applyOne(client, folder, name)
    await client.query('COMMIT')
  } catch (cause) {
    await client.query('ROLLBACK')
    throw new Error(`The migration ${name} failed: ${String(cause)}`, { cause })
  }
}

async function applyOne(client: pg.Client, folder: string, name: string): Promise<void> {
  await client.query(await readFile(join(folder, name), 'utf8'))
  await client.query('INSERT INTO migrations (name) VALUES ($1)', [name])
}
