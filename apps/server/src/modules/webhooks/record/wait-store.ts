import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { WaitFacts } from './wait-rules.ts'

/** An earlier event of the same order key is in its first attempts. Reads the delivery in question as `d`. */
export const blockers = (now: Date) => sql`
  FROM deliveries e
  WHERE e.webhook_id = d.webhook_id AND e.order_key = d.order_key AND e.sequence < d.sequence
    AND e.status = 'pending' AND (e.ordered_until IS NULL OR e.ordered_until > ${now})`

/** What delays the pending ones of these deliveries, by id: their endpoint, their project, an earlier event. */
export async function listWaitFacts(ctx: Context, ids: readonly bigint[]): Promise<Map<bigint, WaitFacts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<WaitFacts & { id: bigint }>`
    SELECT d.id, w.status = 'active' AS "isEndpointOn", p.status = 'active' AS "isProjectActive",
      (SELECT e.event_type ${blockers(ctx.now())} ORDER BY e.sequence LIMIT 1) AS "earlierEvent"
    FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id JOIN projects p ON p.id = d.project_id
    WHERE d.id = ANY(${ids.map(String)}::bigint[]) AND d.status = 'pending'`.execute(ctx.db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}
