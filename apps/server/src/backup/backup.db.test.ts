import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'

import { type App, createApp, INVARIANTS } from '../app.ts'
import { asSystem, type Context } from '../context.ts'
import { claimNetwork } from '../db/network.ts'
import { verify } from '../modules/ledger/service.ts'
import { sealJournal } from '../modules/ledger/service.ts'
import { open } from '../modules/vaults/service.ts'
import { assignAddress } from '../modules/wallets/service.ts'
import { startPostgres } from '../db/embedded/start-postgres.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { testConfig, testKeys } from '../testing/config.ts'
import { fakeChain } from '../testing/fake-chain.ts'
import { openShop } from '../testing/shop.ts'
import { databaseUrl, run } from '../testing/database/run-statement.ts'
import { TEMPORARY } from '../testing/database/temporary.ts'
import { ASSET, dollars } from '../testing/cashier.ts'
import { openCashier } from '../testing/cashier.ts'
import { FIXTURE_KEY, usedApp } from '../testing/upgrade/fixture-world.ts'
import { readFixture } from '../testing/upgrade/fixture-file.ts'
import { readRows, type Rows } from '../testing/upgrade/rows.ts'

const PASSPHRASE = 'several words at random'
const COMMANDS = join(import.meta.dirname, '../commands')
const KEY = FIXTURE_KEY.toString('hex')

let app: TestApp
let file: string
/** What the file was restored to; tests copy it. */
let restored: string
const folders: string[] = []

beforeAll(async () => {
  app = await usedApp()
  const taken = await command('backup.ts', ['--to', newFolder()], { url: app.connectionString, key: KEY })
  file = /\S+\.kassa(?=: \d+ rows in \d+ bytes, read back and whole)/.exec(taken.output)?.[0] ?? ''
  if (taken.code !== 0 || file === '') throw new Error(taken.output)
  restored = await newDatabase()
  const answer = await restore(file, { url: databaseUrl(inject('postgres').url, restored), key: KEY })
  if (answer.code !== 0) throw new Error(answer.output)
}, 180_000)
afterAll(async () => {
  await app.stop()
  await dropDatabase(restored)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(TEMPORARY, 'kassa-backup-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

let databases = 0
async function newDatabase(template = 'template1'): Promise<string> {
  const name = `kassa_restored_${process.pid}_${(databases += 1)}`
  await run(inject('postgres').url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  return name
}

function dropDatabase(name: string): Promise<void> {
  return run(inject('postgres').url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

async function forThisTest(name: string): Promise<string> {
  onTestFinished(() => dropDatabase(name))
  return databaseUrl(inject('postgres').url, name)
}

const emptyDatabase = async () => forThisTest(await newDatabase())
/** A restored database of the test's own. */
const restoredDatabase = async () => forThisTest(await newDatabase(restored))

/** The program of the restored install. */
function appOn(url: string): Promise<App> {
  return createApp(testConfig(url), { keys: testKeys(FIXTURE_KEY), log: pino({ level: 'silent' }) })
}

type Settings = {
  readonly url?: string
  readonly home?: string
  readonly key?: string
  readonly passphrase?: string
  readonly network?: string
}

function begin(name: string, args: readonly string[], settings: Settings): ChildProcess {
  const { url, home = newFolder(), key, passphrase = PASSPHRASE, network = 'sandbox' } = settings
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    KASSA_HOME: home,
    KASSA_NETWORK: network,
    KASSA_SITE_URL: 'http://localhost:8080',
    KASSA_BACKUP_PASSPHRASE: passphrase,
    ...(url !== undefined && { DATABASE_URL: url }),
    ...(key !== undefined && { KASSA_MASTER_KEY: key }),
  }
  return spawn(process.execPath, [join(COMMANDS, name), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function command(name: string, args: readonly string[], settings: Settings) {
  const child = begin(name, args, settings)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => void (output += text.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** Stops a restore where its rows are written and not committed, until the advisory lock 1 is free. */
const WAIT_BEHIND_THE_ROWS = `
  CREATE FUNCTION wait_behind_the_rows() RETURNS event_trigger LANGUAGE plpgsql AS $$
  DECLARE is_filled boolean;
  BEGIN
    IF to_regclass('payments') IS NULL THEN RETURN; END IF;
    EXECUTE 'SELECT EXISTS (SELECT FROM payments)' INTO is_filled;
    IF is_filled THEN PERFORM pg_advisory_xact_lock(1); END IF;
  END $$;
  CREATE EVENT TRIGGER wait_behind_the_rows ON ddl_command_start WHEN TAG IN ('ALTER TABLE')
    EXECUTE FUNCTION wait_behind_the_rows()`

async function ask(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

function without(rows: Rows, columns: readonly string[]): Rows {
  const left = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column))),
  )
  return left.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** How many backups with the size of the file are noted. */
function notedIn(rows: ReadonlyMap<string, Rows>, kind: string): number {
  const size = String(statSync(file).size)
  const noted = rows.get('backups') ?? []
  return noted.filter((row) => row.kind === kind && String(row.bytes) === size && row.has_master_key === true).length
}

async function newCustomersAddress(ctx: Context) {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO customers (project_id, customer_id) VALUES (1, gen_random_uuid()::text) RETURNING id`.execute(ctx.db)
  return assignAddress(ctx, { projectId: 1, customerId: rows[0]?.id ?? 0, familyId: 1 })
}

const restore = (from: string, settings: Settings) => command('restore.ts', [from], settings)
const tablesOf = async (connectionString: string) => [...(await readRows(connectionString)).keys()]

/** Each test starts programs of its own, which take seconds on a machine with much to do. */
const PATIENT = { timeout: 180_000 }

describe('npm run restore', PATIENT, () => {
  it('brings back every row, the master key and the waiting jobs, in a folder of its own', async () => {
    const home = newFolder()
    const answer = await restore(file, { home })
    expect(answer.output).toContain('Every seal of the journal fits, and the books balance.')
    expect(answer.output).toContain('npm run check-books')
    expect(answer.code).toBe(0)
    expect(readFileSync(join(home, 'master.key'), 'utf8').trim()).toBe(KEY)
    expect(statSync(join(home, 'master.key')).mode & 0o777).toBe(0o400)
    const postgres = await startPostgres({ home, log: pino({ level: 'silent' }), isDurable: false })
    onTestFinished(postgres.stop)
    const [before, after] = [await readRows(app.connectionString), await readRows(postgres.url)]
    // The backup was noted once it was whole, which it cannot hold itself; the restore notes the file instead.
    expect([notedIn(before, 'taken'), notedIn(after, 'restored')]).toEqual([1, 1])
    for (const rows of [before, after]) rows.delete('backups')
    const changed = {
      addresses: ['status'],
      wallet_xpubs: ['next_index'],
      wallet_vaults: ['next_index'],
      sessions: ['ended_at'],
      password_tokens: ['ended_at'],
      device_pairings: ['used_at'],
      journal_seals: ['horizon'],
      // The program that was copied runs on, and says so.
      vault_processes: ['lease_until'],
      vaults: ['last_used_at'],
    }
    for (const [table, columns] of Object.entries({ migrations: ['applied_at'], ...changed })) {
      for (const rows of [before, after]) rows.set(table, without(rows.get(table) ?? [], columns))
    }
    expect(after).toEqual(before)
    // The queue gives a new time to the job whose worker died, as soon as it notices.
    const states = async (url: string) =>
      ask(
        url,
        `SELECT name, data, singleton_key, CASE WHEN name <> 'payments.expire' THEN start_after END AS start_after
         FROM pgboss.job ORDER BY 1, 4`,
      )
    expect(await states(postgres.url)).toEqual(await states(app.connectionString))
    expect(await ask(postgres.url, "SELECT FROM addresses WHERE status = 'open'")).toEqual([])
    expect(await ask(postgres.url, 'SELECT FROM sessions WHERE ended_at IS NULL')).toEqual([])
  })

  it('revives nothing that gave access when the backup was taken', async () => {
    const old = await restoredDatabase()
    const gives = ['password_tokens WHERE ended_at IS NULL', 'device_pairings WHERE used_at IS NULL']
    for (const which of gives) expect(await ask(old, `SELECT FROM ${which}`)).toEqual([])
    await run(old, 'UPDATE devices SET unpaired_at = NULL; UPDATE password_tokens SET ended_at = NULL')
    await run(old, "UPDATE referral_tokens SET expires_at = now() + interval '1 day'")
    const to = join(newFolder(), 'access.kassa')
    expect(await command('backup.ts', ['--to', to], { url: old, key: KEY })).toMatchObject({ code: 0 })
    const url = await emptyDatabase()
    const { output } = await restore(to, { url, key: KEY })
    expect(output).toMatch(/[1-9]\d* signing device\(s\), pair each again; [1-9]\d* password link\(s\)/)
    const works = [...gives, 'devices WHERE unpaired_at IS NULL', 'referral_tokens WHERE expires_at > now()']
    for (const which of works) expect([which, await ask(url, `SELECT FROM ${which}`)]).toEqual([which, []])
  })

  it('assigns no address that was free when the backup was taken', async () => {
    const url = await restoredDatabase()
    const again = await appOn(url)
    onTestFinished(again.close)
    const ctx = asSystem(again.ctx)
    expect(await sealJournal(ctx)).toBeGreaterThan(0)
    // After the backup was taken, the install that is lost gave an address to a customer that the backup does not know.
    const lost = await newCustomersAddress(asSystem(app.ctx))
    const given = await newCustomersAddress(ctx)
    expect(given.address).not.toBe(lost.address)
    expect(await ask(url, `SELECT status FROM addresses WHERE address = '${lost.address}'`)).toEqual([
      { status: 'withheld' },
    ])
    expect(
      await ask(url, `SELECT FROM addresses WHERE address = '${given.address}' AND derivation_index > 100000`),
    ).toHaveLength(1)
    const { rows: secrets } = await sql<{ id: number }>`SELECT id FROM secrets ORDER BY id`.execute(ctx.db)
    for (const { id } of secrets) expect(await open(ctx, id)).toEqual(await open(asSystem(app.ctx), id))
  })

  it('brings a backup of an older version up to this one', async () => {
    const old = await emptyDatabase()
    await run(old, await readFixture('0.1.0'))
    const to = join(newFolder(), 'old.kassa')
    const taken = await command('backup.ts', ['--to', to], { url: old, key: KEY })
    expect(taken).toMatchObject({
      code: 0,
      output: expect.stringContaining('The dashboard will not know of this backup'),
    })
    const url = await emptyDatabase()
    expect(await restore(to, { url })).toMatchObject({ code: 0, output: expect.stringContaining('the books balance') })
    expect(await ask(url, 'SELECT kind, version FROM backups')).toEqual([{ kind: 'restored', version: '0.1.0' }])
    expect(await ask(url, 'SELECT name FROM migrations ORDER BY name')).toEqual(
      await ask(app.connectionString, 'SELECT name FROM migrations ORDER BY name'),
    )
    expect(await ask(url, 'SELECT id, units, status FROM deposits ORDER BY id')).toEqual(
      await ask(old, 'SELECT id, units, status FROM deposits ORDER BY id'),
    )
  })

  it('refuses a file with one changed byte before it writes anything', async () => {
    const url = await emptyDatabase()
    const bytes = readFileSync(file)
    // Every single byte of a file is changed in the test of the archive; behind this one most of the content is intact.
    const at = bytes.length >> 1
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    const home = newFolder()
    const damaged = join(newFolder(), 'damaged.kassa')
    writeFileSync(damaged, bytes)
    const answer = await restore(damaged, { url, home })
    expect(answer).toMatchObject({ code: 2, output: expect.stringContaining('The backup is damaged') })
    expect(readdirSync(home)).toEqual([])
    expect(await tablesOf(url)).toEqual([])
  })

  it('leaves an empty database when it is killed, and a second try completes it', async () => {
    const url = await emptyDatabase()
    const home = newFolder()
    const gate = new pg.Client({ connectionString: url })
    await gate.connect()
    onTestFinished(() => gate.end())
    await gate.query(WAIT_BEHIND_THE_ROWS)
    await gate.query('SELECT pg_advisory_lock(1)')
    const child = begin('restore.ts', [file], { url, home })
    const isWaiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted`
    await expect.poll(() => ask(url, isWaiting), { timeout: 60_000 }).toHaveLength(1)
    child.kill('SIGKILL')
    await once(child, 'close')
    await gate.query('SELECT pg_advisory_unlock(1)')
    const isLeft = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kassa-restore'`
    while ((await ask(url, isLeft)).length > 0) await sleep(20)
    expect(await tablesOf(url)).toEqual([])
    expect(await restore(file, { url, home })).toMatchObject({ code: 0 })
    expect(await ask(url, 'SELECT count(*)::int AS n FROM payments')).toEqual(
      await ask(app.connectionString, 'SELECT count(*)::int AS n FROM payments'),
    )
  })

  it('says why it cannot, and changes nothing', async () => {
    const url = await emptyDatabase()
    const other = Buffer.alloc(32, 1).toString('hex')
    const answers = await Promise.all([
      restore(file, { url: app.connectionString, key: KEY }),
      restore(file, { url, passphrase: 'several words at randon' }),
      restore(file, { url, key: other }),
      restore(file, { url, network: 'testnet', key: KEY }),
      restore(join(newFolder(), 'none.kassa'), { url }),
      restore(file, { url, passphrase: '' }),
    ])
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 2))
    const said = answers.map(({ output }) => output)
    expect(said[0]).toContain('The database is not empty')
    expect(said[1]).toContain('The passphrase is not the one')
    expect(said[2]).toContain('is not the one of this backup')
    expect(said[3]).toContain('Set KASSA_NETWORK=sandbox')
    expect(said[4]).toContain('The backup cannot be read')
    expect(said[5]).toContain('KASSA_BACKUP_PASSPHRASE')
    expect(await tablesOf(url)).toEqual([])
  })
})

describe('npm run backup', PATIENT, () => {
  it('takes one moment of an install that is at work', async () => {
    const busy = await testApp({ masterKey: FIXTURE_KEY })
    onTestFinished(busy.stop)
    await claimNetwork(busy.connectionString, 'sandbox')
    const shop = await openShop(busy, await busy.signUp())
    const cashier = openCashier(busy, shop)
    const eth = await fakeChain(busy.ctx, 1)
    const stop = new AbortController()
    const work = (async () => {
      while (!stop.signal.aborted) {
        const paid = await Promise.all([cashier.newPayment(), cashier.newPayment(), cashier.newPayment()])
        await eth.mine(paid.map(({ to }) => ({ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) })))
        await sealJournal(asSystem(busy.ctx))
      }
    })()
    await expect.poll(() => eth.height(), { timeout: 30_000 }).toBeGreaterThan(105)
    const before = await readRows(busy.connectionString)
    const to = join(newFolder(), 'busy.kassa')
    const taken = await command('backup.ts', ['--to', to, '--without-master-key'], {
      url: busy.connectionString,
      key: KEY,
    })
    stop.abort()
    await work
    expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('The master key is not in it') })
    expect(statSync(to).mode & 0o777).toBe(0o600)
    const url = await emptyDatabase()
    expect(await restore(to, { url })).toMatchObject({
      code: 2,
      output: expect.stringContaining('The master key is not in this'),
    })
    expect(await restore(to, { url, key: KEY })).toMatchObject({ code: 0 })
    const ended = await readRows(busy.connectionString)
    const restored = await readRows(url)
    for (const table of ['journal_entries', 'postings', 'events']) {
      const [least, found, most] = [before, restored, ended].map((rows) =>
        (rows.get(table) ?? []).map((row) => JSON.stringify(row)),
      )
      const whole = new Set(most)
      expect(found?.filter((row) => !whole.has(row))).toEqual([])
      expect((found?.length ?? 0) >= (least?.length ?? 0) && (found?.length ?? 0) < (most?.length ?? 0)).toBe(true)
    }
    const again = await appOn(url)
    onTestFinished(again.close)
    expect(await sealJournal(asSystem(again.ctx))).toBeGreaterThanOrEqual(0)
    expect(await verify(asSystem(again.ctx), INVARIANTS)).toEqual([])
  })

  it('writes whole files only, and replaces none', async () => {
    const folder = newFolder()
    const to = join(folder, 'kept.kassa')
    writeFileSync(to, 'something else')
    const settings = { url: app.connectionString, key: KEY }
    const answers = await Promise.all([
      command('backup.ts', ['--to', to], settings),
      command('backup.ts', ['--to', folder], { ...settings, passphrase: 'too short' }),
      command('backup.ts', ['--to', folder], { ...settings, url: await emptyDatabase() }),
      command('backup.ts', ['--into', folder], settings),
    ])
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2, 2])
    const said = answers.map(({ output }) => output)
    expect(said[0]).toContain('exists already')
    expect(said[1]).toContain('at least 12 characters')
    expect(said[2]).toContain('there is nothing to back up')
    expect(said[3]).toContain('Use: npm run backup')
    expect(readFileSync(to, 'utf8')).toBe('something else')
    expect(readdirSync(folder)).toEqual(['kept.kassa'])
    expect(existsSync(file)).toBe(true)
  })
})
