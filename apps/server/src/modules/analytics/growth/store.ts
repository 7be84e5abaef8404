import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { beginsWith } from '../../../db/lists/begins-with.ts'
import type { Moments } from '../rollups/rules.ts'

/** Projects of which something is read. */
type Projects = readonly number[]

const within = (projectIds: Projects, column: RawBuilder<unknown>) => sql`${column} = ANY (${[...projectIds]}::int[])`

/** SQL condition: this person was not referred, or has referred others. */
const PROMOTES = sql`(person.referred_by IS NULL OR person.referee_count > 0)`

/** Counts promoters, and the customers who were referred. */
export async function countPeople(
  ctx: Context,
  projectIds: Projects,
): Promise<{ readonly promoters: number; readonly referees: number }> {
  const { rows } = await sql<{ promoters: number; referees: number }>`
    SELECT count(*) FILTER (WHERE ${PROMOTES})::int AS promoters,
      count(*) FILTER (WHERE person.referred_by IS NOT NULL)::int AS referees
    FROM referrers AS person WHERE ${within(projectIds, sql`person.project_id`)}`.execute(ctx.db)
  return rows[0] ?? { promoters: 0, referees: 0 }
}

export type CampaignNarrowing = { readonly status: readonly string[]; readonly startsUntil: Date | null }

/** Counts campaigns; one without dates began when it was made. */
export async function countCampaigns(
  ctx: Context,
  projectIds: Projects,
  { status, startsUntil }: CampaignNarrowing,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM campaigns
    WHERE ${within(projectIds, sql`project_id`)}
      AND ${status.length === 0 ? sql`true` : sql`status = ANY (${[...status]}::text[])`}
      AND ${startsUntil === null ? sql`true` : sql`coalesce(starts_at, created_at) <= ${startsUntil}`}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Sums what promoters were given, and how much of it was paid; in millionths, after reversals. */
export async function sumPromoterRewards(
  ctx: Context,
  projectIds: Projects,
): Promise<{ readonly given: bigint; readonly paid: bigint }> {
  const { rows } = await sql<{ given: string; paid: string }>`
    SELECT coalesce(sum(earned), 0)::text AS given, coalesce(sum(paid), 0)::text AS paid
    FROM reward_totals WHERE ${within(projectIds, sql`project_id`)} AND side = 'referrer'`.execute(ctx.db)
  return { given: BigInt(rows[0]?.given ?? 0), paid: BigInt(rows[0]?.paid ?? 0) }
}

/**
 * Sums what customers whom a promoter brought have paid, in millionths of a dollar: amounts that a shop logged, and payments of
 * Kassa, each counted once however many events name it. A refund takes the part of a deposit's value that its units are of the
 * deposit's units.
 */
export async function sumRevenue(ctx: Context, projectIds: Projects): Promise<bigint> {
  const { rows } = await sql<{ revenue: string }>`
    WITH counted AS (
      SELECT log.amount, log.payment_id
      FROM event_logs AS log
      JOIN referral_events AS event ON event.id = log.event_id AND event.event_type = 'payment'
      JOIN referrers AS member ON member.id = log.member_id AND member.referred_by IS NOT NULL
      WHERE ${within(projectIds, sql`log.project_id`)} AND log.status = 'processed'
    ), bound AS (SELECT DISTINCT payment_id FROM counted WHERE payment_id IS NOT NULL)
    SELECT (
      coalesce((SELECT sum(amount) FROM counted WHERE payment_id IS NULL), 0)
      + coalesce((SELECT sum(floor(payment.filled_usd * 1000000)) FROM bound JOIN payments AS payment ON payment.id = bound.payment_id), 0)
      - coalesce((
        SELECT sum(div(floor(given.counted_usd * 1000000) * given.refunded + given.units - 1, given.units))
        FROM (
          SELECT deposit.counted_usd, deposit.units, least(sum(part.units), deposit.units) AS refunded
          FROM bound
          JOIN deposits AS deposit ON deposit.payment_id = bound.payment_id
          JOIN deposits AS same ON same.tx_id = deposit.tx_id AND same.blockchain_id = deposit.blockchain_id
            AND same.leg = deposit.leg
          JOIN refund_parts AS part ON part.deposit_id = same.id
          JOIN withdrawals AS payout ON payout.id = part.withdrawal_id AND payout.status = 'processed'
          WHERE deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL
          GROUP BY deposit.id
        ) AS given), 0)
    )::text AS revenue`.execute(ctx.db)
  return BigInt(rows[0]?.revenue ?? 0)
}

/** When the first reward was given; null before there is one. */
export async function findFirstReward(ctx: Context, projectIds: Projects): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(created_at) AS at FROM rewards WHERE ${within(projectIds, sql`project_id`)}`.execute(ctx.db)
  return rows[0]?.at ?? null
}

export type GivenRow = { readonly bucket: number; readonly side: 'referrer' | 'referee'; readonly units: string }

/** What each side was given in each bucket, after reversals, in millionths. */
export async function sumRewards(
  ctx: Context,
  projectIds: Projects,
  buckets: readonly Moments[],
): Promise<readonly GivenRow[]> {
  const { rows } = await sql<GivenRow>`
    SELECT span.bucket, given.side, given.units::text AS units
    FROM unnest(
      ${buckets.map(({ from }) => from)}::timestamptz[], ${buckets.map(({ until }) => until)}::timestamptz[],
      ${buckets.map((_, bucket) => bucket)}::int[]) AS span (first, last, bucket)
    CROSS JOIN LATERAL (
      SELECT side, sum(units - reversed_units) AS units FROM rewards
      WHERE ${within(projectIds, sql`project_id`)} AND created_at >= span.first AND created_at < span.last
      GROUP BY side) AS given`.execute(ctx.db)
  return rows
}

export type PromoterFact = {
  readonly id: number
  readonly project_id: number
  readonly email: string
  readonly reference_id: string
  readonly code: string
  readonly created_at: Date
  readonly referees: number
  readonly rewards: string
}

export type PromoterNarrowing = {
  readonly status: readonly string[]
  /** The start of an e-mail or of a reference, or a code. */
  readonly query: string
  readonly limit: number
}

/** In each place so many promoters are looked at for the newest. */
const MOST_LOOKED_AT = 1_000

/**
 * The newest promoters, with whom they brought and what they were given; of a text that begins very many, the newest of some. Each
 * place that a text is looked for in has an index of its own.
 */
export async function listNewestPromoters(
  ctx: Context,
  projectIds: Projects,
  { status, query, limit }: PromoterNarrowing,
): Promise<readonly PromoterFact[]> {
  const condition = sql`${within(projectIds, sql`person.project_id`)} AND ${PROMOTES}
    AND ${status.length === 0 ? sql`true` : sql`person.status = ANY (${[...status]}::text[])`}`
  const { rows } = await sql<PromoterFact>`
    SELECT person.id, person.project_id, person.email, person.reference_id, person.code, person.created_at,
      person.referee_count AS referees, person.earned::text AS rewards
    FROM referrers AS person
    WHERE ${query === '' ? condition : sql`person.id IN (${namedBy(query, condition)})`}
    ORDER BY person.created_at DESC, person.id DESC LIMIT ${limit}`.execute(ctx.db)
  return rows
}

/** Selects the ids of promoters whose e-mail or reference begins with a text, or who have it as their code. */
function namedBy(query: string, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const start = query.toLowerCase()
  const places = [
    beginsWith(sql`lower(person.email)`, start),
    beginsWith(sql`lower(person.reference_id)`, start),
    sql`person.code = ${query.toUpperCase()}`,
  ].map(
    (place) => sql`(SELECT person.id FROM referrers AS person WHERE ${place} AND ${condition} LIMIT ${MOST_LOOKED_AT})`,
  )
  return sql.join(places, sql` UNION `)
}
