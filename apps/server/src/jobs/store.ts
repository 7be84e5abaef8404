import { sql } from 'kysely'

import type { Context } from '../context.ts'

/**
 * Whether such a job waits already. pg-boss's own policy has a unique index, on which every caller would wait for the first
 * transaction; an occasional second job does no harm.
 */
export async function isJobWaiting(ctx: Context, queue: string, singletonKey: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pgboss.job WHERE name = ${queue} AND singleton_key = ${singletonKey} AND state < 'active' LIMIT 1`.execute(
    ctx.db,
  )
  return rows.length > 0
}

/**
 * Moves waiting jobs from former names of a queue to the queue. A job in progress moves too: if its process has died, the queue
 * returns it after its heartbeat; if it ends under the former name, it runs once more, which jobs tolerate.
 */
export const MOVE_JOBS = `UPDATE pgboss.job SET name = $1 WHERE name = ANY ($2::text[]) AND state <= 'active'`
