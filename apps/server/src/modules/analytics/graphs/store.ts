import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { cellsOf, FINALITY_LEVELS, type Moments } from '../rollups/rules.ts'

const DAY_MS = 86_400_000

/** The ids of every project, or of those given that exist. */
export async function listProjectIds(ctx: Context, ids: readonly number[] | 'every'): Promise<number[]> {
  if (ids !== 'every') return [...ids]
  const { rows } = await sql<{ id: number }>`SELECT id FROM projects ORDER BY id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Counts the distinct customers of counted deposits in each bucket, and how many of them paid there for the first time. */
export async function countPayers(
  ctx: Context,
  projectIds: readonly number[],
  { buckets, assetIds }: { readonly buckets: readonly Moments[]; readonly assetIds: readonly number[] | null },
): Promise<{ readonly bucket: number; readonly total: number; readonly fresh: number }[]> {
  const { rows } = await sql<{ bucket: number; total: bigint; fresh: bigint }>`
    SELECT span.bucket, paid.total, paid.fresh
    FROM ${spansOf(buckets)} CROSS JOIN LATERAL (
      SELECT count(*) AS total,
        count(*) FILTER (WHERE customer.first_final_at >= span.first AND customer.first_final_at < span.last) AS fresh
      FROM (
        SELECT DISTINCT deposit.customer_id FROM deposits AS deposit
        WHERE ${countedIn(projectIds)} AND ${assetIds === null ? sql`true` : sql`deposit.asset_id = ANY (${assetIds}::int[])`}
      ) AS payer JOIN customers AS customer ON customer.id = payer.customer_id
    ) AS paid`.execute(ctx.db)
  return rows.map(({ bucket, total, fresh }) => ({ bucket, total: Number(total), fresh: Number(fresh) }))
}

/** Counts the distinct customers of counted deposits in each bucket. */
export async function countDistinctPayers(
  ctx: Context,
  projectIds: readonly number[],
  buckets: readonly Moments[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ bucket: number; total: bigint }>`
    SELECT span.bucket, paid.total
    FROM ${spansOf(buckets)} CROSS JOIN LATERAL (
      SELECT count(*) AS total FROM (
        SELECT DISTINCT deposit.customer_id FROM deposits AS deposit WHERE ${countedIn(projectIds)}) AS payer
    ) AS paid`.execute(ctx.db)
  return new Map(rows.map(({ bucket, total }) => [bucket, Number(total)]))
}

/** Buckets as rows, so that each is read as a range of the index. */
function spansOf(buckets: readonly Moments[]): RawBuilder<unknown> {
  return sql`unnest(
    ${buckets.map(({ from }) => from)}::timestamptz[], ${buckets.map(({ until }) => until)}::timestamptz[],
    ${buckets.map((_, bucket) => bucket)}::int[]) AS span (first, last, bucket)`
}

/** That `deposit` is counted in `span`. */
function countedIn(projectIds: readonly number[]): RawBuilder<boolean> {
  return sql`deposit.project_id = ANY (${projectIds}::int[]) AND deposit.block_time >= span.first
    AND deposit.block_time < span.last AND deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL`
}

/** A span with a moment within. */
export type Divided = Moments & { readonly at: Date }

/** Counts the distinct customers of counted deposits from a moment on who have none in the part of the span before it. */
export async function countLaterPayers(
  ctx: Context,
  projectIds: readonly number[],
  { from, at, until }: Divided,
): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    SELECT count(*) AS total FROM (
      SELECT DISTINCT deposit.customer_id FROM (VALUES (${at}::timestamptz, ${until}::timestamptz)) AS span (first, last)
      JOIN deposits AS deposit ON ${countedIn(projectIds)}
    ) AS later
    WHERE NOT EXISTS (
      SELECT FROM deposits AS earlier WHERE earlier.customer_id = later.customer_id AND earlier.block_time >= ${from}
        AND earlier.block_time < ${at} AND earlier.status = 'applied' AND earlier.counted_usd IS NOT NULL)`.execute(
    ctx.db,
  )
  return Number(rows[0]?.total ?? 0n)
}

/** Counts the distinct customers of payments created in a span. */
export async function countRequesters(ctx: Context, projectIds: readonly number[], span: Moments): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    SELECT count(*) AS total FROM (
      SELECT DISTINCT customer_id FROM payments
      WHERE project_id = ANY (${projectIds}::int[]) AND created_at >= ${span.from} AND created_at < ${span.until}
    ) AS requested`.execute(ctx.db)
  return Number(rows[0]?.total ?? 0n)
}

/** Counts the distinct customers of payments created from a moment on who have none in the part of the span before it. */
export async function countLaterRequesters(
  ctx: Context,
  projectIds: readonly number[],
  { from, at, until }: Divided,
): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    SELECT count(*) AS total FROM (
      SELECT DISTINCT customer_id FROM payments
      WHERE project_id = ANY (${projectIds}::int[]) AND created_at >= ${at} AND created_at < ${until}
    ) AS later
    WHERE NOT EXISTS (
      SELECT FROM payments AS earlier
      WHERE earlier.customer_id = later.customer_id AND earlier.created_at >= ${from} AND earlier.created_at < ${at})`.execute(
    ctx.db,
  )
  return Number(rows[0]?.total ?? 0n)
}

/** Counts the payments created on the days (UTC) that a span touches: while this number is the same, so are the payments. */
export async function countCreatedOnDays(
  ctx: Context,
  projectIds: readonly number[],
  { from, until }: Moments,
): Promise<bigint> {
  const onDays = sql`project_id = ANY (${projectIds}::int[]) AND day >= ${dayOf(from)}::date
    AND day <= ${dayOf(new Date(until.getTime() - 1))}::date`
  const { rows } = await sql<{ total: string }>`
    SELECT coalesce(sum(payments), 0) AS total FROM (
      SELECT payments FROM payment_counts WHERE ${onDays}
      UNION ALL SELECT change FROM payment_count_changes WHERE ${onDays}
    ) AS part`.execute(ctx.db)
  return BigInt(rows[0]?.total ?? 0)
}

/**
 * Counts the payments created in a span by status: whole days (UTC) from their sums, the parts before and after them row by
 * row.
 */
export async function countCreated(
  ctx: Context,
  projectIds: readonly number[],
  { from, until }: { readonly from: Date | null; readonly until: Date },
): Promise<ReadonlyMap<string, number>> {
  const first = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const last = new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS)
  const hasDays = first === null || first < last
  const edges =
    from && first && hasDays
      ? [
          { from, until: first },
          { from: last, until },
        ]
      : [{ from: hasDays ? last : (from ?? last), until }]
  const inDays = sql`project_id = ANY (${projectIds}::int[]) AND ${hasDays}
    AND day < ${dayOf(last)}::date AND ${first === null ? sql`true` : sql`day >= ${dayOf(first)}::date`}`
  const { rows } = await sql<{ status: string; count: string }>`
    SELECT status, sum(count) AS count FROM (
      SELECT status, payments AS count FROM payment_counts WHERE ${inDays}
      UNION ALL SELECT status, change FROM payment_count_changes WHERE ${inDays}
      UNION ALL
      SELECT payment.status, count(*) FROM unnest(
        ${edges.map((edge) => edge.from)}::timestamptz[], ${edges.map((edge) => edge.until)}::timestamptz[]) AS edge (first, last)
      JOIN payments AS payment ON payment.project_id = ANY (${projectIds}::int[])
        AND payment.created_at >= edge.first AND payment.created_at < edge.last
      GROUP BY payment.status
    ) AS part GROUP BY status`.execute(ctx.db)
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

/** Deposits of a network by how long they took, in buckets of a logarithmic scale. */
export type FinalityCount = { readonly blockchain_id: number; readonly bucket: number; readonly count: number }

/** Counts how long deposits took from the link to finality, on the days (UTC) that a span touches; lowest bucket first. */
export async function countFinalityTimes(
  ctx: Context,
  projectIds: readonly number[],
  { from, until }: { readonly from: Date | null; readonly until: Date },
): Promise<FinalityCount[]> {
  const first = from === null ? 0 : Math.floor(from.getTime() / DAY_MS)
  const last = Math.ceil(until.getTime() / DAY_MS)
  const cells = cellsOf(first, last, FINALITY_LEVELS)
  const firstDays = (days: readonly number[]) => sql`${days.map((day) => dayOf(new Date(day * DAY_MS)))}::date[]`
  const { rows } = await sql<{ blockchain_id: number; bucket: number; count: string }>`
    SELECT blockchain_id, bucket, sum(count) AS count FROM (
      SELECT summed.*
      FROM unnest(${cells.map(({ level }) => level)}::int[], ${firstDays(cells.map((cell) => cell.from))},
        ${firstDays(cells.map((cell) => cell.until))}) AS cell (level, first, last)
      CROSS JOIN LATERAL (
        SELECT blockchain_id, bucket, sum(count) AS count FROM finality_times AS time
        WHERE time.project_id = ANY (${projectIds}::int[]) AND time.level = cell.level
          AND time.day >= cell.first AND time.day < cell.last GROUP BY 1, 2
      ) AS summed
      UNION ALL
      SELECT blockchain_id, bucket, count FROM finality_time_changes
      WHERE project_id = ANY (${projectIds}::int[]) AND day >= ${dayOf(new Date(first * DAY_MS))}::date
        AND day < ${dayOf(new Date(last * DAY_MS))}::date
    ) AS part GROUP BY 1, 2 HAVING sum(count) > 0 ORDER BY 1, 2`.execute(ctx.db)
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

export type RecentDeposit = {
  readonly asset_id: number
  readonly units: string
  readonly usd: string | null
  readonly block_time: Date
  readonly to_address: string
  readonly tx_id: string
  readonly status: string
  readonly project_id: number
  readonly reference_id: string | null
  readonly customer_id: string
  readonly email: string
  readonly name: string
}

/** Lists the newest deposits of projects in any state, newest first. */
export async function listRecent(ctx: Context, projectIds: readonly number[], limit: number): Promise<RecentDeposit[]> {
  const { rows } = await sql<RecentDeposit>`
    SELECT deposit.asset_id, deposit.units, deposit.block_time, deposit.to_address, deposit.tx_id, deposit.status, deposit.project_id,
      CASE WHEN deposit.status = 'applied' THEN coalesce(deposit.counted_usd, deposit.usd_at_seen) ELSE deposit.usd_at_seen END AS usd,
      payment.reference_id, customer.customer_id, customer.email, customer.name
    FROM (
      SELECT newest.* FROM unnest(${projectIds}::int[]) AS project (id) CROSS JOIN LATERAL (
        SELECT * FROM deposits WHERE project_id = project.id ORDER BY id DESC LIMIT ${limit}) AS newest
      ORDER BY newest.id DESC LIMIT ${limit}
    ) AS deposit
    JOIN customers AS customer ON customer.id = deposit.customer_id
    LEFT JOIN payments AS payment ON payment.id = deposit.payment_id
    ORDER BY deposit.id DESC`.execute(ctx.db)
  return rows
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
