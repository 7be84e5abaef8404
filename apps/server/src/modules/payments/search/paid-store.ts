import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { Scope } from '../payment/attention-store.ts'
import { ofAssets } from './count-store.ts'
import { MOST_SORTED, type SearchFilter, type Span } from './rules.ts'

/**
 * How payments are found that were paid in a span of time: from their deposits where these are few; else one after another among the
 * newest, or, when the span is over, among those that were made by then; or as the planner likes, when all of them are read.
 */
export type PaidWay = 'from deposits' | 'among the newest' | 'among those of its time' | 'all of them'

/** A payment made later than this after its deposit was given it by a person or a policy; clocks differ by less. */
const CLOCKS_MS = 86_400_000

/** Looks up which way finds a page soonest: each is slow where another is fast. */
export async function findPaidWay(ctx: Context, filter: SearchFilter, scope: Scope): Promise<PaidWay> {
  if (!filter.paid) return 'among the newest'
  const { rows } = await sql<{ isMore: boolean }>`
    SELECT count(*) > ${MOST_SORTED} AS "isMore"
    FROM (SELECT ${countedDeposits(filter, filter.paid, scope)} LIMIT ${MOST_SORTED + 1}) AS deposit`.execute(ctx.db)
  if (!rows[0]?.isMore) return 'from deposits'
  const { to } = filter.paid
  return to && to.getTime() + CLOCKS_MS < ctx.now().getTime() ? 'among those of its time' : 'among the newest'
}

/** Conditions of which one holds for each payment that was paid in the span; none holds for the same payment as another. */
export function paidParts(filter: SearchFilter, span: Span, { way, scope }: { way: PaidWay; scope: Scope }) {
  const deposits = sql`SELECT deposit.payment_id ${countedDeposits(filter, span, scope)}`
  // An array is made before the first payment is read: as a part of the statement it would be looked up once for each payment.
  if (way === 'from deposits') return [sql`payment.id = ANY (ARRAY(${deposits}))`]
  if (way === 'all of them') return [sql`payment.id IN (${deposits})`]
  // OFFSET keeps the planner from reading all deposits of the span before the first payment.
  const isPaid = sql`EXISTS (SELECT ${countedDeposits(filter, span, scope)} AND deposit.payment_id = payment.id OFFSET 0)`
  if (way === 'among the newest' || !span.to) return [isPaid]
  const end = new Date(span.to.getTime() + CLOCKS_MS)
  // Ids follow the times of creation, except within moments: a margin of half a day leaves none out.
  const before = new Date(span.to.getTime() + CLOCKS_MS / 2)
  const firstAfter = sql`SELECT after.id FROM payments AS after WHERE after.created_at > ${before} ORDER BY after.created_at, after.id LIMIT 1`
  return [
    sql`payment.created_at <= ${end} AND ${isPaid}`,
    sql`payment.created_at > ${end} AND payment.id = ANY (ARRAY(${deposits} AND deposit.payment_id >= (${firstAfter})))`,
  ]
}

/** The counted deposits of a time, of the currencies and networks filtered by. */
export function countedDeposits(
  { currencies, networks }: SearchFilter,
  { from, to }: Span,
  scope: Scope,
): RawBuilder<unknown> {
  const conditions = [
    sql`deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL`,
    scope(sql`deposit.project_id`),
    ...(from ? [sql`deposit.block_time >= ${from}`] : []),
    // Times end with their last millisecond; what is within it belongs to the span.
    ...(to ? [sql`deposit.block_time < ${new Date(to.getTime() + 1)}`] : []),
    ...(currencies.length > 0 || networks.length > 0 ? [ofAssets(currencies, networks, sql`deposit.asset_id`)] : []),
  ]
  return sql`FROM deposits AS deposit WHERE ${sql.join(conditions, sql` AND `)}`
}
