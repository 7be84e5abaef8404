import { rewardMachine, type RewardStatus } from '@kassa/contract/referral/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { directionOf } from '../../../db/lists/keyset.ts'
import { mergedCount, mergedPage, type Stretches } from '../../../db/lists/merged.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import type { RewardRow } from './store.ts'

/** Totals are counted up to here; no page goes further. */
const MOST_COUNTED = 10_000

/** A reward with what its row shows. */
export type FoundReward = RewardRow & {
  readonly project_name: string
  readonly campaign_name: string
  readonly reference_id: string
  readonly email: string
  readonly related_reference_id: string
  readonly related_email: string
  readonly payment_reference: string | null
}

export type RewardFilter = {
  readonly referrerId?: number
  readonly campaignId?: number
  readonly campaignIds?: readonly number[] | undefined
  readonly status?: readonly RewardStatus[] | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

const SHOWN = sql`
  SELECT reward.*, project.name AS project_name, campaign.name AS campaign_name, person.reference_id, person.email,
    related.reference_id AS related_reference_id, related.email AS related_email,
    (SELECT payment.reference_id::text FROM event_log_uses AS part
      JOIN event_logs AS log ON log.id = part.log_id JOIN payments AS payment ON payment.id = log.payment_id
      WHERE part.campaign_id = reward.campaign_id AND part.set_log_id = reward.set_log_id
      ORDER BY log.id LIMIT 1) AS payment_reference`
const JOINED = sql`
  JOIN projects AS project ON project.id = reward.project_id
  JOIN campaigns AS campaign ON campaign.id = reward.campaign_id
  JOIN referrers AS person ON person.id = reward.referrer_id
  JOIN referrers AS related ON related.id = reward.related_id`

/** Rewards by their ids, oldest first. */
export async function listFoundByIds(ctx: Context, ids: readonly bigint[]): Promise<FoundReward[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<FoundReward>`
    ${SHOWN} FROM rewards AS reward ${JOINED}
    WHERE reward.id = ANY(${ids.map(String)}::bigint[]) ORDER BY reward.id`.execute(ctx.db)
  return rows
}

const SORTED = { column: sql`reward.created_at`, type: 'timestamptz', id: sql`reward.id` }

/** Lists rewards in reading order, one more than the page holds: the page is found first, and only its rows are filled in. */
export async function listFoundRewards(
  ctx: Context,
  filter: RewardFilter,
  page: PageRequest<'created_at'>,
): Promise<(FoundReward & { readonly sortKey: string })[]> {
  const direction = sql.raw(directionOf(page))
  const { rows } = await sql<FoundReward & { sortKey: string }>`
    WITH page AS (${mergedPage(page, SORTED, stretchesOf(filter))})
    ${SHOWN}, page.key::text AS "sortKey" FROM page JOIN rewards AS reward ON reward.id = page.id ${JOINED}
    ORDER BY page.key ${direction}, page.id ${direction}`.execute(ctx.db)
  return rows
}

/** Counts rewards, at most ten thousand of them. */
export async function countFoundRewards(ctx: Context, filter: RewardFilter): Promise<number> {
  const { rows } = await mergedCount(stretchesOf(filter), MOST_COUNTED).execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Rewards of a campaign are indexed by state, those of a person are not. */
function stretchesOf({ status = [], ...filter }: RewardFilter): Stretches {
  const table = sql`rewards AS reward`
  if (filter.campaignId === undefined) return { table, where: conditionOf({ ...filter, status }) }
  const states = status.length > 0 ? [...new Set(status)] : rewardMachine.states
  return {
    each: sql`unnest(${[...states]}::text[]) AS state (status)`,
    table,
    where: sql`${conditionOf(filter)} AND reward.status = state.status`,
  }
}

function conditionOf({ referrerId, campaignId, campaignIds, status, from, to }: RewardFilter): RawBuilder<unknown> {
  return sql.join(
    [
      sql`true`,
      ...(referrerId === undefined ? [] : [sql`reward.referrer_id = ${referrerId}`]),
      ...(campaignId === undefined ? [] : [sql`reward.campaign_id = ${campaignId}`]),
      ...(campaignIds?.length ? [sql`reward.campaign_id = ANY(${[...campaignIds]}::int[])`] : []),
      ...(status?.length ? [sql`reward.status = ANY(${[...status]}::text[])`] : []),
      ...(from === undefined ? [] : [sql`reward.created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql`reward.created_at <= ${to}`]),
    ],
    sql` AND `,
  )
}

export type BalanceRow = {
  readonly unit_id: number
  readonly earned: string
  readonly available: string
  readonly held: string
  readonly paid: string
  readonly owed: string
}

/** Sums what a person was given and the present state of it, by currency: ledger accounts and reward rows. */
export async function listBalances(ctx: Context, referrerId: number): Promise<BalanceRow[]> {
  const account = (kind: string) => sql`coalesce((
    SELECT CASE side WHEN 'C' THEN credits - debits ELSE debits - credits END FROM accounts
    WHERE kind = ${kind} AND unit_id = mine.unit_id AND owner_key = ${`referrer:${referrerId}`}), 0)::text`
  const { rows } = await sql<BalanceRow>`
    SELECT mine.unit_id, mine.earned::text AS earned, mine.paid::text AS paid,
      ${account('referral:payable')} AS available, ${account('referral:held')} AS held,
      ${account('referral:receivable')} AS owed
    FROM (
      SELECT unit_id, sum(earned) AS earned, sum(paid) AS paid
      FROM reward_totals WHERE referrer_id = ${referrerId} GROUP BY unit_id) AS mine
    ORDER BY mine.unit_id`.execute(ctx.db)
  return rows
}

export type SumRow = {
  readonly unit_id: number
  readonly total: string
  readonly pending: string
  readonly held: string
  readonly processed: string
  readonly reversed: string
}

/** Sums the rewards of a person by state and currency, within a span of time where one is given. */
export async function listSums(ctx: Context, filter: RewardFilter): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    SELECT unit_id, sum(units - reversed_units)::text AS total, sum(held_units)::text AS held,
      sum(paid_units)::text AS processed, sum(reversed_units)::text AS reversed,
      sum(greatest(units - reversed_units - held_units - paid_units, 0))::text AS pending
    FROM rewards AS reward WHERE ${conditionOf(filter)} GROUP BY unit_id ORDER BY unit_id`.execute(ctx.db)
  return rows
}

export type PointRow = { readonly date: Date; readonly until: Date; readonly units: string; readonly people: number }

/** Rewards of a person over time, one row per bucket, empty ones included. */
export async function listPoints(
  ctx: Context,
  referrerId: number,
  buckets: readonly { readonly from: Date; readonly until: Date }[],
): Promise<PointRow[]> {
  const { rows } = await sql<PointRow>`
    SELECT span.first AS date, span.last AS until, coalesce(sum(units - reversed_units), 0)::text AS units,
      count(DISTINCT reward.related_id) FILTER (WHERE reward.side = 'referrer')::int AS people
    FROM unnest(${buckets.map(({ from }) => from)}::timestamptz[], ${buckets.map(({ until }) => until)}::timestamptz[])
      AS span (first, last)
    LEFT JOIN rewards AS reward ON reward.referrer_id = ${referrerId}
      AND reward.created_at >= span.first AND reward.created_at < span.last
    GROUP BY 1, 2 ORDER BY 1`.execute(ctx.db)
  return rows
}
