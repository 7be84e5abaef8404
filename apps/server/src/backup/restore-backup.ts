import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

import { asSystem, type Context } from '../context.ts'
import { copyIn } from '../db/copy.ts'
import { databaseTypes } from '../db/database.ts'
import { applyInTransaction, listMigrationFiles, MIGRATION_LOCK } from '../db/migrate.ts'
import { type BackedUpJobs, restoreQueues } from '../jobs/backed-up-jobs.ts'
import type { KeysOf } from './archive.ts'
import type { Content, Manifest, Part } from './content.ts'
import { openBackup, type Verified } from './read-backup.ts'
import { BackupRefused } from './refused.ts'
import { EXACT, findAnyTable, listTables, moveSequences, openForRows } from './schema-store.ts'

export type RestoreInput = {
  readonly file: string
  /** Those that the first read derived. */
  readonly keysOf: KeysOf
  /** The result of a first read of the whole file, which found it intact. */
  readonly verified: Verified
  /** Connects to the empty database without a pooler. */
  readonly connectionString: string
  readonly home: string
  /** The last step before the rows are committed, in their transaction. */
  readonly beforeCommit: (ctx: Context) => Promise<void>
}

/**
 * Restores a backup into an empty database, in one transaction: if the process is killed meanwhile, the database stays empty
 * and the restore can be repeated.
 * @throws BackupRefused when the database is not empty, or the backup comes from a newer version
 */
export async function restoreBackup(ctx: Context, input: RestoreInput): Promise<void> {
  const { verified, connectionString } = input
  const missing = await migrationsSince(verified.manifest)
  const client = new pg.Client({ connectionString, types: databaseTypes, application_name: 'kassa-restore' })
  await client.connect()
  try {
    await refuseUsed(client)
    const jobs = await restoreQueues(connectionString, verified.queues)
    try {
      await load(client, ctx, input, { missing, jobs })
    } finally {
      await jobs.stop()
    }
    await client.query('ANALYZE')
  } finally {
    await client.end()
  }
}

/** Migrations that are newer than the backup. @throws BackupRefused when the backup has some that are not known here */
export async function migrationsSince({ kassa, migrations }: Manifest): Promise<string[]> {
  const files = await listMigrationFiles()
  const unknown = migrations.filter((name) => !files.includes(name))
  if (unknown.length > 0) {
    throw new BackupRefused(
      `This backup was made by a newer Kassa (${kassa}; it holds ${unknown.join(', ')}). Restore it with that version.`,
    )
  }
  return files.filter((name) => !migrations.includes(name))
}

async function refuseUsed(client: pg.Client): Promise<void> {
  const table = await findAnyTable(client)
  if (table === undefined) return
  throw new BackupRefused(
    `The database is not empty (it has a table ${table}), and a restore never replaces anything. Nothing was changed. ` +
      'Name an empty database in DATABASE_URL, or a new folder in KASSA_HOME.',
  )
}

type Steps = { readonly missing: readonly string[]; readonly jobs: BackedUpJobs }

async function load(client: pg.Client, ctx: Context, input: RestoreInput, { missing, jobs }: Steps): Promise<void> {
  const { manifest, parts } = await openBackup(input.file, input.keysOf)
  await client.query(EXACT)
  const db = singleConnection(client)
  await db.transaction().execute(async (tx) => {
    // A Kassa that starts meanwhile waits with its migrations until everything is restored.
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await refuseUsed(client)
    await applyInTransaction(client, manifest.migrations)
    const close = await openForRows(client)
    await loadParts(client, input.home, parts, jobs)
    await close()
    await applyInTransaction(client, missing)
    await input.beforeCommit(asSystem({ ...ctx, db: tx, announced: [] }))
  })
}

async function loadParts(client: pg.Client, home: string, parts: Content['parts'], jobs: BackedUpJobs): Promise<void> {
  const columns = new Map((await listTables(client)).map((table) => [table.table, new Set(table.columns)]))
  for await (const { part, lines } of parts) {
    if ('table' in part) await copyIn(client, copyText(client, part, columns), lines)
    else if ('jobs' in part) await jobs.insert(client, lines)
    else if ('file' in part) await writeChainFile(join(home, part.file), lines)
    else if ('sequences' in part) await moveSequences(client, part.sequences)
  }
}

function copyText(
  client: pg.Client,
  { table, columns }: Extract<Part, { table: string }>,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): string {
  const strange = columns.find((column) => !known.get(table)?.has(column))
  if (strange !== undefined) {
    throw new BackupRefused(
      `The backup holds ${table}.${strange}, which its migrations do not make. Nothing was changed.`,
    )
  }
  const names = columns.map((column) => client.escapeIdentifier(column)).join(', ')
  return `COPY ${client.escapeIdentifier(table)} (${names}) FROM STDIN`
}

/** A database whose statements all run on this one connection, including those without the query builder. */
function singleConnection(client: pg.Client): Kysely<Record<never, never>> {
  const connection = { query: client.query.bind(client) as never, release: () => undefined }
  const pool = { connect: async () => connection, end: async () => undefined, options: {} }
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/** Renames an existing local chain, so that it is not lost. */
async function writeChainFile(path: string, lines: AsyncIterable<Buffer>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.unfinished`
  const handle = await open(unfinished, 'w', 0o600)
  try {
    for await (const piece of lines) {
      for (const line of piece.toString().trimEnd().split('\n')) await handle.write(Buffer.from(line, 'base64'))
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  const aside = `${path}.before-restore`
  if (existsSync(path) && !existsSync(aside)) renameSync(path, aside)
  renameSync(unfinished, path)
}
