import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { CountFilter, Span } from './rules.ts'

const DAY_MS = 86_400_000

/** Changes summed up at once; what is left waits for the next time. */
const MOST_CHANGES = 50_000

/**
 * Counts payments by status, exactly: whole days from their sums, the partial days at either end row by row.
 */
export async function countByStatus(ctx: Context, filter: CountFilter): Promise<ReadonlyMap<string, number>> {
  const { whole, edges } = split(filter.created)
  const parts = [...(whole ? [summedUp(filter, whole)] : []), ...edges.map((edge) => oneByOne(filter, edge))]
  const { rows } = await sql<{ status: string; count: string }>`
    SELECT status, sum(count) AS count FROM (${sql.join(parts, sql` UNION ALL `)}) AS counted
    GROUP BY status`.execute(ctx.db)
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

/** Adds the changes since the last run to the sums of their days; returns how many there were. Taken as `compactChanges` does. */
export async function foldCounts(ctx: Context): Promise<number> {
  const { rows } = await sql<{ folded: bigint }>`
    WITH taken AS (
      DELETE FROM payment_count_changes WHERE id <= (
        SELECT max(id) FROM (SELECT id FROM payment_count_changes ORDER BY id LIMIT ${MOST_CHANGES} FOR UPDATE) AS oldest)
      RETURNING *
    ), summed AS (
      INSERT INTO payment_counts AS counted (project_id, day, status, asset_id, payments)
      SELECT project_id, day, status, asset_id, sum(change) FROM taken GROUP BY 1, 2, 3, 4
      ON CONFLICT (project_id, day, status, asset_id)
        DO UPDATE SET payments = counted.payments + excluded.payments
    )
    SELECT count(*) AS folded FROM taken`.execute(ctx.db)
  return Number(rows[0]?.folded ?? 0n)
}

/** A span from its first moment to the moment after its last; open where it has no bound. */
type Range = { readonly from?: Date; readonly before?: Date }

/** Splits a span into its whole days and the partial days before and after them. */
function split({ from, to }: Span): { whole?: Range; edges: Range[] } {
  const before = to && new Date(to.getTime() + 1)
  const firstDay = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const afterLastDay = before && new Date(Math.floor(before.getTime() / DAY_MS) * DAY_MS)
  const hasWhole = !firstDay || !afterLastDay || firstDay < afterLastDay
  if (!hasWhole) return { edges: [{ ...(from && { from }), ...(before && { before }) }] }
  return {
    whole: { ...(firstDay && { from: firstDay }), ...(afterLastDay && { before: afterLastDay }) },
    edges: [
      ...(from && firstDay && from < firstDay ? [{ from, before: firstDay }] : []),
      ...(before && afterLastDay && afterLastDay < before ? [{ from: afterLastDay, before }] : []),
    ],
  }
}

function summedUp(filter: CountFilter, { from, before }: Range): RawBuilder<unknown> {
  const conditions = [
    ...shared(filter),
    ...(from ? [sql`day >= ${day(from)}::date`] : []),
    ...(before ? [sql`day < ${day(before)}::date`] : []),
  ]
  const where = sql.join([sql`true`, ...conditions], sql` AND `)
  return sql`
    SELECT status, payments AS count FROM payment_counts WHERE ${where}
    UNION ALL SELECT status, change FROM payment_count_changes WHERE ${where}`
}

function oneByOne(filter: CountFilter, { from, before }: Range): RawBuilder<unknown> {
  const conditions = [
    ...shared(filter),
    ...(from ? [sql`created_at >= ${from}`] : []),
    ...(before ? [sql`created_at < ${before}`] : []),
  ]
  const where = sql.join([sql`true`, ...conditions], sql` AND `)
  return sql`SELECT status, count(*) AS count FROM payments WHERE ${where} GROUP BY status`
}

function shared({ projectIds, statuses = [], currencies = [], networks = [] }: CountFilter): RawBuilder<unknown>[] {
  return [
    ...(projectIds === 'every' ? [] : [sql`project_id = ANY (${projectIds}::int[])`]),
    ...(statuses.length > 0 ? [sql`status = ANY (${statuses}::text[])`] : []),
    ...(currencies.length > 0 || networks.length > 0 ? [ofAssets(currencies, networks)] : []),
  ]
}

/** The assets of some currencies on some networks; an empty list names all. */
export function ofAssets(
  currencies: readonly string[],
  networks: readonly string[],
  assetId: RawBuilder<unknown> = sql`asset_id`,
): RawBuilder<boolean> {
  return sql`${assetId} IN (
    SELECT asset.id FROM assets AS asset JOIN blockchains AS chain ON chain.id = asset.blockchain_id
    WHERE (${currencies.length === 0} OR asset.currency_code = ANY (${currencies}::text[]))
      AND (${networks.length === 0} OR chain.code = ANY (${networks}::text[])))`
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10)
}
