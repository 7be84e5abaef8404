import { connect } from '@kassa/chains/node/client.ts'
import { pino } from 'pino'

import { type Context, type Live, realSleep } from '../context.ts'
import { openDatabase } from '../db/database.ts'
import { createEgress } from '../egress/guarded.ts'
import { createEvents, type Subscriber } from '../events/outbox.ts'
import { createPublisher } from '../events/publisher.ts'
import { testConfig, testKeys } from './config.ts'
import { testDatabase } from './database/test-database.ts'

/** Nothing is ever heard on it. */
export const SILENT: Live = { subscribe: () => () => undefined }

export type TestContext = {
  readonly ctx: Context
  /** Jobs that were asked for, oldest first; nothing runs them. */
  readonly sentJobs: { readonly queue: string; readonly data: object }[]
  readonly stop: () => Promise<void>
}

/** What a use case needs, without HTTP and without workers: a database of its own, sandbox rules, the real clock. */
export async function testContext(
  options: { now?: () => Date; subscribers?: readonly Subscriber[] } = {},
): Promise<TestContext> {
  const database = await testDatabase()
  const { db, close } = openDatabase(database.connectionString)
  const egress = createEgress('sandbox', { isStrict: true })
  const log = pino({ level: 'silent' })
  const publisher = createPublisher(db, log)
  const sentJobs: { queue: string; data: object }[] = []
  const ctx: Context = {
    db,
    config: testConfig(database.connectionString),
    keys: testKeys(),
    memory: new Map(),
    log,
    now: options.now ?? (() => new Date()),
    sleep: realSleep,
    jobs: { send: async (_ctx, queue, data) => void sentJobs.push({ queue, data }), workerOf: () => undefined },
    events: createEvents(options.subscribers ?? [], publisher.publish),
    live: SILENT,
    egress,
    connect,
    caller: { kind: 'system' },
    change: () => undefined,
    requestId: 'test',
  }
  const stop = async () => {
    await publisher.idle()
    await egress.close()
    await close()
    await database.drop()
  }
  return { ctx, sentJobs, stop }
}
