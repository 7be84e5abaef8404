/** The whole program in a process of its own, started as its user starts it, with a way into its database. */
import { type DatabasePool, openDatabase } from '../apps/server/src/db/database.ts'
import { createLog } from '../apps/server/src/log/log.ts'
import { startPostgres } from '../apps/server/src/db/embedded/start-postgres.ts'
import { clearLayout, type Instance, newLayout, type Layout, startInstance } from '../e2e/instance.ts'
import { openShop, type Shop } from '../e2e/shop.ts'
import type { Cleanup } from './figure.ts'
import { prepareTransactions, type Pool } from './limits.ts'

export const CLIENTS = 16

export type Setup = { readonly instance: Instance; readonly shop: Shop; readonly pool: Pool }

/** Starts the program with an empty data folder, a shop in it and the tables that limits are measured with. */
export async function openSetup(cleanup: Cleanup): Promise<Setup> {
  const layout = await newLayout()
  cleanup(() => clearLayout(layout))
  const instance = await startWatched(layout, cleanup)
  const { pool, close } = await databaseOf(instance)
  cleanup(close)
  await prepareTransactions(pool, CLIENTS)
  return { instance, shop: await openShop(instance.url), pool }
}

/** Starts the program; whoever interrupts the measurement meanwhile waits for it, so that none is left behind. */
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
