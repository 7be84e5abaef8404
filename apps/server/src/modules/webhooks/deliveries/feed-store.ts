import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type FeedRow = {
  readonly id: bigint
  readonly event_id: string
  readonly type: string
  readonly sequence: number | null
  readonly payload: Record<string, unknown>
  readonly created_at: Date
}

/**
 * How far events can be read without skipping one that commits later: up to the newest id, or up to the newest id given before
 * the first event of a transaction that is still open (migration 0013). The id is read before the locks, because a transaction
 * that takes its lock in between gives ids above it.
 */
export async function findHorizon(ctx: Context): Promise<bigint> {
  const newest = await sql<{ id: bigint }>`
    SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS id FROM events_id_seq`.execute(ctx.db)
  const open = await sql<{ id: bigint | null }>`
    SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) AS id FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = 19269 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(ctx.db)
  const [last, floor] = [newest.rows[0]?.id ?? 0n, open.rows[0]?.id ?? null]
  return floor !== null && floor < last ? floor : last
}

export type FeedFilter = {
  readonly projectIds: readonly number[] | 'every'
  readonly types: readonly string[]
  readonly referenceId: string | undefined
}

export type FeedSpan = {
  readonly isAscending: boolean
  /** Where the page before ended; absent on the first. */
  readonly from: bigint | undefined
  readonly upTo: bigint
  readonly limit: number
}

/** Lists events up to an id, in the order they happened, or from the newest backwards. */
export async function listFeed(
  ctx: Context,
  { projectIds, types, referenceId }: FeedFilter,
  { isAscending, from, upTo, limit }: FeedSpan,
): Promise<FeedRow[]> {
  const ofProjects =
    projectIds === 'every' ? sql`project_id IS NOT NULL` : sql`project_id = ANY(${[...projectIds]}::int[])`
  const ofReference = referenceId === undefined ? sql`true` : sql`reference_id = ${referenceId}`
  const beyond = from === undefined ? sql`true` : isAscending ? sql`id > ${from}` : sql`id < ${from}`
  const direction = isAscending ? sql`ASC` : sql`DESC`
  const { rows } = await sql<FeedRow>`
    SELECT id, event_id, type, sequence, payload, created_at FROM events
    WHERE ${beyond} AND id <= ${upTo} AND type = ANY(${[...types]}::text[]) AND ${ofProjects} AND ${ofReference}
    ORDER BY id ${direction} LIMIT ${limit}`.execute(ctx.db)
  return rows
}
