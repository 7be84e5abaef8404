/** One database that several processes share. */
import { randomBytes } from 'node:crypto'

import { openDatabase } from '../../apps/server/src/db/database.ts'
import { createLog } from '../../apps/server/src/log/log.ts'
import { startPostgres } from '../../apps/server/src/sandbox/postgres.ts'

export type SharedDatabase = {
  readonly url: string
  readonly query: <T extends object>(text: string) => Promise<T[]>
  readonly stop: () => Promise<void>
}

/** An empty database: of the server that `KASSA_TEST_DATABASE_URL` names, else of one started below the folder. */
export async function openSharedDatabase(folder: string): Promise<SharedDatabase> {
  const given = process.env.KASSA_TEST_DATABASE_URL
  const { url, stop } = given ? await createIn(given) : await startIn(folder)
  const { pool, close } = openDatabase(url, { max: 2 })
  return {
    url,
    query: async <T extends object>(text: string) => (await pool.query<T>(text)).rows,
    stop: async () => {
      await close()
      await stop()
    },
  }
}

/** Not durable: no power is cut here, and seven processes need the connections a test's server has. */
async function startIn(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  return startPostgres({ home: `${folder}/database`, log: createLog('silent'), isDurable: false })
}

async function createIn(server: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const name = `kassa_fire_${randomBytes(6).toString('hex')}`
  const run = async (statement: string) => {
    const { pool, close } = openDatabase(server, { max: 1 })
    await pool.query(statement)
    await close()
  }
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, stop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}
