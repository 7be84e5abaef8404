/** The whole program in a process of its own, started as its user starts it, with a way into its database. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type DatabasePool, openDatabase } from '../../apps/server/src/db/database.ts'
import { createLog } from '../../apps/server/src/log/log.ts'
import { startPostgres } from '../../apps/server/src/db/embedded/start-postgres.ts'
import { apiOf } from '../../e2e/api.ts'
import { clearLayout, freePort, type Instance, newLayout, type Layout, startInstance } from '../../e2e/instance.ts'
import { openShop, type Shop } from '../../e2e/shop.ts'
import type { Cleanup } from './figure.ts'
import { prepareTransactions, type Pool } from './limits.ts'
import { hasPast } from '../payments/payment-rows.ts'

export const CLIENTS = 16

export type Setup = { readonly instance: Instance; readonly shop: Shop; readonly pool: Pool }

/** Fills the database of a new shop while the program stands still. */
export type Fill = (pool: Pool, shop: Shop) => Promise<void>

/**
 * Starts the program with an empty data folder, a shop in it and the tables that limits are measured with; or with the data
 * folder and the shop of a former run that was kept. A shop that has no past is given it, if there is one to give.
 */
export async function openSetup(
  cleanup: Cleanup,
  { keptIn, fill }: { keptIn?: string | undefined; fill?: Fill } = {},
): Promise<Setup> {
  const layout = keptIn === undefined ? await newLayout() : await layoutIn(keptIn)
  if (keptIn === undefined) cleanup(() => clearLayout(layout))
  let instance = await startWatched(layout, cleanup)
  const shop = await shopOf(instance.url, keptIn)
  if (fill) {
    await instance.stop()
    await withoutProgram(layout, async (pool) => {
      if (!(await hasPast(pool))) await fill(pool, shop)
    })
    instance = await startWatched(layout, cleanup)
  }
  const { pool, close } = await databaseOf(instance)
  cleanup(close)
  await prepareTransactions(pool, CLIENTS)
  return { instance, shop, pool }
}

/** The database alone, which waits for no disk: rows of years are written in minutes, and a power cut costs a measurement. */
async function withoutProgram({ home }: Layout, work: (pool: Pool) => Promise<void>): Promise<void> {
  const postgres = await startPostgres({ home, log: createLog('silent'), isDurable: false })
  const { pool, close } = openDatabase(postgres.url)
  try {
    await work(pool)
  } finally {
    await close()
    await postgres.stop()
  }
}

async function layoutIn(folder: string): Promise<Layout> {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  return { home: join(folder, 'kassa'), port: await freePort() }
}

/** The shop that a former run left in the folder, else a new one. */
async function shopOf(url: string, keptIn: string | undefined): Promise<Shop> {
  const file = keptIn && join(keptIn, 'shop.json')
  if (file && existsSync(file)) return knownShop(url, JSON.parse(readFileSync(file, 'utf8')) as KnownShop)
  const shop = await openShop(url)
  const { project, apiKey, session } = shop
  if (file) writeFileSync(file, JSON.stringify({ project, apiKey, session }))
  return shop
}

type KnownShop = Pick<Shop, 'project' | 'apiKey' | 'session'>

function knownShop(url: string, known: KnownShop): Shop {
  return { url, ...known, operator: apiOf(url, known.session), merchant: apiOf(url, known.apiKey) }
}

/** Starts the program; an interruption of the measurement waits for it, so that none is left behind. */
export function startWatched(layout: Layout, cleanup: Cleanup): Promise<Instance> {
  const starting = startInstance(layout)
  const stop = (instance: Instance) => (instance.processes().length > 0 ? instance.stop() : undefined)
  cleanup(() => starting.then(stop, () => undefined))
  return starting
}

/** The database of a running instance, which the instance itself stops. */
async function databaseOf({ home }: Instance): Promise<DatabasePool> {
  const { url } = await startPostgres({ home, log: createLog('silent') })
  return openDatabase(url, { max: CLIENTS })
}
