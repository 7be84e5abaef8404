/** Jobs in a backup, by their meaning and not as rows of the queue's own tables, which change with its version. */
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import * as z from 'zod/mini'

/** Jobs given to the queue in one statement. */
const BATCH = 500

const BackedUpJob = z.object({
  queue: z.string(),
  data: z.record(z.string(), z.unknown()),
  startAfter: z.string(),
  singletonKey: z.nullable(z.string()),
  priority: z.int(),
})
const BackedUpQueue = z.object({
  name: z.string(),
  retryLimit: z.int(),
  retryDelay: z.int(),
  retryBackoff: z.boolean(),
  heartbeatSeconds: z.nullable(z.int()),
  notify: z.boolean(),
})

/** The table that is missing when no queue was ever opened. */
export const JOBS_TABLE = 'pgboss.job'

/** Writes one job per line, as JSON: those that wait, and those in progress. */
export const COPY_JOBS = `COPY (
  SELECT jsonb_build_object('queue', name, 'data', coalesce(data, '{}'), 'startAfter', start_after,
    'singletonKey', singleton_key, 'priority', priority)
  FROM pgboss.job WHERE state IN ('created', 'retry', 'active') ORDER BY created_on, id
) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`

/** Writes one queue per line, as JSON. */
export const COPY_QUEUES = `COPY (
  SELECT jsonb_build_object('name', name, 'retryLimit', retry_limit, 'retryDelay', retry_delay,
    'retryBackoff', retry_backoff, 'heartbeatSeconds', heartbeat_seconds, 'notify', notify)
  FROM pgboss.queue WHERE dead_letter IS NULL ORDER BY name
) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`

export type BackedUpJobs = {
  /** Queues the jobs in the client's open transaction; returns how many. */
  readonly insert: (client: pg.Client, lines: AsyncIterable<Buffer>) => Promise<number>
  readonly stop: () => Promise<void>
}

/** Creates these queues, each as `COPY_QUEUES` wrote it; the database may have them already. */
export async function restoreQueues(connectionString: string, lines: readonly string[]): Promise<BackedUpJobs> {
  const boss = new PgBoss({ connectionString, max: 2, schedule: false, supervise: false })
  boss.on('error', () => undefined)
  await boss.start()
  for (const line of lines) {
    const { name, heartbeatSeconds, ...options } = BackedUpQueue.parse(JSON.parse(line))
    await boss.createQueue(name, { ...options, ...(heartbeatSeconds !== null && { heartbeatSeconds }) })
  }
  return {
    insert: (client, jobs) => insertJobs(boss, client, jobs),
    stop: () => boss.stop({ graceful: false }),
  }
}

async function insertJobs(boss: PgBoss, client: pg.Client, lines: AsyncIterable<Buffer>): Promise<number> {
  const db = { executeSql: async (text: string, values: unknown[] = []) => client.query(text, values) }
  let inserted = 0
  for await (const piece of lines) {
    const jobs = piece.toString().trimEnd().split('\n')
    inserted += jobs.length
    const byQueue = Map.groupBy(
      jobs.map((line) => BackedUpJob.parse(JSON.parse(line))),
      ({ queue }) => queue,
    )
    for (const [queue, mine] of byQueue) {
      for (let from = 0; from < mine.length; from += BATCH) {
        const batch = mine.slice(from, from + BATCH).map(({ data, startAfter, singletonKey, priority }) => ({
          data,
          startAfter,
          priority,
          ...(singletonKey !== null && { singletonKey }),
        }))
        await boss.insert(queue, batch, { db })
      }
    }
  }
  return inserted
}
