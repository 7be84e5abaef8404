/** What needs attention, said once: for the list, its count, its rows and a payment by itself (screens.md 3.7). */
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'

/** What telling the newest event came to, each endpoint asked once: what was sent again counts as it went last. */
export const NEWEST_DELIVERIES = sql`deliveries AS delivery
  WHERE delivery.reference_id = payment.reference_id AND delivery.sequence = (
    SELECT max(newest.sequence) FROM deliveries AS newest WHERE newest.reference_id = payment.reference_id)
  AND NOT EXISTS (
    SELECT FROM deliveries AS again
    WHERE again.reference_id = delivery.reference_id AND again.sequence = delivery.sequence
      AND again.webhook_id = delivery.webhook_id AND again.id > delivery.id)`

/** Few are held or failed: they are found first, by indexes of their own, and no payment is looked at for it. */
export const ON_HOLD = sql`payment.id IN (SELECT held.payment_id FROM deposits AS held WHERE held.status = 'quarantined')`
const ANY_FAILED = sql`payment.reference_id IN (
  SELECT failed.reference_id FROM deliveries AS failed WHERE failed.status = 'failed')`

const IS_PAID = sql`payment.status IN ('FILLED', 'OVER_FILLED')`

/** Paid, and the shop was not told. */
export const PAID_UNTOLD = sql`${IS_PAID} AND ${ANY_FAILED}
  AND EXISTS (SELECT FROM ${NEWEST_DELIVERIES} AND delivery.status = 'failed')`

/** Short, over, late or taken back, and nobody has settled it; in the words of the index payments_attention. */
const AMISS = sql`payment.settled_at IS NULL
  AND (payment.status IN ('PARTIALLY_FILLED', 'OVER_FILLED') OR payment.late OR payment.funding_state = 'reverted')`

/** What failed after a person has settled the payment is news. */
const UNTOLD_SINCE = sql`${IS_PAID} AND EXISTS (
  SELECT FROM ${NEWEST_DELIVERIES} AND delivery.status = 'failed'
    AND (payment.settled_at IS NULL OR delivery.finished_at > payment.settled_at))`

const HAS_HELD = sql`EXISTS (
  SELECT FROM deposits AS held WHERE held.payment_id = payment.id AND held.status = 'quarantined')`

/** Whether one payment needs attention: cheap for a row that is at hand, and no way to find them among all. */
export const NEEDS_ATTENTION = sql<boolean>`((${AMISS}) OR ${HAS_HELD} OR (${UNTOLD_SINCE}))`

/** The payments that need attention, each reason found by its own index; `scope` narrows them to projects. */
export function amongThoseInNeed(scope: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`payment.id IN (
    SELECT payment.id FROM payments AS payment WHERE ${scope} AND ${AMISS}
    UNION SELECT held.payment_id FROM deposits AS held WHERE held.status = 'quarantined'
    UNION SELECT payment.id FROM payments AS payment WHERE ${scope} AND ${ANY_FAILED} AND ${UNTOLD_SINCE})`
}

/** Whether a payment needs attention, and whether money is held for it: then only a decision about the money helps. */
export async function attentionOf(ctx: Context, id: bigint): Promise<{ isNeeded: boolean; isOnHold: boolean }> {
  const { rows } = await sql<{ isNeeded: boolean; isOnHold: boolean }>`
    SELECT ${NEEDS_ATTENTION} AS "isNeeded", ${HAS_HELD} AS "isOnHold" FROM payments AS payment
    WHERE payment.id = ${id}`.execute(ctx.db)
  return rows[0] ?? { isNeeded: false, isOnHold: false }
}
