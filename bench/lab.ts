/** The whole program in a process of its own, started as its user starts it, with a way into its database. */
import { type DatabasePool, openDatabase } from '../apps/server/src/db/database.ts'
import { createLog } from '../apps/server/src/log/log.ts'
import { startPostgres } from '../apps/server/src/db/embedded/start-postgres.ts'
import { clearPlot, type House, newPlot, type Plot, startHouse } from '../e2e/house.ts'
import { openShop, type Shop } from '../e2e/shop.ts'
import type { Cleanup } from './figure.ts'
import { prepareTransactions, type Pool } from './limits.ts'

export const CLIENTS = 16

export type Lab = { readonly house: House; readonly shop: Shop; readonly pool: Pool }

/** Starts the program with an empty data folder, a shop in it and the tables that limits are measured with. */
export async function openLab(cleanup: Cleanup): Promise<Lab> {
  const plot = await newPlot()
  cleanup(() => clearPlot(plot))
  const house = await startWatched(plot, cleanup)
  const { pool, close } = await databaseOf(house)
  cleanup(close)
  await prepareTransactions(pool, CLIENTS)
  return { house, shop: await openShop(house.url), pool }
}

/** Starts the program; whoever interrupts the measurement meanwhile waits for it, so that none is left behind. */
export function startWatched(plot: Plot, cleanup: Cleanup): Promise<House> {
  const starting = startHouse(plot)
  const stop = (house: House) => (house.processes().length > 0 ? house.stop() : undefined)
  cleanup(() => starting.then(stop, () => undefined))
  return starting
}

/** The database of a running house, which stays in the house's hands. */
async function databaseOf({ home }: House): Promise<DatabasePool> {
  const { url } = await startPostgres({ home, log: createLog('silent') })
  return openDatabase(url, { max: CLIENTS })
}
