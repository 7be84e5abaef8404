/** One database that several processes share. */
import { randomBytes } from 'node:crypto'

import { openDatabase } from '../../apps/server/src/db/database.ts'
import { createLog } from '../../apps/server/src/log/log.ts'
import { startPostgres } from '../../apps/server/src/db/embedded/start-postgres.ts'
import { databaseProcess } from './slot.ts'

export type SharedDatabase = {
  readonly url: string
  readonly query: <T extends object>(text: string) => Promise<T[]>
  /** Runs the work while nobody can write to a table, as whoever holds it in a transaction of its own. */
  readonly whileLocked: (table: string, work: () => Promise<void>) => Promise<void>
  /** A signal to the server's first process; it is started again. Absent where the server is not ours. */
  readonly strike: ((signal: NodeJS.Signals) => void) | undefined
  readonly stop: () => Promise<void>
}

/** An empty database: of the server that `KASSA_TEST_DATABASE_URL` names, else of one started below the folder. */
export async function openSharedDatabase(folder: string): Promise<SharedDatabase> {
  const given = process.env.KASSA_TEST_DATABASE_URL
  const { url, stop } = given ? await createIn(given) : await startIn(folder)
  const { pool, close } = openDatabase(url, { max: 2 })
  const strike = (signal: NodeJS.Signals) => {
    const pid = databaseProcess(`${folder}/database`)
    if (pid !== undefined) process.kill(pid, signal)
  }
  return {
    url,
    query: async <T extends object>(text: string) => (await pool.query<T>(text)).rows,
    whileLocked: async (table, work) => {
      const holder = await pool.connect()
      try {
        await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`)
        await work()
      } finally {
        // With an error it is closed, and what it holds let go, whether the server lives or not.
        holder.release(new Error('It held a lock'))
      }
    },
    strike: given ? undefined : strike,
    stop: async () => {
      await close()
      await stop()
    },
  }
}

/**
 * As a test's server, which has the connections that nine processes need, and survives no power cut: none is cut here.
 * What it said is committed must outlive its processes all the same.
 */
async function startIn(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = await startPostgres({
    home: `${folder}/database`,
    log: createLog('silent'),
    isDurable: false,
    isSupervised: true,
  })
  await runAt(server.url, 'ALTER DATABASE postgres SET synchronous_commit = on')
  return server
}

async function runAt(url: string, statement: string): Promise<void> {
  const { pool, close } = openDatabase(url, { max: 1 })
  await pool.query(statement)
  await close()
}

async function createIn(server: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const name = `kassa_chaos_${randomBytes(6).toString('hex')}`
  await runAt(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, stop: () => runAt(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}
