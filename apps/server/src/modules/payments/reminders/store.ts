import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { LEAST_NOTICE_MS, LONGEST_NOTICE_MS, REMINDED_SHARE, SHORTEST_REMINDED_MS } from './rules.ts'

/**
 * Nothing waits to be mined for it, nothing may come back that a reorganisation took, and it has no deposit. Reads the payment as
 * `payment`.
 */
const WITHOUT_MONEY = sql<boolean>`payment.funding_state NOT IN ('detected', 'reverted') AND NOT EXISTS (
  SELECT FROM deposits AS deposit WHERE deposit.payment_id = payment.id AND deposit.status NOT IN ('reverted', 'ignored'))`

/**
 * Marks open payments without money whose reminder is due as reminded, at most `limit`, of these projects and of customers with
 * an e-mail; returns their references. Rows that others have locked wait for the next run.
 */
export async function markReminded(ctx: Context, projectIds: readonly number[], limit: number): Promise<string[]> {
  const now = ctx.now()
  const { rows } = await sql<{ reference: string }>`
    UPDATE payments SET reminded_at = ${now} FROM (
      SELECT payment.id FROM payments AS payment JOIN customers AS customer ON customer.id = payment.customer_id
      WHERE payment.status = 'OPEN' AND payment.seen_units = 0 AND payment.reminded_at IS NULL
        AND payment.expires_at - payment.created_at >= ${seconds(SHORTEST_REMINDED_MS)}
        AND ${WITHOUT_MONEY} AND customer.email <> '' AND payment.project_id = ANY(${projectIds}::int[])
        AND payment.expires_at > ${new Date(now.getTime() + LEAST_NOTICE_MS)}
        AND payment.expires_at <= ${new Date(now.getTime() + LONGEST_NOTICE_MS)}
        AND payment.expires_at - ${now}::timestamptz <= (payment.expires_at - payment.created_at) / ${REMINDED_SHARE}::int
      ORDER BY payment.expires_at LIMIT ${limit} FOR NO KEY UPDATE OF payment SKIP LOCKED) AS due
    WHERE payments.id = due.id RETURNING payments.reference_id AS reference`.execute(ctx.db)
  return rows.map(({ reference }) => reference)
}

/** Marks an open payment without money as reminded; false when it is none, or was reminded before. */
export async function markRemindedNow(ctx: Context, id: bigint): Promise<boolean> {
  const now = ctx.now()
  const { rows } = await sql`
    UPDATE payments AS payment SET reminded_at = ${now}
    WHERE id = ${id} AND status = 'OPEN' AND seen_units = 0 AND ${WITHOUT_MONEY} AND reminded_at IS NULL
      AND expires_at > ${now}
    RETURNING id`.execute(ctx.db)
  return rows.length === 1
}

/** Whether money has come for a payment, or may come back by itself: its customer must not be asked to pay a second time. */
export async function hasMoney(ctx: Context, id: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM payments AS payment WHERE id = ${id} AND seen_units = 0 AND ${WITHOUT_MONEY}`.execute(ctx.db)
  return rows.length === 0
}

/** Written into the statement, so that the planner knows the index of `SHORTEST_REMINDED_MS`. */
function seconds(ms: number) {
  return sql.raw(`interval '${ms / 1000} seconds'`)
}
