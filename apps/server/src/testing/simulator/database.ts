import { EventEmitter } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

import { databaseTypes } from '../../db/database.ts'

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
  const plain: Query = (text) => client.query(text)
  return {
    query: preparing(client),
    save: (name) => saveTables(plain, `saved_${name}`),
    reset: (name) => restoreTables(plain, `saved_${name}`),
    image: async () => {
      // Vacuums empty tables, so that the planner treats never filled tables like emptied ones.
      await plain('VACUUM')
      await plain('CHECKPOINT')
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

/**
 * Prepares every statement once, those without values too, and any number of them: a run repeats few texts thousands of times.
 * What begins and ends a transaction, and several statements in one text, cannot be faster that way, or not at all.
 */
function preparing(client: pg.Client): Query {
  const names = new Map<string, string>()
  return async (text, values = []) => {
    if (values.length === 0 && (!text.includes(' ') || text.includes(';'))) return await client.query(text)
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    return await client.query({ name, text, values: [...values] })
  }
}

const SEQUENCES = 'sequence_values'

type Table = { readonly name: string; readonly columns: string }

/** The tables of a schema that have pages, all others hold nothing; and their columns that are not computed from others. */
async function filledTables(query: Query, schema: string): Promise<Table[]> {
  const { rows } = await query(
    `SELECT relname AS name, (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
         WHERE attrelid = pg_class.oid AND attnum > 0 AND attgenerated = '' AND NOT attisdropped) AS columns
     FROM pg_class WHERE relkind = 'r' AND relnamespace = '${schema}'::regnamespace
       AND relname <> '${SEQUENCES}' AND pg_relation_size(oid) > 0 ORDER BY relname`,
  )
  return rows as Table[]
}

async function saveTables(query: Query, schema: string): Promise<void> {
  const copies = (await filledTables(query, 'public')).map(
    ({ name, columns }) => `CREATE TABLE ${schema}.${name} AS SELECT ${columns} FROM public.${name};`,
  )
  await query(`CREATE SCHEMA ${schema}; ${copies.join(' ')}
    CREATE TABLE ${schema}.${SEQUENCES} AS
    SELECT format('%I.%I', schemaname, sequencename) AS name, last_value FROM pg_sequences WHERE schemaname = 'public'`)
}

/**
 * Restores without triggers and foreign keys: the rows were consistent when they were saved. Emptied tables are
 * vacuumed, so that rows are stored where they would be in new tables.
 */
async function restoreTables(query: Query, schema: string): Promise<void> {
  const dirty = (await filledTables(query, 'public')).map(({ name }) => name)
  const refills = (await filledTables(query, schema)).map(
    ({ name, columns }) =>
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${schema}.${name};`,
  )
  await query(`SET session_replication_role = replica; ${dirty.map((table) => `DELETE FROM ${table};`).join(' ')}`)
  if (dirty.length > 0) await query(`VACUUM (INDEX_CLEANUP ON, SKIP_DATABASE_STATS) ${dirty.join(', ')}`)
  await query(`${refills.join(' ')}
    SELECT setval(name, coalesce(last_value, 1), last_value IS NOT NULL) FROM ${schema}.${SEQUENCES};
    SET session_replication_role = origin`)
  await query('DISCARD PLANS')
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
