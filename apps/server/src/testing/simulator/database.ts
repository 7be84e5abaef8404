import { EventEmitter } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

import { databaseTypes } from '../../db/database.ts'
import { prepareStatements } from '../../db/prepared.ts'

/** PostgreSQL inside this process, used through the same client as a real one. */
export type MemoryDatabase = {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult<Record<string, unknown>>>
  /** Saves the rows of all tables under a name. */
  readonly save: (name: string) => Promise<void>
  /** Restores the rows saved under a name, and drops all cached plans. */
  readonly reset: (name: string) => Promise<void>
  /** An image of the whole database, to open another one from. */
  readonly image: () => Promise<Blob>
  readonly close: () => Promise<void>
}

const MIGRATIONS = join(import.meta.dirname, '../../db/migrations')

/** Nothing has to survive the process, and plans must not depend on how often a statement ran. */
const SETTINGS = [
  'synchronous_commit = off',
  'full_page_writes = off',
  'wal_level = minimal',
  'max_wal_senders = 0',
  'wal_init_zero = off',
  'max_wal_size = 64MB',
  'track_activities = off',
  'track_counts = off',
  'jit = off',
  'plan_cache_mode = force_generic_plan',
]

/** Opens a database with every migration applied, or one from an image. */
export async function openMemoryDatabase(image?: Blob): Promise<MemoryDatabase> {
  const server = await PGlite.create({ postgresqlconf: SETTINGS, ...(image && { loadDataDir: image }) })
  if (!image) await migrate(server)
  // The connection uses nothing of a socket but what `wireTo` has.
  const client = new pg.Client({ stream: () => wireTo(server) as unknown as Duplex, types: databaseTypes })
  await client.connect()
  const query: MemoryDatabase['query'] = (text, values) =>
    values && values.length > 0 ? client.query(text, [...values]) : client.query(text)
  const tables = await tableNames(query)
  prepareStatements(client as unknown as pg.PoolClient, new Map())
  return {
    query,
    save: (name) => saveTables(query, name, tables),
    reset: (name) => restoreTables(query, name, tables),
    image: async () => {
      // Vacuums empty tables, so that the planner treats never filled tables like emptied ones.
      await query('VACUUM')
      await query('CHECKPOINT')
      return server.dumpDataDir('none')
    },
    close: async () => {
      await client.end()
      await server.close()
    },
  }
}

async function migrate(server: PGlite): Promise<void> {
  for (const name of (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).toSorted()) {
    await server.exec(await readFile(join(MIGRATIONS, name), 'utf8'))
  }
}

type Query = MemoryDatabase['query']

async function tableNames(query: Query): Promise<string[]> {
  const { rows } = await query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ relname }) => String(relname)).toSorted()
}

async function saveTables(query: Query, name: string, tables: readonly string[]): Promise<void> {
  await query(`CREATE SCHEMA saved_${name}`)
  for (const table of tables) await query(`CREATE TABLE saved_${name}.${table} AS TABLE public.${table}`)
  await query(`CREATE TABLE saved_${name}.sequence_values AS
    SELECT format('%I.%I', schemaname, sequencename) AS name, last_value FROM pg_sequences WHERE schemaname = 'public'`)
}

/**
 * Restores without triggers and foreign keys: the rows were consistent when they were saved. Emptied tables are
 * vacuumed, so that rows are stored where they would be in new tables.
 */
async function restoreTables(query: Query, name: string, tables: readonly string[]): Promise<void> {
  const dirty = await filled(query, 'public', tables)
  const filledTables = await filled(query, `saved_${name}`, tables)
  await query(`SET session_replication_role = replica; ${dirty.map((table) => `DELETE FROM ${table};`).join(' ')}`)
  if (dirty.length > 0) await query(`VACUUM (INDEX_CLEANUP ON, SKIP_DATABASE_STATS) ${dirty.join(', ')}`)
  const refill = (table: string) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM saved_${name}.${table};`
  await query(`${filledTables.map(refill).join(' ')}
    SELECT setval(name, coalesce(last_value, 1), last_value IS NOT NULL) FROM saved_${name}.sequence_values;
    SET session_replication_role = origin`)
  await query('DISCARD PLANS')
}

/** The tables among these that hold a row. */
async function filled(query: Query, schema: string, tables: readonly string[]): Promise<string[]> {
  const each = tables.map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${schema}.${table})`)
  const { rows } = await query(each.join(' UNION ALL '))
  return rows.map(({ name }) => String(name))
}

/** AuthenticationOk and ReadyForQuery (PostgreSQL manual, 54.7): the start of a session needs no more. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
/** First byte of a Terminate message. */
const TERMINATE = 0x58

/** The socket that the client uses: every message is answered before `write` returns. */
function wireTo(server: PGlite): EventEmitter {
  let isOpen = false
  let corked: Uint8Array[] | null = null
  const send = (bytes: Uint8Array) => {
    if (!isOpen) {
      isOpen = true
      return socket.emit('data', WELCOME)
    }
    if (bytes[0] === TERMINATE) return setImmediate(() => socket.emit('close'))
    // The answer is complete when the call returns; its promise waits for files, of which there are none.
    const answer: Buffer[] = []
    void server.execProtocolRawStream(bytes, {
      syncToFs: false,
      onRawData: (part) => void answer.push(Buffer.from(part)),
    })
    return answer.length > 0 && socket.emit('data', Buffer.concat(answer))
  }
  const socket = new EventEmitter()
  const nothing = () => socket
  return Object.assign(socket, {
    writable: true,
    setNoDelay: nothing,
    setKeepAlive: nothing,
    ref: nothing,
    unref: nothing,
    connect: () => void setImmediate(() => socket.emit('connect')),
    cork: () => void (corked = []),
    uncork: () => {
      const bytes = Buffer.concat(corked ?? [])
      corked = null
      if (bytes.length > 0) send(bytes)
    },
    write: (bytes: Uint8Array) => {
      if (corked) corked.push(bytes)
      else send(bytes)
      return true
    },
    end: (bytes?: Uint8Array) => void (bytes && send(bytes)),
    destroy: nothing,
  })
}
