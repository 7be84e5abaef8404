import type { CampaignTerms } from '@kassa/contract/referral/campaign-rules.ts'
import type { CampaignStatus, PauseCause } from '@kassa/contract/referral/machine.ts'
import type { RewardRefusal } from '@kassa/contract/referral/reasons.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { keysetOf, type SortedBy } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import type { TermColumns } from './rules.ts'

export type CampaignRow = TermColumns & {
  readonly id: number
  readonly project_id: number
  readonly unit_id: number
  readonly paused_because: PauseCause | null
  /** The invitees' part of what it has given. */
  readonly given_to_referees: string
  /** Rewards that are not completely reversed. */
  readonly reward_count: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** A campaign with the keys of its events. */
export type KeyedCampaign = CampaignRow & { readonly event_keys: string[] }

/** A campaign with what its row shows. */
export type FoundCampaign = KeyedCampaign & { readonly project_name: string }

type StoredTerms = { readonly terms: CampaignTerms; readonly unitId: number }

/** Stores a campaign, active from now on. */
export async function insertCampaign(
  ctx: Context,
  projectId: number,
  { terms, unitId }: StoredTerms,
): Promise<CampaignRow> {
  const { referrer, referee } = terms.rewards
  const now = ctx.now()
  const { rows } = await sql<CampaignRow>`
    INSERT INTO campaigns (project_id, name, description, unit_id, reward_type, reward_value, reward_cap,
      invitee_reward_type, invitee_reward_value, invitee_reward_cap, per_customer, months, occurrences, person_limit, budget,
      starts_at, ends_at, is_default, status, consider_events_from, created_at, updated_at)
    VALUES (${projectId}, ${terms.name}, ${terms.description ?? ''}, ${unitId}, ${referrer?.type ?? null},
      ${referrer?.value ?? null}, ${referrer?.cap ?? null}, ${referee?.type ?? null}, ${referee?.value ?? null},
      ${referee?.cap ?? null}, ${terms.type}, ${terms.months}, ${terms.occurrences}, ${terms.limitPerPerson},
      ${terms.budget}, ${terms.startDate}, ${terms.endDate}, ${terms.isDefault}, 'active', ${now}, ${now}, ${now})
    RETURNING *`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('The campaign was not stored')
  return row
}

/** Replaces the fields of a campaign. */
export async function updateCampaign(ctx: Context, id: number, { terms, unitId }: StoredTerms): Promise<void> {
  const { referrer, referee } = terms.rewards
  await sql`
    UPDATE campaigns SET name = ${terms.name}, description = ${terms.description ?? ''}, unit_id = ${unitId},
      reward_type = ${referrer?.type ?? null}, reward_value = ${referrer?.value ?? null},
      reward_cap = ${referrer?.cap ?? null}, invitee_reward_type = ${referee?.type ?? null},
      invitee_reward_value = ${referee?.value ?? null}, invitee_reward_cap = ${referee?.cap ?? null},
      per_customer = ${terms.type}, months = ${terms.months}, occurrences = ${terms.occurrences},
      person_limit = ${terms.limitPerPerson}, budget = ${terms.budget}, starts_at = ${terms.startDate},
      ends_at = ${terms.endDate}, is_default = ${terms.isDefault}, updated_at = ${ctx.now()}
    WHERE id = ${id}`.execute(ctx.db)
}

/** Sets the events of a campaign, by their keys. */
export async function replaceEvents(
  ctx: Context,
  { id, project_id }: Pick<CampaignRow, 'id' | 'project_id'>,
  keys: readonly string[],
): Promise<void> {
  await sql`DELETE FROM campaign_events WHERE campaign_id = ${id}`.execute(ctx.db)
  await sql`
    INSERT INTO campaign_events (campaign_id, event_id, project_id)
    SELECT ${id}, id, project_id FROM referral_events
    WHERE project_id = ${project_id} AND key = ANY(${[...keys]}::text[])`.execute(ctx.db)
}

const KEYS = sql`(
  SELECT coalesce(array_agg(event.key ORDER BY event.id), '{}') FROM campaign_events AS part
  JOIN referral_events AS event ON event.id = part.event_id WHERE part.campaign_id = campaign.id) AS event_keys`

/** Locks campaigns in the order of their ids, and returns them as they are then. */
export async function lockCampaignRows(ctx: Context, ids: readonly number[]): Promise<KeyedCampaign[]> {
  if (ids.length === 0) return []
  await sql`SELECT FROM campaigns WHERE id = ANY(${[...ids]}::int[]) ORDER BY id FOR NO KEY UPDATE`.execute(ctx.db)
  const { rows } = await sql<KeyedCampaign>`
    SELECT campaign.*, ${KEYS} FROM campaigns AS campaign WHERE id = ANY(${[...ids]}::int[]) ORDER BY id`.execute(
    ctx.db,
  )
  return rows
}

/** Lists, by event, the campaigns that count it and are not archived. */
export async function listCounting(ctx: Context, eventIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ event_id: number; id: number }>`
    SELECT part.event_id, campaign.id
    FROM campaign_events AS part JOIN campaigns AS campaign ON campaign.id = part.campaign_id
    WHERE part.event_id = ANY(${[...eventIds]}::int[]) AND campaign.status <> 'archived'
    ORDER BY campaign.id`.execute(ctx.db)
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id)
  return new Map([...byEvent].map(([eventId, own]) => [eventId, own.map(({ id }) => id)]))
}

/** Lists which of these promoters are attached to these campaigns. */
export async function listAttached(
  ctx: Context,
  referrerIds: readonly number[],
  campaignIds: readonly number[],
): Promise<{ readonly campaign_id: number; readonly referrer_id: number }[]> {
  const { rows } = await sql<{ campaign_id: number; referrer_id: number }>`
    SELECT campaign_id, referrer_id FROM campaign_referrers
    WHERE referrer_id = ANY(${[...referrerIds]}::int[]) AND campaign_id = ANY(${[...campaignIds]}::int[])`.execute(
    ctx.db,
  )
  return rows
}

/** A change of what a campaign has given: the units, `toReferees` of them to invitees, and the number of rewards. */
export type GivenChange = {
  readonly campaignId: number
  readonly units: bigint
  readonly toReferees: bigint
  readonly rewards: number
}

/** Adds changes to what campaigns have given, one change for each; negative changes subtract. */
export async function addGiven(ctx: Context, changes: readonly GivenChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    UPDATE campaigns SET given = given + change.units, given_to_referees = given_to_referees + change.to_referees,
      reward_count = reward_count + change.rewards, updated_at = ${ctx.now()}
    FROM unnest(
      ${changes.map(({ campaignId }) => campaignId)}::int[], ${changes.map(({ units }) => String(units))}::numeric[],
      ${changes.map(({ toReferees }) => String(toReferees))}::numeric[], ${changes.map(({ rewards }) => rewards)}::int[]
    ) AS change (campaign_id, units, to_referees, rewards)
    WHERE campaigns.id = change.campaign_id`.execute(ctx.db)
}

/** Moves a campaign from one of some states to another; events before it became active again do not count. */
export async function moveCampaign(
  ctx: Context,
  id: number,
  {
    from,
    to,
    because,
  }: { readonly from: readonly CampaignStatus[]; readonly to: CampaignStatus; readonly because: PauseCause | null },
): Promise<boolean> {
  const considered = to === 'active' ? sql`${ctx.now()}::timestamptz` : sql`consider_events_from`
  const { rows } = await sql`
    UPDATE campaigns SET status = ${to}, paused_because = ${because}, consider_events_from = ${considered},
      updated_at = ${ctx.now()}
    WHERE id = ${id} AND status = ANY(${[...from]}::text[]) RETURNING id`.execute(ctx.db)
  return rows.length === 1
}

/** Refuses the logs that wait for the rest of a campaign's set, because the missing events cannot come any more. */
export async function refuseWaiting(ctx: Context, campaignId: number, reason: RewardRefusal): Promise<void> {
  await sql`
    UPDATE event_log_uses SET outcome = 'refused', reason_code = ${reason}, reason_params = '{}', at = ${ctx.now()}
    WHERE campaign_id = ${campaignId} AND outcome = 'waits'`.execute(ctx.db)
}

/** A link is open for a week at most, and what pays it is final within a day. */
const PAYMENTS_SETTLE_MS = 8 * 24 * 3_600_000

/**
 * Lists campaigns whose end has passed and whose earlier events are all counted: those that wait for nothing are counted within
 * seconds, the others once their payment is final. A payment that never is holds no campaign for ever.
 */
export async function listToArchive(ctx: Context, most: number): Promise<number[]> {
  const settled = new Date(ctx.now().getTime() - PAYMENTS_SETTLE_MS)
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM campaigns AS campaign
    WHERE status <> 'archived' AND ends_at < ${ctx.now()} AND NOT EXISTS (
      SELECT FROM event_logs AS log JOIN campaign_events AS part ON part.event_id = log.event_id
      WHERE part.campaign_id = campaign.id AND log.triggered_at <= campaign.ends_at
        AND log.status IN ('pending', 'waiting')
        AND (log.status = 'pending' OR (campaign.ends_at > ${settled} AND EXISTS (
          SELECT FROM payments AS payment WHERE payment.id = log.payment_id AND payment.status <> 'CANCELLED'))))
    ORDER BY ends_at LIMIT ${most}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

export type CampaignFilter = {
  readonly projectIds: ProjectScope['projectIds']
  readonly id?: number
  readonly ids?: readonly number[]
  readonly name?: string | undefined
  readonly unitId?: number | undefined
  readonly status?: readonly CampaignStatus[] | undefined
  readonly isDefault?: boolean | undefined
  /** Campaigns that this promoter takes part in: for all, or attached. */
  readonly referrerId?: number
  readonly startMin?: Date | undefined
  readonly startMax?: Date | undefined
  readonly endMin?: Date | undefined
  readonly endMax?: Date | undefined
}

export type CampaignSort = 'created_at' | 'name' | 'start_date' | 'end_date'

const SORTS: Readonly<Record<CampaignSort, SortedBy>> = {
  created_at: { column: sql`campaign.created_at`, type: 'timestamptz', id: sql`campaign.id` },
  name: { column: sql`lower(campaign.name)`, type: 'text', id: sql`campaign.id` },
  start_date: {
    column: sql`coalesce(campaign.starts_at, campaign.created_at)`,
    type: 'timestamptz',
    id: sql`campaign.id`,
  },
  end_date: { column: sql`coalesce(campaign.ends_at, 'infinity')`, type: 'timestamptz', id: sql`campaign.id` },
}

const SHOWN = sql`campaign.*, ${KEYS}, project.name AS project_name`

/** Lists campaigns in reading order, one more than the page holds. */
export async function listFoundCampaigns(
  ctx: Context,
  filter: CampaignFilter,
  page: PageRequest<CampaignSort>,
): Promise<(FoundCampaign & { readonly sortKey: string })[]> {
  const sorted = SORTS[page.sort]
  const { beyond, end } = keysetOf(page, sorted)
  const { rows } = await sql<FoundCampaign & { sortKey: string }>`
    SELECT ${SHOWN}, ${sorted.column}::text AS "sortKey"
    FROM campaigns AS campaign JOIN projects AS project ON project.id = campaign.project_id
    WHERE ${conditionOf(filter)} AND ${beyond} ${end}`.execute(ctx.db)
  return rows
}

/** Counts campaigns. */
export async function countFoundCampaigns(ctx: Context, filter: CampaignFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM campaigns AS campaign WHERE ${conditionOf(filter)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Finds campaigns without paging: one, or those of a promoter. */
export async function findFoundCampaigns(ctx: Context, filter: CampaignFilter): Promise<FoundCampaign[]> {
  const { rows } = await sql<FoundCampaign>`
    SELECT ${SHOWN} FROM campaigns AS campaign JOIN projects AS project ON project.id = campaign.project_id
    WHERE ${conditionOf(filter)} ORDER BY campaign.id DESC LIMIT 200`.execute(ctx.db)
  return rows
}

function conditionOf(filter: CampaignFilter): RawBuilder<unknown> {
  const { projectIds, id, ids, name, unitId, status, isDefault, referrerId } = filter
  const { startMin, startMax, endMin, endMax } = filter
  return sql.join(
    [
      projectIds === 'every' ? sql`true` : sql`campaign.project_id = ANY(${[...projectIds]}::int[])`,
      ...(id === undefined ? [] : [sql`campaign.id = ${id}`]),
      ...(ids === undefined ? [] : [sql`campaign.id = ANY(${[...ids]}::int[])`]),
      ...(name ? [sql`campaign.name ILIKE ${`%${name.replace(/[\\%_]/g, '\\$&')}%`}`] : []),
      ...(unitId === undefined ? [] : [sql`campaign.unit_id = ${unitId}`]),
      ...(status?.length ? [sql`campaign.status = ANY(${[...status]}::text[])`] : []),
      ...(isDefault === undefined ? [] : [sql`campaign.is_default = ${isDefault}`]),
      ...(referrerId === undefined
        ? []
        : [
            sql`(campaign.is_default OR EXISTS (SELECT FROM campaign_referrers AS given
              WHERE given.campaign_id = campaign.id AND given.referrer_id = ${referrerId}))`,
          ]),
      ...(startMin === undefined ? [] : [sql`campaign.starts_at >= ${startMin}`]),
      ...(startMax === undefined ? [] : [sql`campaign.starts_at <= ${startMax}`]),
      ...(endMin === undefined ? [] : [sql`campaign.ends_at >= ${endMin}`]),
      ...(endMax === undefined ? [] : [sql`campaign.ends_at <= ${endMax}`]),
    ],
    sql` AND `,
  )
}

export type AttachedRow = {
  readonly referrer_id: number
  readonly id: number
  readonly name: string
  readonly status: CampaignStatus
  readonly is_default: boolean
}

/** Lists the campaigns that people are attached to. */
export async function listAttachedCampaigns(ctx: Context, referrerIds: readonly number[]): Promise<AttachedRow[]> {
  if (referrerIds.length === 0) return []
  const { rows } = await sql<AttachedRow>`
    SELECT given.referrer_id, campaign.id, campaign.name, campaign.status, campaign.is_default
    FROM campaign_referrers AS given JOIN campaigns AS campaign ON campaign.id = given.campaign_id
    WHERE given.referrer_id = ANY(${[...referrerIds]}::int[]) ORDER BY campaign.id`.execute(ctx.db)
  return rows
}

/** Sets the campaigns that a promoter is attached to; returns how many of them there are in the project. */
export async function replaceAttached(
  ctx: Context,
  { id, project_id }: { readonly id: number; readonly project_id: number },
  campaignIds: readonly number[],
): Promise<number> {
  await sql`DELETE FROM campaign_referrers WHERE referrer_id = ${id}`.execute(ctx.db)
  const { rows } = await sql`
    INSERT INTO campaign_referrers (campaign_id, referrer_id, project_id)
    SELECT id, ${id}, project_id FROM campaigns
    WHERE project_id = ${project_id} AND id = ANY(${[...campaignIds]}::int[]) RETURNING campaign_id`.execute(ctx.db)
  return rows.length
}
