import { EventEmitter } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'

import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

import { databaseTypes } from '../../db/database.ts'
import { prepareStatements } from '../../db/prepared.ts'

/** PostgreSQL inside this process, spoken to by the same client as a real one. */
export type MemoryDatabase = {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult<Record<string, unknown>>>
  /** Keeps what the tables hold now as what `reset` goes back to. */
  readonly keep: () => Promise<void>
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

const MIGRATIONS = join(import.meta.dirname, '../../db/migrations')

/** Resets after which the catalogue is swept of the rows that emptying tables left behind. */
const SWEEP_EVERY = 50

/** Opens a database with every migration applied. */
export async function openMemoryDatabase(): Promise<MemoryDatabase> {
  const server = await PGlite.create()
  for (const name of (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).toSorted()) {
    await server.exec(await readFile(join(MIGRATIONS, name), 'utf8'))
  }
  // The connection asks for nothing of a socket but what `wireTo` has.
  const client = new pg.Client({ stream: () => wireTo(server) as unknown as Duplex, types: databaseTypes })
  await client.connect()
  const query: MemoryDatabase['query'] = (text, values) =>
    values && values.length > 0 ? client.query(text, [...values]) : client.query(text)
  const tables = await tableNames(query)
  prepareStatements(client as unknown as pg.PoolClient, new Map())
  let resets = 0
  return {
    query,
    keep: () => keepTables(query, tables),
    reset: async () => {
      await restoreTables(query, tables)
      resets += 1
      if (resets % SWEEP_EVERY === 0) await query('VACUUM pg_class, pg_attribute, pg_statistic, pg_depend')
    },
    close: async () => {
      await client.end()
      await server.close()
    },
  }
}

type Query = MemoryDatabase['query']

async function tableNames(query: Query): Promise<string[]> {
  const { rows } = await query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ relname }) => String(relname)).toSorted()
}

async function keepTables(query: Query, tables: readonly string[]): Promise<void> {
  await query('CREATE SCHEMA kept')
  for (const table of tables) await query(`CREATE TABLE kept.${table} AS TABLE public.${table}`)
  await query(`CREATE TABLE kept.sequence_values AS
    SELECT format('%I.%I', schemaname, sequencename) AS name, last_value FROM pg_sequences WHERE schemaname = 'public'`)
}

/** Triggers that guard the books, and foreign keys, stay out of it: what comes back was consistent when it was kept. */
async function restoreTables(query: Query, tables: readonly string[]): Promise<void> {
  const filled = tables.map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${table})`)
  const { rows: dirty } = await query(filled.join(' UNION ALL '))
  const kept = tables.map((table) => `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM kept.${table})`)
  const { rows: refilled } = await query(kept.join(' UNION ALL '))
  const names = dirty.map(({ name }) => String(name))
  await query(`SET session_replication_role = replica; ${
    names.length > 0 ? `TRUNCATE ${names.join(', ')} RESTART IDENTITY CASCADE;` : ''
  } ${refilled
    .map(({ name }) => `INSERT INTO ${String(name)} OVERRIDING SYSTEM VALUE SELECT * FROM kept.${String(name)};`)
    .join(' ')}
    SELECT setval(name, coalesce(last_value, 1), last_value IS NOT NULL) FROM kept.sequence_values;
    SET session_replication_role = origin`)
}

/** AuthenticationOk and ReadyForQuery (PostgreSQL manual, 54.7): the start of a session needs no more. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
/** First byte of a Terminate message. */
const TERMINATE = 0x58

/** What the client takes for a socket: every message is answered before `write` comes back. */
function wireTo(server: PGlite): EventEmitter {
  let isOpen = false
  let held: Uint8Array[] | null = null
  const send = (bytes: Uint8Array) => {
    if (!isOpen) {
      isOpen = true
      return socket.emit('data', WELCOME)
    }
    if (bytes[0] === TERMINATE) return setImmediate(() => socket.emit('close'))
    const answer = server.execProtocolRawSync(bytes)
    return answer.length > 0 && socket.emit('data', Buffer.from(answer))
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
    cork: () => void (held = []),
    uncork: () => {
      const bytes = Buffer.concat(held ?? [])
      held = null
      if (bytes.length > 0) send(bytes)
    },
    write: (bytes: Uint8Array) => {
      if (held) held.push(bytes)
      else send(bytes)
      return true
    },
    end: (bytes?: Uint8Array) => void (bytes && send(bytes)),
    destroy: nothing,
  })
}
