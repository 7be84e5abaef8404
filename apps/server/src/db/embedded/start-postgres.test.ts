import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { canOthersEnter } from './account.ts'
import { databaseFolder, socketFolder } from './location.ts'
import { type Postgres, startPostgres } from './start-postgres.ts'
import { isAlive, stopProcess } from '../../process/processes.ts'
import { TEMPORARY } from '../../testing/database/temporary.ts'

const isRoot = process.getuid?.() === 0
const log = pino({ level: 'silent' })

/** These tests also run with a umask that closes new folders to others. */
const usualMask = process.umask(0o022)
afterAll(() => void process.umask(usualMask))

/** Each test makes a database of its own, which a busy disk can take its time over. */
describe('startPostgres', { timeout: 60_000 }, () => {
  let root: string
  let home: string
  const running: Postgres[] = []

  beforeEach(() => {
    root = mkdtempSync(join(TEMPORARY, 'kassa-postgres-'))
    home = join(root, 'home')
    mkdirSync(home)
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((postgres) => postgres.stop()))
    const folder = databaseFolder(home)
    if (!folder.startsWith(home)) rmSync(folder, { recursive: true })
    rmSync(root, { recursive: true })
  })

  async function start(isDurable = false): Promise<Postgres> {
    const postgres = await startPostgres({ home, log, isDurable })
    running.push(postgres)
    return postgres
  }

  async function query(postgres: Postgres, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(sql)
    await client.end()
    return rows
  }

  it('starts a supervised server again when it was killed, with what was committed', async () => {
    const postgres = await startPostgres({ home, log, isSupervised: true })
    running.push(postgres)
    await query(postgres, 'CREATE TABLE stored AS SELECT 7 AS n')
    process.kill(postgres.pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await query(postgres, 'SELECT n FROM stored')).toEqual([{ n: 7 }]), {
      timeout: 30_000,
      interval: 200,
    })
    await running.pop()?.stop()
    await expect(query(postgres, 'SELECT 1')).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  })

  it('runs on a socket only, durably, below a folder that others cannot enter', async () => {
    const postgres = await start(true)
    const rows = await query(
      postgres,
      `SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS tcp`,
    )
    expect(rows).toEqual([{ fsync: 'on', tcp: '' }])
    const owner = statSync(`/proc/${postgres.pid}`).uid
    if (isRoot) {
      expect(owner).not.toBe(0)
      expect(readFileSync(join(home, 'postgres-folder.txt'), 'utf8')).toMatch(/^\/var\/lib\/kassa\/[0-9a-f]{12}\n$/)
    } else {
      expect(owner).toBe(process.getuid?.())
      expect(existsSync(join(home, 'postgres/data'))).toBe(true)
    }
  })

  it('keeps the database inside the data folder where its user can enter it', async () => {
    chmodSync(root, 0o711)
    await start()
    expect(existsSync(join(home, 'postgres/data/PG_VERSION'))).toBe(true)
    expect(existsSync(join(home, 'postgres-folder.txt'))).toBe(false)
  })

  it('takes over a server that outlived its Kassa and stops it in the end', async () => {
    const first = await start()
    const second = await start()
    expect(second).toMatchObject({ reused: true, pid: first.pid })
    await second.stop()
    expect(isAlive(first.pid)).toBe(false)
  })

  it('replaces a server that was started with other settings', async () => {
    const first = await start(false)
    const second = await start(true)
    expect(second.reused).toBe(false)
    expect(isAlive(first.pid)).toBe(false)
    expect(await query(second, 'SHOW fsync')).toEqual([{ fsync: 'on' }])
  })

  it('recovers committed rows after kill -9', async () => {
    const first = await start(true)
    await query(first, 'CREATE TABLE stored (id int); INSERT INTO stored VALUES (7)')
    const busy = new pg.Client({ connectionString: first.url })
    busy.on('error', () => {})
    await busy.connect()
    const work = busy.query('SELECT count(*) FROM generate_series(1, 5000000)').catch(() => undefined)
    await stopProcess(first.pid, 'SIGKILL', 1_000)
    const second = await start(true)
    expect(second.reused).toBe(false)
    expect(await query(second, 'SELECT id FROM stored')).toEqual([{ id: 7 }])
    await work
    await busy.end().catch(() => undefined)
  })

  it('starts although the id in the pid file is now another process’s', async () => {
    const first = await start()
    await first.stop()
    const data = join(databaseFolder(home), 'data')
    const sameUser = spawn('sleep', ['30'], { uid: statSync(data).uid, gid: statSync(data).gid })
    writeFileSync(join(data, 'postmaster.pid'), `${sameUser.pid}\n${data}\n`)
    const socket = decodeURIComponent(first.url.split('host=')[1] ?? '')
    mkdirSync(socket, { mode: 0o700 })
    writeFileSync(join(socket, '.s.PGSQL.5432.lock'), `${sameUser.pid}\n${data}\n`)
    expect((await start()).reused).toBe(false)
    sameUser.kill()
  })

  it('starts where the path is too long for a socket', async () => {
    home = join(home, 'x'.repeat(120))
    const postgres = await start()
    expect(await query(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('refuses to start empty when the noted folder is missing', () => {
    writeFileSync(join(home, 'postgres-folder.txt'), '/var/lib/kassa/000000000000\n')
    expect(() => databaseFolder(home)).toThrow(/which is gone/)
    rmSync(join(home, 'postgres-folder.txt'))
  })
})

describe('socketFolder', () => {
  const longTemporary = join(tmpdir(), 'y'.repeat(90))

  it('keeps the path short, whatever the temporary folder and the data folder are called', () => {
    const home = mkdtempSync(join(tmpdir(), 'z'.repeat(100)))
    const folder = socketFolder(home, { name: 'you' }, longTemporary)
    expect(Buffer.byteLength(join(folder, '.s.PGSQL.5432.lock'))).toBeLessThan(104)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    rmSync(folder, { recursive: true })
    rmSync(home, { recursive: true })
  })

  it('refuses a file in its place', () => {
    const home = mkdtempSync(join(tmpdir(), 'kassa-home-'))
    const folder = socketFolder(home, { name: 'you' })
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    expect(() => socketFolder(home, { name: 'you' })).toThrow(/belongs to another user/)
    rmSync(folder)
    rmSync(home, { recursive: true })
  })
})

describe('canOthersEnter', () => {
  it('is false below a closed parent', () => {
    const closed = mkdtempSync(join(realpathSync(tmpdir()), 'kassa-closed-'))
    const inside = join(closed, 'inside')
    mkdirSync(inside, { mode: 0o755 })
    expect(canOthersEnter(inside)).toBe(false)
    chmodSync(closed, 0o711)
    expect(canOthersEnter(inside)).toBe(canOthersEnter(dirname(closed)))
    rmSync(closed, { recursive: true })
  })
})
