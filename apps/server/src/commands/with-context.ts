import { connect } from '@kassa/chains/node/client.ts'
import { pino } from 'pino'

import { BackupRefused } from '../backup/refused.ts'
import { configOf, type Environment, processEnvironment, SettingError } from '../config/config.ts'
import { keysOf } from '../config/keys.ts'
import { findMasterKey } from '../config/master-key.ts'
import { type Context, realSleep } from '../context.ts'
import { openDatabase } from '../db/database.ts'
import { createEgress } from '../egress/guarded.ts'
import { createEvents } from '../events/outbox.ts'
import { createPublisher } from '../events/publisher.ts'
import { setting } from '../modules/settings/service.ts'
import { startPostgres } from '../db/embedded/start-postgres.ts'
import { StartError } from '../process/start-error.ts'

/** The command was asked for something that cannot be; its text says what. */
export class CommandRefused extends Error {}

/**
 * Runs a command of the command line on the database that the environment names, beside a Kassa that may be running, and
 * returns its exit code: that of the work, or 2 when it could not be done, with the reason printed. A command queues no work
 * and sends no webhooks: the running program does both.
 */
export function runCommand(name: string, work: (ctx: Context) => Promise<number>): Promise<number> {
  return reportRefusals(() => withContext(name, work))
}

/** Runs the work and returns its exit code, or 2 when it could not be done, with the reason printed. */
export async function reportRefusals(work: () => Promise<number>): Promise<number> {
  try {
    return await work()
  } catch (error) {
    const expected = [SettingError, StartError, CommandRefused, BackupRefused, RangeError]
    const isExpected = expected.some((kind) => error instanceof kind)
    console.error(isExpected && error instanceof Error ? error.message : error)
    return 2
  }
}

async function withContext(name: string, work: (ctx: Context) => Promise<number>): Promise<number> {
  const environment = processEnvironment()
  return withDatabase(environment, (databaseUrl) =>
    withContextOn({ environment, databaseUrl, masterKey: findMasterKey(environment), name }, work),
  )
}

/** Runs the work with the database that the environment names; the built-in one is started for it unless it runs. */
export async function withDatabase<T>(environment: Environment, work: (url: string) => Promise<T>): Promise<T> {
  if (environment.databaseUrl !== null) return work(environment.databaseUrl)
  const builtIn = await startPostgres({ home: environment.home, log })
  try {
    return await work(builtIn.url)
  } finally {
    // A running Kassa keeps its database.
    if (!builtIn.reused) await builtIn.stop()
  }
}

const log = pino({ level: 'silent' })

type Ground = {
  readonly environment: Environment
  readonly databaseUrl: string
  readonly masterKey: Buffer
  readonly name: string
}

/** Runs the work with a context on this database. */
export async function withContextOn<T>(
  { environment, databaseUrl, masterKey, name }: Ground,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const database = openDatabase(databaseUrl, { max: 2 })
  const publisher = createPublisher(database.db, log)
  const egress = createEgress(environment.network, { allowed: () => setting(ctx, 'security.egress_allow') })
  const ctx: Context = {
    db: database.db,
    config: configOf(environment, databaseUrl),
    keys: keysOf(masterKey, ['worker']),
    memory: new Map(),
    log,
    now: () => new Date(),
    sleep: realSleep,
    jobs: { send: async () => Promise.reject(new Error('A command queues no work')), workerOf: () => undefined },
    events: createEvents([], publisher.publish),
    live: { subscribe: () => () => undefined },
    egress,
    connect,
    caller: { kind: 'system' },
    change: () => undefined,
    requestId: name,
  }
  try {
    return await work(ctx)
  } finally {
    await publisher.idle()
    await egress.close()
    await database.close()
  }
}
