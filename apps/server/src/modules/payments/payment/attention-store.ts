/** The conditions under which a payment needs attention, defined once for the list, its count, its rows and a single payment (screens.md 3.7). */
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** The newest event's delivery to each endpoint; of repeated deliveries the last counts. */
const IS_NEWEST = sql`delivery.sequence = (
    SELECT max(newest.sequence) FROM deliveries AS newest WHERE newest.reference_id = payment.reference_id)
  AND NOT EXISTS (
    SELECT FROM deliveries AS again
    WHERE again.reference_id = delivery.reference_id AND again.sequence = delivery.sequence
      AND again.webhook_id = delivery.webhook_id AND again.id > delivery.id)`
export const NEWEST_DELIVERIES = sql`deliveries AS delivery
  WHERE delivery.reference_id = payment.reference_id AND ${IS_NEWEST}`

/** Restricts a project column to the projects in scope. */
export type Scope = (projectId: RawBuilder<unknown>) => RawBuilder<unknown>

/** Few deposits are quarantined, so this starts from their index and reads no other payments. */
export const ON_HOLD = sql`payment.id IN (SELECT quarantined.payment_id FROM deposits AS quarantined WHERE quarantined.status = 'quarantined')`

const IS_PAID = sql`payment.status IN ('FILLED', 'OVER_FILLED')`

/** A delivery that failed after the payment was resolved needs attention again. */
const IS_NEWS = sql`(payment.resolved_at IS NULL OR delivery.finished_at > payment.resolved_at)`

/**
 * The paid payments whose newest event was not delivered, starting from failed deliveries, which have their own index. An
 * endpoint that is down for a week leaves tens of thousands: resolved payments are dropped before the newest delivery is
 * looked up. OFFSET stops the planner from reading every paid payment instead; several endpoints of one payment count once.
 */
const undelivered = (scope: Scope, isMeant: RawBuilder<unknown>) => sql`
  SELECT DISTINCT ON (delivery.reference_id) payment.id FROM deliveries AS delivery CROSS JOIN LATERAL (
    SELECT payment.id, payment.reference_id FROM payments AS payment
    WHERE payment.reference_id = delivery.reference_id AND ${IS_PAID} AND ${isMeant} OFFSET 0) AS payment
  WHERE delivery.status = 'failed' AND ${scope(sql`delivery.project_id`)} AND ${IS_NEWEST}`

/** Paid, and the newest event was not delivered. */
export function paidButNotDelivered(scope: Scope): RawBuilder<boolean> {
  return sql<boolean>`payment.id IN (${undelivered(scope, sql`true`)})`
}

/** Under- or overpaid, late or reverted, and not resolved; written as in the index payments_attention, so that it is used. */
const AMISS = sql`payment.resolved_at IS NULL
  AND (payment.status IN ('PARTIALLY_FILLED', 'OVER_FILLED') OR payment.late OR payment.funding_state = 'reverted')`

const UNDELIVERED_SINCE = sql`${IS_PAID} AND EXISTS (SELECT FROM ${NEWEST_DELIVERIES} AND delivery.status = 'failed' AND ${IS_NEWS})`

const HAS_QUARANTINED = sql`EXISTS (
  SELECT FROM deposits AS quarantined WHERE quarantined.payment_id = payment.id AND quarantined.status = 'quarantined')`

/** The payer named where money should be returned, nobody has decided about it, and it is not older than the last decision. */
const CLAIMED_SINCE = sql`claim.status = 'open' AND (payment.resolved_at IS NULL OR claim.claimed_at > payment.resolved_at)`

const HAS_CLAIM = sql`EXISTS (SELECT FROM refund_claims AS claim WHERE claim.payment_id = payment.id AND ${CLAIMED_SINCE})`

/** Whether one payment needs attention: cheap for a given row, too slow to find all of them. */
export const NEEDS_ATTENTION = sql<boolean>`((${AMISS}) OR ${HAS_QUARANTINED} OR ${HAS_CLAIM} OR (${UNDELIVERED_SINCE}))`

/** The payments that need attention though they are not amiss; `most` of those without a delivery are enough for a count. */
function withOtherReasons(scope: Scope, most?: number): RawBuilder<unknown> {
  const enough = most === undefined ? sql`` : sql`LIMIT ${most}`
  return sql`
    SELECT quarantined.payment_id FROM deposits AS quarantined WHERE quarantined.status = 'quarantined'
    UNION SELECT payment.id FROM refund_claims AS claim JOIN payments AS payment ON payment.id = claim.payment_id
      WHERE ${CLAIMED_SINCE}
    UNION (${undelivered(scope, IS_NEWS)} ${enough})`
}

/** The condition that a payment needs attention, each reason found by its own index; `scope` restricts them to projects. */
export function needsAttention(scope: Scope): RawBuilder<boolean> {
  return sql<boolean>`payment.id IN (
    (SELECT payment.id FROM payments AS payment WHERE ${scope(sql`payment.project_id`)} AND ${AMISS})
    UNION ${withOtherReasons(scope)})`
}

/**
 * Two conditions for the same payments: a list that reads a page of each stops early, where one condition for all would look up
 * every short payment of years.
 */
export function attentionParts(scope: Scope, most?: number): readonly RawBuilder<boolean>[] {
  return [sql<boolean>`(${AMISS})`, sql<boolean>`payment.id IN (${withOtherReasons(scope, most)})`]
}

/** Whether a payment needs attention, and whether a deposit of it is quarantined, which must be decided first. */
export async function attentionOf(ctx: Context, id: bigint): Promise<{ isNeeded: boolean; isOnHold: boolean }> {
  const { rows } = await sql<{ isNeeded: boolean; isOnHold: boolean }>`
    SELECT ${NEEDS_ATTENTION} AS "isNeeded", ${HAS_QUARANTINED} AS "isOnHold" FROM payments AS payment
    WHERE payment.id = ${id}`.execute(ctx.db)
  return rows[0] ?? { isNeeded: false, isOnHold: false }
}
