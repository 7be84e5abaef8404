import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'

import { type App, createApp, INVARIANTS } from '../../app.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { migrate } from '../../db/migrate.ts'
import { backfill, compact, countedPercent, findDifferences } from '../../modules/analytics/rollups/service.ts'
import { listBlockchains } from '../../modules/blockchains/chains/service.ts'
import { verify } from '../../modules/ledger/service.ts'
import { sealJournal } from '../../modules/ledger/service.ts'
import { open } from '../../modules/vaults/service.ts'
import { TEST_EMAIL, TEST_PASSWORD } from '../app.ts'
import { testConfig, testKeys } from '../config.ts'
import { testDatabase } from '../database/test-database.ts'
import { databaseUrl, run } from '../database/run-statement.ts'
import { CHANGES } from './changes.ts'
import { fixturePath, readFixture } from './fixture-file.ts'
import { FIXTURE_KEY } from './fixture-world.ts'
import { copyPayments } from './many-payments.ts'
import { readRows, type Rows } from './rows.ts'

const VERSIONS = readdirSync(join(fixturePath(''), '..')).map((name) => name.replace(/\.sql\.gz$/, ''))
/** Payments of the long past: more than one batch of the backfill; `npm run upgrade-past` has 100,000. */
const PAYMENTS = Number(process.env.KASSA_UPGRADE_PAYMENTS ?? 3_000)
const MIGRATE = join(import.meta.dirname, '../../db/migrate.ts')
const MIGRATIONS = join(import.meta.dirname, '../../db/migrations')
/** How long a child process may take to come to where it is killed. */
const START_MS = 30_000

const dropped: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const drop of dropped.splice(0)) await drop()
})

let databases = 0
/** A database that a program of this version has left. */
async function databaseOf(version: string): Promise<string> {
  const { url } = inject('postgres')
  const name = `kassa_upgrade_${process.pid}_${(databases += 1)}`
  await run(url, `CREATE DATABASE ${name}`)
  dropped.push(() => run(url, `DROP DATABASE ${name} WITH (FORCE)`))
  const connectionString = databaseUrl(url, name)
  await run(connectionString, await readFixture(version))
  return connectionString
}

/** The program of today on this database. */
async function openApp(connectionString: string): Promise<App> {
  const keys = testKeys(FIXTURE_KEY)
  const app = await createApp(testConfig(connectionString), { keys, log: pino({ level: 'silent' }), isTest: true })
  onTestFinished(app.close)
  return app
}

/** The session of the operator whom the fixture has. */
async function signIn(http: App['http']): Promise<string> {
  const headers = { host: 'localhost:8080', 'content-type': 'application/json' }
  const payload = { email: TEST_EMAIL, password: TEST_PASSWORD }
  const answer = await http.inject({ method: 'POST', url: `/api/v1${authRoutes.signIn.paths[0]}`, headers, payload })
  return (JSON.parse(answer.payload) as { key: string }).key
}

/** What is left of old rows when the columns that were meant to change are left out, by the names of today. */
function asOfToday(table: string, rows: Rows): Rows {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([column, value]) => {
        const name = CHANGES.columns[`${table}.${column}`]
        return name === null ? [] : [[name ?? column, value] as const]
      }),
    ),
  )
}

function onlyColumns(rows: Rows, like: Rows): Rows {
  const columns = Object.keys(like[0] ?? {})
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
}

const inOrder = ({ table, rows }: { readonly table: string; readonly rows: Rows }) => ({
  table,
  rows: rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted(),
})

describe.each(VERSIONS)('a database of version %s', (version) => {
  it('keeps every row, with its seals, books and secrets', async () => {
    const connectionString = await databaseOf(version)
    const before = await readRows(connectionString)
    await migrate(connectionString)
    const after = await readRows(connectionString)
    before.delete('migrations')
    const expected = [...before].map(([table, rows]) => ({
      table: CHANGES.tables[table] ?? table,
      rows: asOfToday(table, rows),
    }))
    const found = expected.map(({ table, rows }) => ({ table, rows: onlyColumns(after.get(table) ?? [], rows) }))
    expect(found.map(({ table, rows }) => [table, rows.length])).toEqual(
      expected.map(({ table, rows }) => [table, rows.length]),
    )
    expect(found.map(inOrder)).toEqual(expected.map(inOrder))
    const ctx = asSystem((await openApp(connectionString)).ctx)
    expect(await verify(ctx, INVARIANTS)).toEqual([])
    // The open seal of the old version is closed by the new one, and what it says then holds as well.
    expect(await sealJournal(ctx)).toBeGreaterThan(0)
    expect(await verify(ctx, INVARIANTS)).toEqual([])
    const { rows: secrets } = await sql<{ id: number }>`SELECT id FROM secrets`.execute(ctx.db)
    for (const { id } of secrets) expect((await open(ctx, id)).length).toBeGreaterThan(0)
  })

  it('is worked with by the program of today', async () => {
    const connectionString = await databaseOf(version)
    await migrate(connectionString)
    const { ctx, http } = await openApp(connectionString)
    const path = paymentsRoutes.searchProjectPayments.paths[0].replace('{p}', 'all')
    const answer = await http.inject({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { host: 'localhost:8080', 'content-type': 'application/json', 'api-key': await signIn(http) },
      payload: { limit: 100 },
    })
    const found: unknown = JSON.parse(answer.payload)
    const { rows } = await sql<{ payments: bigint }>`SELECT count(*) AS payments FROM payments`.execute(ctx.db)
    expect(found).toMatchObject({ totalCount: Number(rows[0]?.payments) })
  })

  it('knows by a code why a network is inactive, and not by a sentence', async () => {
    const connectionString = await databaseOf(version)
    await migrate(connectionString)
    const { ctx } = await openApp(connectionString)
    const networks = (await listBlockchains(ctx)).filter(({ status }) => status === 'inactive')
    expect(networks.map(({ code, inactive }) => [code, inactive?.code])).toEqual(
      networks.map(({ code }) => [code, 'not_started']),
    )
    expect(networks.length).toBeGreaterThan(0)
  })

  it('counts its past as the ledger has it', async () => {
    const connectionString = await databaseOf(version)
    await migrate(connectionString)
    const system = asSystem((await openApp(connectionString)).ctx)
    await backfill(system)
    expect(await countedPercent(system)).toBeNull()
    expect(await findDifferences(system)).toEqual([])
  })

  it('counts a long past while it serves, batch by batch, and is right then', { timeout: 600_000 }, async () => {
    const connectionString = await databaseOf(version)
    await copyPayments(connectionString, PAYMENTS)
    await migrate(connectionString)
    const { ctx, http } = await openApp(connectionString)
    const system = asSystem(ctx)
    const key = await signIn(http)
    const totalPayments = async () => {
      const url = '/api/v1/external-platform/all/analytics/groups/1/graph/1/data'
      const answer = await http.inject({ url, headers: { host: 'localhost:8080', 'api-key': key } })
      const { data, countedPercent: counted } = JSON.parse(answer.payload) as Extract<
        GraphData,
        { type: 'number_graph' }
      >
      return { value: data[0]?.value, counted }
    }
    expect(await totalPayments()).toEqual({ value: '0.00', counted: 0 })
    const killed = inTransaction(system, async (tx) => {
      await backfill(tx)
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    expect(await totalPayments()).toEqual({ value: '0.00', counted: 0 })
    // Every run ends after its first batch.
    let seconds = 0
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (seconds += 15) * 1000)
    await backfill(system)
    clock.mockRestore()
    const halfWay = await totalPayments()
    expect(halfWay.counted).toBeGreaterThan(0)
    expect(Number(halfWay.value)).toBeGreaterThan(0)
    while ((await countedPercent(system)) !== null) await backfill(system)
    const { rows } = await sql<{ usd: string }>`SELECT sum(filled_usd) AS usd FROM payments`.execute(ctx.db)
    expect(await totalPayments()).toEqual({ value: usd(usdOf(rows[0]?.usd ?? '')), counted: null })
    // The copies have no journal entries.
    const differences = async () => (await findDifferences(system)).filter(({ rule }) => !rule.includes('ledger'))
    expect(await differences()).toEqual([])
    await compact(system)
    expect(await differences()).toEqual([])
  })

  // One that a dead worker was working on is taken over as in any version: the queue's own test shows it.
  it('has its waiting jobs run, or moved to the queue that took over', async () => {
    const connectionString = await databaseOf(version)
    await migrate(connectionString)
    const app = await openApp(connectionString)
    const waiting = async () => {
      const { rows } = await sql<{ name: string }>`
        SELECT name FROM pgboss.job WHERE state < 'active' AND start_after < now() AND created_on < ${madeAt}
        ORDER BY name`.execute(app.ctx.db)
      return rows.map(({ name }) => name)
    }
    const madeAt = new Date()
    const left = await waiting()
    expect(left.length).toBeGreaterThan(2)
    expect(left.filter((queue) => queue in CHANGES.queues)).toEqual([])
    await app.start('worker')
    await expect.poll(waiting, { timeout: START_MS }).toEqual([])
    const failed = async () => {
      const { rows } = await sql`
        SELECT name, output FROM pgboss.job WHERE created_on < ${madeAt} AND (output IS NOT NULL OR retry_count > 0)`.execute(
        app.ctx.db,
      )
      return rows
    }
    await expect.poll(failed).toEqual([])
  })

  it('moves jobs from former names of a queue, and covers every queue', async () => {
    const connectionString = await databaseOf(version)
    const client = await connect(connectionString)
    const { rows: queues } = await client.query<{ name: string }>('SELECT name FROM pgboss.queue')
    const former = Object.keys(CHANGES.queues).filter((old) => queues.some(({ name }) => name === old))
    await client.query(
      `INSERT INTO pgboss.job (name, data, state, start_after)
       SELECT name, jsonb_build_object('from', name), state::pgboss.job_state, '2100-01-01'
       FROM unnest($1::text[]) AS name, unnest('{created,retry,active}'::text[]) AS state`,
      [former],
    )
    await migrate(connectionString)
    const { ctx } = await openApp(connectionString)
    expect(queues.filter(({ name }) => ctx.jobs.workerOf(name) === undefined)).toEqual([])
    const { rows } = await client.query<{ from: string; name: string; count: number }>(
      `SELECT data ->> 'from' AS from, name, count(*)::int AS count FROM pgboss.job WHERE data ? 'from' GROUP BY 1, 2`,
    )
    expect(rows.toSorted((a, b) => a.from.localeCompare(b.from))).toEqual(
      former.toSorted((a, b) => a.localeCompare(b)).map((from) => ({ from, name: CHANGES.queues[from], count: 3 })),
    )
  })

  it('is old or new, and nothing between, when a migration is killed in its middle', async () => {
    const connectionString = await databaseOf(version)
    const client = await connect(connectionString)
    const before = await readRows(connectionString)
    const folder = withMigration('9999-in-halves.sql', IN_HALVES)
    await client.query(`SELECT pg_advisory_lock(${HALF_WAY})`)
    await migrateAndKill(connectionString, folder)
    await client.query(`SELECT pg_advisory_unlock(${HALF_WAY})`)
    await migrationsEnd(client)
    expect(await schemaOf(client)).toBe(await schemaOfNew())
    const payments = (await readRows(connectionString)).get(CHANGES.tables.payments ?? 'payments')
    expect(payments).toHaveLength(before.get('payments')?.length ?? 0)
    expect(payments?.filter(({ description }) => description === 'first half')).toEqual([])
    await migrate(connectionString, folder)
    expect((await client.query('SELECT second_half FROM payments LIMIT 1')).rows).toEqual([{ second_half: 'done' }])
  })

  it('stays as it is when the first migration that it lacks is killed', async () => {
    const connectionString = await databaseOf(version)
    const client = await connect(connectionString)
    const before = await readRows(connectionString)
    const schema = await schemaOf(client)
    if (before.get('migrations')?.length === readdirSync(MIGRATIONS).length) {
      return expect(schema).toBe(await schemaOfNew())
    }
    const names = [...before.keys()].filter((table) => table !== 'migrations').map((table) => `"${table}"`)
    // Whatever the migration changes of what is there, it waits for this.
    await client.query(`BEGIN; LOCK TABLE ${names.join(', ')} IN EXCLUSIVE MODE`)
    await migrateAndKill(connectionString, MIGRATIONS)
    await client.query('ROLLBACK')
    await migrationsEnd(client)
    expect(await schemaOf(client)).toBe(schema)
    expect(await readRows(connectionString)).toEqual(before)
    await migrate(connectionString)
    expect(await schemaOf(client)).toBe(await schemaOfNew())
  })
})

/** Key of the lock that the migration below waits for half-way. */
const HALF_WAY = 4_711
const IN_HALVES = `
  UPDATE payments SET description = 'first half';
  CREATE TABLE first_half (id int PRIMARY KEY);
  ALTER TABLE payments ADD COLUMN second_half text NOT NULL DEFAULT 'done';
  SELECT pg_advisory_xact_lock(${HALF_WAY});
  DROP TABLE first_half;`

/** The folder of migrations with one more. */
function withMigration(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(MIGRATIONS, folder, { recursive: true })
  writeFileSync(join(folder, name), text)
  return folder
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  client.on('error', () => undefined)
  onTestFinished(() => client.end().catch(() => undefined))
  return client
}

/** Migrates in a process of its own, and kills it when it waits for a lock of the test. */
async function migrateAndKill(connectionString: string, folder: string): Promise<void> {
  const args = ['--input-type=module', '-e', MIGRATE_SCRIPT, MIGRATE, connectionString, folder]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  // Not the connection that holds the lock: inside a transaction the server's view of its sessions stands still.
  await waitsForLock(await connect(connectionString))
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const MIGRATE_SCRIPT =
  'const { migrate } = await import(process.argv[1]); await migrate(process.argv[2], process.argv[3])'

async function waitsForLock(client: pg.Client): Promise<void> {
  const isWaiting = async () =>
    (
      await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kassa-migrate'
         AND wait_event_type = 'Lock'`,
      )
    ).rowCount
  await expect.poll(isWaiting, { timeout: START_MS }).toBe(1)
}

/** The server ends what a killed client began as soon as it notices. */
async function migrationsEnd(client: pg.Client): Promise<void> {
  const running = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kassa-migrate'`
  while ((await client.query(running)).rowCount) await sleep(50)
}

/** Every column, constraint, index, trigger and function of Kassa's schema, as one text. */
async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ text: string }>(`
    SELECT string_agg(line, E'\\n' ORDER BY line) AS text FROM (
      SELECT format('%s.%s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid)) AS line
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
      UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ) AS lines`)
  return rows[0]?.text ?? ''
}

/** The schema of an install that never was an older one. */
async function schemaOfNew(): Promise<string> {
  const database = await testDatabase()
  dropped.push(database.drop)
  return schemaOf(await connect(database.connectionString))
}
