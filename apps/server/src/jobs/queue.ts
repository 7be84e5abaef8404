/** Jobs on pg-boss: enqueued inside the business transaction, taken over when a worker dies. */
import { CompiledQuery } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

import { asSystem, type Context, type Jobs } from '../context.ts'
import { jobsTotal } from '../metrics/registry.ts'
import { withTimeout } from './with-timeout.ts'
import type { Job, ReportRun } from './jobs.ts'
import { isJobWaiting, MOVE_JOBS } from './store.ts'

/** With a batch of one, pg-boss waits a poll between jobs; with two it fetches again while batches come back full. */
const BATCH = 2
/** Connections of the queue itself: fetching, settling, listening. */
const POOL_SIZE = 4
/** How often a failed job is tried again, at growing intervals; modules with a schedule of their own never let a job fail. */
const RETRY_LIMIT = 10

/** No job of ours takes a minute; those that read the whole install say so themselves. */
const DEADLINE_SECONDS = 300
/** At shutdown: the longest wait for periodic passes, and then for jobs before they are returned to the queue. */
const END_WAITS: EndWaits = { passesMs: 3_000, jobsMs: 8_000 }

type EndWaits = { readonly passesMs: number; readonly jobsMs: number }

/** The longest a statement of the queue itself may run, in milliseconds. */
const STATEMENT_MS = 60_000

export type JobQueue = {
  readonly jobs: Jobs
  /** Takes jobs of these queues and runs periodic work until `stop`, which waits for what is running. */
  readonly work: (
    ctx: Context,
    definitions: readonly Job[],
    note?: ReportRun,
  ) => Promise<{ readonly stop: () => Promise<void> }>
  /** Takes no more jobs and waits a while for running ones; unfinished ones return to the queue. */
  readonly stop: () => Promise<void>
}

/** Opens the queue over a direct connection: it listens for notifications. */
export async function openJobQueue(
  connectionString: string,
  log: Logger,
  definitions: readonly Job[],
  waits = END_WAITS,
): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString,
    max: POOL_SIZE,
    useListenNotify: true,
    schedule: false,
    options: `-c statement_timeout=${STATEMENT_MS}`,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  const existing = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const { queue, heartbeatSeconds, formerly } of definitions) {
    if (!existing.has(queue)) {
      await boss.createQueue(queue, {
        notify: true,
        heartbeatSeconds,
        retryLimit: RETRY_LIMIT,
        retryBackoff: true,
        retryDelay: 1,
      })
    }
    if (formerly.length > 0) await boss.getDb().executeSql(MOVE_JOBS, [queue, formerly])
  }
  const workers = new Map(
    definitions.flatMap(({ queue, formerly, worker }) => [queue, ...formerly].map((name) => [name, worker])),
  )
  const begun = new Set<Work>()
  return {
    jobs: {
      send: (ctx, queue, data, options = {}) => send(boss, ctx, queue, data, options),
      workerOf: (queue) => workers.get(queue),
    },
    work: async (ctx, taken, note = () => undefined) => {
      const work: Work = { ctx: asSystem(ctx), note, workers: [], timers: [], running: new Set() }
      begun.add(work)
      for (const definition of taken) {
        work.workers.push({ queue: definition.queue, id: await takeJobs(boss, work, definition) })
        if (definition.everySeconds !== undefined) work.timers.push(startRepeating(work, definition))
      }
      return { stop: () => end(boss, work).finally(() => begun.delete(work)) }
    },
    stop: async () => {
      for (const { timers } of begun) for (const timer of timers) clearInterval(timer)
      await withTimeout(waits.passesMs, Promise.allSettled([...begun].flatMap(({ running }) => [...running])))
      await boss.stop({ graceful: true, timeout: waits.jobsMs })
    },
  }
}

async function send(
  boss: PgBoss,
  ctx: Context,
  queue: string,
  data: object,
  { startAfter, singletonKey }: { startAfter?: Date; singletonKey?: string },
): Promise<void> {
  if (singletonKey !== undefined && (await isJobWaiting(ctx, queue, singletonKey))) return
  const executeSql = async (text: string, values: unknown[] = []) => {
    const { rows } = await ctx.db.executeQuery(CompiledQuery.raw(text, values))
    return { rows }
  }
  await boss.send(queue, data, {
    db: { executeSql },
    ...(startAfter && { startAfter }),
    ...(singletonKey && { singletonKey }),
  })
}

/** Work started together: the consumers of its queues, its timers, and the passes they started. */
type Work = {
  readonly ctx: Context
  readonly note: ReportRun
  readonly workers: { readonly queue: string; readonly id: string }[]
  readonly timers: NodeJS.Timeout[]
  readonly running: Set<Promise<void>>
}

async function end(boss: PgBoss, { workers, timers, running }: Work): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  await Promise.all(workers.map(({ queue, id }) => boss.offWork(queue, { id, wait: true })))
  await Promise.allSettled(running)
}

async function takeJobs(boss: PgBoss, work: Work, definition: Job): Promise<string> {
  const { queue, run, concurrency } = definition
  const options = {
    batchSize: BATCH,
    burstWhenBatchFull: true,
    localConcurrency: concurrency,
    pollingIntervalSeconds: 1,
    // Notifications announce new jobs; this finds those to be retried, and those whose notification was lost.
    notifyPollingIntervalSeconds: 5,
    perJobResults: true,
  } as const
  return boss.work(queue, options, (batch) =>
    Promise.all(
      batch.map(async (job) => {
        const failure = await attempt(work, definition, () => run(work.ctx, job.data as never))
        return failure === null
          ? { id: job.id, status: 'completed' as const }
          : { id: job.id, status: 'failed' as const, output: { message: failure } }
      }),
    ),
  )
}

/** Periodic work starts in every worker process, so it must be safe to run twice at the same time. */
function startRepeating(work: Work, definition: Job): NodeJS.Timeout {
  const { ctx, running } = work
  let isRunning = false
  return setInterval(
    () => {
      if (isRunning) return
      isRunning = true
      const pass = attempt(work, definition, () => definition.run(ctx, {} as never)).then(() => {
        isRunning = false
        running.delete(pass)
      })
      running.add(pass)
    },
    (definition.everySeconds ?? 1) * 1000,
  )
}

async function attempt(
  { ctx, note }: Work,
  { queue, everySeconds, deadlineSeconds = DEADLINE_SECONDS }: Job,
  pass: () => Promise<unknown>,
): Promise<string | null> {
  try {
    await within(deadlineSeconds, pass())
    jobsTotal.inc({ queue, result: 'done' })
    note(queue, null)
    return null
  } catch (thrown) {
    jobsTotal.inc({ queue, result: 'failed' })
    ctx.log.error({ queue, err: thrown }, 'job failed')
    const failure = thrown instanceof Error ? thrown.message : String(thrown)
    note(queue, failure, everySeconds === undefined)
    return failure
  }
}

/**
 * Waits for the work until its deadline. Work that hangs cannot be ended from outside, but it no longer keeps the next run from
 * starting; jobs are safe to run twice at the same time. @throws Error when the deadline passes
 */
async function within(seconds: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`The job did not end within ${seconds} s`)), seconds * 1000)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
