import { sql } from 'kysely'

import type { Context } from '../context.ts'

/**
 * Whether such a job waits already. pg-boss has a policy for that, whose unique index would make everybody wait for the
 * transaction that asked first; two of a kind now and then do no harm.
 */
export async function isJobWaiting(ctx: Context, queue: string, singletonKey: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM pgboss.job WHERE name = ${queue} AND singleton_key = ${singletonKey} AND state < 'active' LIMIT 1`.execute(
    ctx.db,
  )
  return rows.length > 0
}
