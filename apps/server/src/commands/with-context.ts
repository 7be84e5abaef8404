import { connect } from '@kassa/chains/node/client.ts'
import { pino } from 'pino'

import { processEnvironment, SettingError } from '../config/config.ts'
import { findMasterKey } from '../config/master-key.ts'
import { VERSION } from '../config/version.ts'
import { type Context, realSleep } from '../context.ts'
import { openDatabase } from '../db/database.ts'
import { createEgress } from '../egress/guarded.ts'
import { createEvents } from '../events/outbox.ts'
import { setting } from '../modules/settings/service.ts'
import { startPostgres } from '../db/embedded/start-postgres.ts'
import { StartError } from '../process/start-error.ts'

/** The command was asked for something that cannot be; its text says what. */
export class CommandRefused extends Error {}

/**
 * Runs a command of the command line on the database that the environment names, beside a Kassa that may be running, and
 * returns its exit code: that of the work, or 2 when it could not be done, with the reason printed. A command queues no work
 * and tells no shop: what must be told is done by the running program.
 */
export async function runCommand(name: string, work: (ctx: Context) => Promise<number>): Promise<number> {
  try {
    return await withContext(name, work)
  } catch (error) {
    const isExpected = [SettingError, StartError, CommandRefused, RangeError].some((kind) => error instanceof kind)
    console.error(isExpected && error instanceof Error ? error.message : error)
    return 2
  }
}

async function withContext(name: string, work: (ctx: Context) => Promise<number>): Promise<number> {
  const environment = processEnvironment()
  const log = pino({ level: 'silent' })
  const builtIn = environment.databaseUrl === null ? await startPostgres({ home: environment.home, log }) : null
  const databaseUrl = environment.databaseUrl ?? builtIn?.url ?? ''
  const database = openDatabase(databaseUrl, { max: 2 })
  const egress = createEgress(environment.network, { allowed: () => setting(ctx, 'security.egress_allow') })
  const ctx: Context = {
    db: database.db,
    config: {
      ...environment,
      databaseUrl,
      databaseDirectUrl: environment.databaseDirectUrl ?? databaseUrl,
      masterKey: findMasterKey(environment),
      version: VERSION,
    },
    log,
    now: () => new Date(),
    sleep: realSleep,
    jobs: { send: async () => Promise.reject(new Error('A command queues no work')) },
    events: createEvents([]),
    egress,
    connect,
    caller: { kind: 'system' },
    requestId: name,
  }
  try {
    return await work(ctx)
  } finally {
    await egress.close()
    await database.close()
    // A running Kassa keeps its database.
    if (builtIn && !builtIn.reused) await builtIn.stop()
  }
}
