/** What needs attention, said once: for the list, its count, its rows and a payment by itself (screens.md 3.7). */
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** What telling the newest event came to, each endpoint asked once: what was sent again counts as it went last. */
const IS_NEWEST = sql`delivery.sequence = (
    SELECT max(newest.sequence) FROM deliveries AS newest WHERE newest.reference_id = payment.reference_id)
  AND NOT EXISTS (
    SELECT FROM deliveries AS again
    WHERE again.reference_id = delivery.reference_id AND again.sequence = delivery.sequence
      AND again.webhook_id = delivery.webhook_id AND again.id > delivery.id)`
export const NEWEST_DELIVERIES = sql`deliveries AS delivery
  WHERE delivery.reference_id = payment.reference_id AND ${IS_NEWEST}`

/** Narrows the column that names a project to those that are looked at. */
export type Scope = (projectId: RawBuilder<unknown>) => RawBuilder<unknown>

/** Few are held or failed: they are found first, by indexes of their own, and no payment is looked at for it. */
export const ON_HOLD = sql`payment.id IN (SELECT held.payment_id FROM deposits AS held WHERE held.status = 'quarantined')`

const IS_PAID = sql`payment.status IN ('FILLED', 'OVER_FILLED')`

/** What failed after a person has settled the payment is news. */
const IS_NEWS = sql`(payment.settled_at IS NULL OR delivery.finished_at > payment.settled_at)`

/**
 * The paid payments whose shop was not told, from its failed deliveries on, which have an index of their own. An endpoint
 * that is dead for a week leaves tens of thousands: what is settled goes before anybody asks which delivery is the newest.
 * The OFFSET keeps the planner from reading every paid payment instead; several endpoints of one payment count once.
 */
const untold = (scope: Scope, isMeant: RawBuilder<unknown>) => sql`
  SELECT DISTINCT ON (delivery.reference_id) payment.id FROM deliveries AS delivery CROSS JOIN LATERAL (
    SELECT payment.id, payment.reference_id FROM payments AS payment
    WHERE payment.reference_id = delivery.reference_id AND ${IS_PAID} AND ${isMeant} OFFSET 0) AS payment
  WHERE delivery.status = 'failed' AND ${scope(sql`delivery.project_id`)} AND ${IS_NEWEST}`

/** Paid, and the shop was not told. */
export function paidButNotDelivered(scope: Scope): RawBuilder<boolean> {
  return sql<boolean>`payment.id IN (${untold(scope, sql`true`)})`
}

/** Short, over, late or taken back, and nobody has settled it; in the words of the index payments_attention. */
const AMISS = sql`payment.settled_at IS NULL
  AND (payment.status IN ('PARTIALLY_FILLED', 'OVER_FILLED') OR payment.late OR payment.funding_state = 'reverted')`

const UNTOLD_SINCE = sql`${IS_PAID} AND EXISTS (SELECT FROM ${NEWEST_DELIVERIES} AND delivery.status = 'failed' AND ${IS_NEWS})`

const HAS_HELD = sql`EXISTS (
  SELECT FROM deposits AS held WHERE held.payment_id = payment.id AND held.status = 'quarantined')`

/** Whether one payment needs attention: cheap for a row that is at hand, and no way to find them among all. */
export const NEEDS_ATTENTION = sql<boolean>`((${AMISS}) OR ${HAS_HELD} OR (${UNTOLD_SINCE}))`

/**
 * The payments that need attention, each reason found by its own index; `scope` narrows them to projects. With `most`, at
 * least so many of them where there are more: enough for whoever only counts so far.
 */
export function needsAttention(scope: Scope, most?: number): RawBuilder<boolean> {
  const enough = most === undefined ? sql`` : sql`LIMIT ${most}`
  return sql<boolean>`payment.id IN (
    (SELECT payment.id FROM payments AS payment WHERE ${scope(sql`payment.project_id`)} AND ${AMISS} ${enough})
    UNION SELECT held.payment_id FROM deposits AS held WHERE held.status = 'quarantined'
    UNION (${untold(scope, IS_NEWS)} ${enough}))`
}

/** Whether a payment needs attention, and whether money is held for it: then only a decision about the money helps. */
export async function attentionOf(ctx: Context, id: bigint): Promise<{ isNeeded: boolean; isOnHold: boolean }> {
  const { rows } = await sql<{ isNeeded: boolean; isOnHold: boolean }>`
    SELECT ${NEEDS_ATTENTION} AS "isNeeded", ${HAS_HELD} AS "isOnHold" FROM payments AS payment
    WHERE payment.id = ${id}`.execute(ctx.db)
  return rows[0] ?? { isNeeded: false, isOnHold: false }
}
