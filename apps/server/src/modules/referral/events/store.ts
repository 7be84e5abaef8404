import type { ReferralEventType } from '@kassa/contract/referral/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'

export type EventRow = {
  readonly id: number
  readonly project_id: number
  readonly key: string
  readonly name: string
  readonly event_type: ReferralEventType
  readonly description: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** An event with what its row shows. */
export type FoundEvent = EventRow & { readonly project_name: string; readonly campaign_count: number }

export type EventFilter = {
  readonly projectIds: ProjectScope['projectIds']
  readonly id?: number
  readonly key?: string | undefined
  readonly name?: string | undefined
  readonly eventType?: ReferralEventType | undefined
}

/** Adds an event; undefined when the project has one of this key. */
export async function insertEvent(
  ctx: Context,
  event: {
    readonly projectId: number
    readonly key: string
    readonly name: string
    readonly eventType: ReferralEventType
    readonly description: string
  },
): Promise<EventRow | undefined> {
  const { rows } = await sql<EventRow>`
    INSERT INTO referral_events (project_id, key, name, event_type, description, created_at, updated_at)
    VALUES (${event.projectId}, ${event.key}, ${event.name}, ${event.eventType}, ${event.description}, ${ctx.now()},
      ${ctx.now()})
    ON CONFLICT (project_id, key) DO NOTHING RETURNING *`.execute(ctx.db)
  return rows[0]
}

/** Changes name and description of an event. */
export async function updateEvent(
  ctx: Context,
  id: number,
  { name, description }: { readonly name: string; readonly description: string },
): Promise<void> {
  await sql`UPDATE referral_events SET name = ${name}, description = ${description}, updated_at = ${ctx.now()}
    WHERE id = ${id}`.execute(ctx.db)
}

/** The events of a project, that of Kassa included. */
export async function listEventsOfProject(ctx: Context, projectId: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    SELECT * FROM referral_events WHERE project_id = ${projectId} ORDER BY id`.execute(ctx.db)
  return rows
}

const SHOWN = sql`
  SELECT event.*, project.name AS project_name, event.created_at::text AS "sortKey",
    (SELECT count(*)::int FROM campaign_events AS part WHERE part.event_id = event.id) AS campaign_count
  FROM referral_events AS event JOIN projects AS project ON project.id = event.project_id`

/** Lists events in reading order, one more than the page holds. */
export async function listFoundEvents(
  ctx: Context,
  filter: EventFilter,
  page: PageRequest<'created_at'>,
): Promise<(FoundEvent & { readonly sortKey: string })[]> {
  const sorted = { column: sql`event.created_at`, type: 'timestamptz', id: sql`event.id` }
  const { beyond, end } = keysetOf(page, sorted)
  const { rows } = await sql<FoundEvent & { sortKey: string }>`
    ${SHOWN} WHERE ${conditionOf(filter)} AND ${beyond} ${end}`.execute(ctx.db)
  return rows
}

/** Counts events. */
export async function countFoundEvents(ctx: Context, filter: EventFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM referral_events AS event WHERE ${conditionOf(filter)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Finds one event. */
export async function findFoundEvent(ctx: Context, filter: EventFilter): Promise<FoundEvent | undefined> {
  const { rows } = await sql<FoundEvent>`${SHOWN} WHERE ${conditionOf(filter)} LIMIT 1`.execute(ctx.db)
  return rows[0]
}

/** The events of campaigns, by campaign. */
export async function listEventsOfCampaigns(
  ctx: Context,
  campaignIds: readonly number[],
): Promise<(FoundEvent & { readonly campaign_id: number })[]> {
  if (campaignIds.length === 0) return []
  const { rows } = await sql<FoundEvent & { campaign_id: number }>`
    SELECT found.*, part.campaign_id FROM campaign_events AS part JOIN (${SHOWN}) AS found ON found.id = part.event_id
    WHERE part.campaign_id = ANY(${[...campaignIds]}::int[]) ORDER BY part.campaign_id, found.id`.execute(ctx.db)
  return rows
}

/** The campaigns that count an event. */
export async function listCampaignsOfEvent(ctx: Context, id: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT campaign.id, campaign.name FROM campaign_events AS part JOIN campaigns AS campaign ON campaign.id = part.campaign_id
    WHERE part.event_id = ${id} ORDER BY campaign.id`.execute(ctx.db)
  return rows
}

function conditionOf({ projectIds, id, key, name, eventType }: EventFilter): RawBuilder<unknown> {
  return sql.join(
    [
      projectIds === 'every' ? sql`true` : sql`event.project_id = ANY(${[...projectIds]}::int[])`,
      ...(id === undefined ? [] : [sql`event.id = ${id}`]),
      ...(key ? [sql`event.key = ${key}`] : []),
      ...(name ? [sql`event.name ILIKE ${`%${name.replace(/[\\%_]/g, '\\$&')}%`}`] : []),
      ...(eventType === undefined ? [] : [sql`event.event_type = ${eventType}`]),
    ],
    sql` AND `,
  )
}
