import { createHmac } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import pg from 'pg'

import { copyOut } from '../db/copy.ts'
import { MIGRATION_LOCK } from '../db/migrate.ts'
import { COPY_JOBS, COPY_QUEUES, JOBS_TABLE } from '../jobs/backed-up-jobs.ts'
import { seal } from './archive.ts'
import { gathered, type Manifest, type Part, writeManifest, writePart } from './content.ts'
import { nameFile, removeAbandoned } from './name-file.ts'
import { BackupRefused } from './refused.ts'
import {
  EXACT,
  findNetwork,
  hasTable,
  listMigrations,
  listSequences,
  listTables,
  type TableColumns,
  transactionColumns,
} from './schema-store.ts'

export type BackupInput = {
  /** Connects to the database without a pooler. */
  readonly connectionString: string
  readonly masterKey: Buffer
  readonly withMasterKey: boolean
  readonly passphrase: string
  readonly version: string
  readonly home: string
  readonly file: string
  readonly now: Date
}

export type Taken = { readonly rows: number; readonly bytes: number }

/**
 * Writes the database as of one moment, and the master key, to a new file, while Kassa runs. The file gets its name only once
 * all of it is on disk. @throws BackupRefused when there is nothing to back up or the file exists
 */
export async function takeBackup(input: BackupInput): Promise<Taken> {
  if (existsSync(input.file))
    throw new BackupRefused(`${input.file} exists already. A backup never replaces another file.`)
  const unfinished = join(dirname(input.file), `.${basename(input.file)}.unfinished-${process.pid}`)
  removeAbandoned(dirname(input.file), input.now)
  const client = new pg.Client({ connectionString: input.connectionString, application_name: 'kassa-backup' })
  await client.connect()
  try {
    const count = { rows: 0 }
    await beginSnapshot(client)
    const content = contentOf(client, input, count)
    const sink = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
    await pipeline(content, createGzip(), (packed: AsyncIterable<Buffer>) => seal(packed, input.passphrase), sink)
    await nameFile(unfinished, input.file)
    return { rows: count.rows, bytes: (await stat(input.file)).size }
  } finally {
    rmSync(unfinished, { force: true })
    await client.end()
  }
}

/** Identifies a master key without revealing anything else about it. */
export function fingerprintOf(masterKey: Buffer): string {
  return createHmac('sha256', masterKey).update('kassa master key').digest('hex')
}

/** One view of the database for all that follows; migrations wait until the connection ends. */
async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query(EXACT)
  await client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
  if (!(await hasTable(client, 'public.migrations')) || !(await hasTable(client, 'public.install'))) {
    throw new BackupRefused(
      'This database is not one of Kassa: there is nothing to back up. Check DATABASE_URL and KASSA_HOME.',
    )
  }
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

async function* contentOf(
  client: pg.Client,
  input: BackupInput,
  count: { rows: number },
): AsyncGenerator<Buffer, void> {
  yield writeManifest(await manifestOf(client, input))
  const part = (name: Part, rows: AsyncIterable<Buffer>) =>
    writePart(
      name,
      gathered(rows, (n) => void (count.rows += n)),
    )
  const foreign = await transactionColumns(client)
  for (const { table, columns } of await listTables(client)) {
    yield* part({ table, columns: [...columns] }, copyOut(client, copyText(client, { table, columns }, foreign)))
  }
  if (await hasTable(client, JOBS_TABLE)) {
    yield* part({ queues: true }, copyOut(client, COPY_QUEUES))
    yield* part({ jobs: true }, copyOut(client, COPY_JOBS))
  }
  for (const file of await chainFiles(input.home)) yield* part({ file }, linesOfFile(join(input.home, file)))
  // Last, because sequences belong to no snapshot: their present values are at least those of the rows that were read.
  yield* writePart({ sequences: await listSequences(client), lines: count.rows }, nothing())
}

async function manifestOf(client: pg.Client, input: BackupInput): Promise<Manifest> {
  const network = await findNetwork(client)
  if (network !== 'sandbox' && network !== 'testnet' && network !== 'mainnet') {
    throw new BackupRefused('Kassa was never started on this database: there is nothing to back up.')
  }
  return {
    kassa: input.version,
    takenAt: input.now.toISOString(),
    network,
    migrations: await listMigrations(client),
    keyFingerprint: fingerprintOf(input.masterKey),
    masterKey: input.withMasterKey ? input.masterKey.toString('hex') : null,
  }
}

function copyText(client: pg.Client, { table, columns }: TableColumns, foreign: ReadonlySet<string>): string {
  const names = columns.map((column) => {
    const name = client.escapeIdentifier(column)
    // The first number that a transaction can have, so that the restoring server treats every transaction of this one as ended.
    return foreign.has(`${table}.${column}`) ? `CASE WHEN ${name} IS NOT NULL THEN '3' END AS ${name}` : name
  })
  return `COPY (SELECT ${names.join(', ')} FROM ${client.escapeIdentifier(table)}) TO STDOUT`
}

/** The local chains of the sandbox, which the database refers to; each file is replaced as a whole when it changes. */
async function chainFiles(home: string): Promise<string[]> {
  const names = await readdir(join(home, 'chains')).catch(() => [])
  return names.filter((name) => /^[A-Z]{2,10}\.json$/.test(name)).map((name) => `chains/${name}`)
}

/** Bytes of a file as base64, a line each. */
async function* linesOfFile(path: string): AsyncGenerator<Buffer, void> {
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    yield Buffer.from(`${piece.toString('base64')}\n`)
  }
}

async function* nothing(): AsyncGenerator<Buffer, void> {}
