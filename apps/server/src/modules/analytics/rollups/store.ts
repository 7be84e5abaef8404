import { usdOf } from '@kassa/primitives/money/usd.ts'
import type { Usd } from '@kassa/primitives/money/rate.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { cellsOf, FINALITY_LEVELS, LEVELS, type Moments, momentOf, splitSpan } from './rules.ts'

/** Changes compacted at once: a second of work under locks that no other work needs. */
const MOST_CHANGES = 50_000

/** `paid` counted deposits · `payer`, `requester` customers by their first counted deposit, their first payment. */
export type RollupKind = 'paid' | 'payer' | 'requester'

/** The sum of one asset in one bucket; `bucket` is its index in the list of buckets. */
export type Summed = { readonly bucket: number; readonly assetId: number; readonly usd: Usd; readonly count: number }

/**
 * Sums counted deposits, or customers, of projects in buckets that do not overlap, exactly as of this statement: from long
 * cells, shorter ones towards the ends, pending changes, and row by row what is not a whole quarter of an hour.
 */
export async function sumBuckets(
  ctx: Context,
  kind: RollupKind,
  projectIds: readonly number[],
  buckets: readonly Moments[],
): Promise<Summed[]> {
  const parts = buckets.map(splitSpan)
  const cells = parts.flatMap(({ first, last }, bucket) => cellsOf(first, last).map((cell) => ({ ...cell, bucket })))
  const edges = parts.flatMap((part, bucket) => part.edges.map((edge) => ({ ...edge, bucket })))
  const { rows } = await sql<{ bucket: number; asset_id: number; usd: string; count: string }>`
    SELECT bucket, asset_id, sum(usd) AS usd, sum(count) AS count FROM (
      SELECT cell.bucket, summed.asset_id, summed.usd, summed.count
      FROM ${table(
        'int',
        ['level', 'first', 'last', 'bucket'],
        [
          cells.map(({ level }) => level),
          cells.map(({ from }) => from),
          cells.map(({ until }) => until),
          cells.map(({ bucket }) => bucket),
        ],
      )} AS cell (level, first, last, bucket)
      CROSS JOIN LATERAL (
        -- For each range by itself, so that it is a range of the index and never a join with all cells.
        SELECT asset_id, sum(usd) AS usd, sum(count) AS count FROM rollups AS rollup
        WHERE rollup.kind = ${kind} AND rollup.level = cell.level AND rollup.project_id = ANY (${projectIds}::int[])
          AND rollup.slot >= cell.first AND rollup.slot < cell.last
        GROUP BY asset_id
      ) AS summed
      UNION ALL
      SELECT whole.bucket, change.asset_id, change.usd, change.count
      FROM rollup_changes AS change
      JOIN ${table(
        'int',
        ['first', 'last', 'bucket'],
        [parts.map(({ first }) => first), parts.map(({ last }) => last), parts.map((_, bucket) => bucket)],
      )} AS whole (first, last, bucket) ON change.slot >= whole.first AND change.slot < whole.last
      WHERE change.kind = ${kind} AND change.project_id = ANY (${projectIds}::int[])
      ${edges.length > 0 ? sql`UNION ALL ${edgeRows(kind, projectIds, edges)}` : sql``}
    ) AS part
    GROUP BY bucket, asset_id HAVING sum(count) <> 0 OR sum(usd) <> 0
    ORDER BY bucket, asset_id`.execute(ctx.db)
  return rows.map((row) => ({
    bucket: row.bucket,
    assetId: row.asset_id,
    usd: usdOf(row.usd),
    count: Number(row.count),
  }))
}

/**
 * Counts the changes of counted deposits in spans so far, in the order of the spans: while the number is the same, so are the
 * deposits. The spans consist of whole quarters of an hour.
 */
export async function countChanges(
  ctx: Context,
  projectIds: readonly number[],
  spans: readonly Moments[],
): Promise<bigint[]> {
  const parts = spans.map(splitSpan)
  const cells = parts.flatMap(({ first, last }, span) => cellsOf(first, last).map((cell) => ({ ...cell, span })))
  const { rows } = await sql<{ span: number; changes: string }>`
    SELECT span, sum(changes) AS changes FROM (
      SELECT cell.span, taken.changes FROM ${table(
        'int',
        ['level', 'first', 'last', 'span'],
        [
          cells.map(({ level }) => level),
          cells.map(({ from }) => from),
          cells.map(({ until }) => until),
          cells.map(({ span }) => span),
        ],
      )} AS cell (level, first, last, span)
      CROSS JOIN LATERAL (
        SELECT sum(changes) AS changes FROM rollups AS rollup
        WHERE rollup.kind = 'paid' AND rollup.level = cell.level AND rollup.project_id = ANY (${projectIds}::int[])
          AND rollup.slot >= cell.first AND rollup.slot < cell.last
      ) AS taken
      UNION ALL
      SELECT whole.span, 1 FROM rollup_changes AS change
      JOIN ${table(
        'int',
        ['first', 'last', 'span'],
        [parts.map(({ first }) => first), parts.map(({ last }) => last), parts.map((_, span) => span)],
      )} AS whole (first, last, span) ON change.slot >= whole.first AND change.slot < whole.last
      WHERE change.kind = 'paid' AND change.project_id = ANY (${projectIds}::int[])
    ) AS part GROUP BY span`.execute(ctx.db)
  const changes = new Map(rows.map((row) => [row.span, BigInt(row.changes ?? 0)]))
  return spans.map((_, span) => changes.get(span) ?? 0n)
}

type Edge = Moments & { readonly bucket: number }

function edgeRows(kind: RollupKind, projectIds: readonly number[], edges: readonly Edge[]): RawBuilder<unknown> {
  const edge = sql`unnest(${edges.map(({ from }) => from)}::timestamptz[], ${edges.map(({ until }) => until)}::timestamptz[],
    ${edges.map(({ bucket }) => bucket)}::int[]) AS edge (first, last, bucket)`
  if (kind === 'paid') {
    return sql`
      SELECT edge.bucket, deposit.asset_id, deposit.counted_usd, 1 FROM ${edge}
      JOIN deposits AS deposit ON deposit.project_id = ANY (${projectIds}::int[])
        AND deposit.block_time >= edge.first AND deposit.block_time < edge.last
      WHERE deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL`
  }
  const first = kind === 'payer' ? sql`customer.first_final_at` : sql`customer.first_payment_at`
  return sql`
    SELECT edge.bucket, 0, 0, 1 FROM ${edge}
    JOIN customers AS customer ON customer.project_id = ANY (${projectIds}::int[]) AND ${first} >= edge.first AND ${first} < edge.last`
}

function table(type: string, names: readonly string[], columns: readonly (readonly number[])[]): RawBuilder<unknown> {
  return sql`unnest(${sql.join(names.map((_, at) => sql`${columns[at] ?? []}::${sql.raw(type)}[]`))})`
}

/** Finds the quarter of the first counted deposit of projects; null while there is none. */
export async function findFirstPaid(ctx: Context, projectIds: readonly number[]): Promise<Date | null> {
  const { rows } = await sql<{ slot: number | null }>`
    SELECT least(
      (SELECT min(oldest.slot) FROM unnest(${projectIds}::int[]) AS project (id) CROSS JOIN LATERAL (
        SELECT slot FROM rollups WHERE kind = 'paid' AND level = 1 AND project_id = project.id AND count > 0
        ORDER BY slot LIMIT 1) AS oldest),
      (SELECT min(slot) FROM rollup_changes WHERE kind = 'paid' AND count > 0 AND project_id = ANY (${projectIds}::int[]))
    ) AS slot`.execute(ctx.db)
  const slot = rows[0]?.slot ?? null
  return slot === null ? null : momentOf(slot)
}

/**
 * Adds changes to their cells of every level, oldest first; returns how many there were. Concurrent readers see a change either
 * as pending or in its cells, never both. Cells are updated in one order, so that two runs at once cannot deadlock. Rows are taken
 * up to an id: compared with a list of ids, they would be joined in the square of their number by a plan made for an empty table.
 */
export async function compactChanges(ctx: Pick<Context, 'db'>): Promise<number> {
  const { rows } = await sql<{ taken: bigint }>`
    WITH taken AS (
      DELETE FROM rollup_changes WHERE id <= (
        SELECT max(id) FROM (SELECT id FROM rollup_changes ORDER BY id LIMIT ${MOST_CHANGES} FOR UPDATE) AS oldest)
      RETURNING *
    ), summed AS (
      INSERT INTO rollups AS cell (kind, level, project_id, slot, asset_id, units, usd, count, changes)
      SELECT kind, level, project_id, slot / level * level, asset_id, sum(units), sum(usd), sum(count), count(*)
      FROM taken CROSS JOIN unnest(${[...LEVELS]}::int[]) AS level
      GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (kind, level, project_id, slot, asset_id) DO UPDATE SET
        units = cell.units + excluded.units, usd = cell.usd + excluded.usd, count = cell.count + excluded.count,
        changes = cell.changes + excluded.changes
    )
    SELECT count(*) AS taken FROM taken`.execute(ctx.db)
  return Number(rows[0]?.taken ?? 0n)
}

/** The same for times to finality. */
export async function compactFinalityTimes(ctx: Context): Promise<number> {
  const { rows } = await sql<{ taken: bigint }>`
    WITH taken AS (
      DELETE FROM finality_time_changes WHERE id <= (
        SELECT max(id) FROM (SELECT id FROM finality_time_changes ORDER BY id LIMIT ${MOST_CHANGES} FOR UPDATE) AS oldest)
      RETURNING *
    ), summed AS (
      INSERT INTO finality_times AS cell (project_id, level, day, blockchain_id, bucket, count)
      SELECT project_id, level, '1970-01-01'::date + (day - '1970-01-01'::date) / level * level, blockchain_id, bucket, sum(count)
      FROM taken CROSS JOIN unnest(${[...FINALITY_LEVELS]}::int[]) AS level GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
      ON CONFLICT (project_id, level, day, blockchain_id, bucket) DO UPDATE SET count = cell.count + excluded.count
    )
    SELECT count(*) AS taken FROM taken`.execute(ctx.db)
  return Number(rows[0]?.taken ?? 0n)
}
