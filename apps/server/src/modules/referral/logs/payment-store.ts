import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** What a payment brought, for rewards. */
export type PaymentFacts = {
  readonly id: bigint
  readonly isFilled: boolean
  /** Final money, in millionths of a dollar. */
  readonly filled: bigint
  /** The same minus what refunds gave back. */
  readonly left: bigint
}

type FactsRow = { readonly id: bigint; readonly status: string; readonly filled: string; readonly refunded: string }

/**
 * Lists what payments brought, and what settled refunds left of it. Of a partly refunded deposit, value is lost in proportion
 * to its units; what is left is rounded down. What was refunded of a transfer stays refunded when another block holds it
 * since, and when it counted for nothing before.
 */
export async function listPaymentFacts(
  ctx: Context,
  paymentIds: readonly bigint[],
): Promise<Map<bigint, PaymentFacts>> {
  if (paymentIds.length === 0) return new Map()
  const { rows } = await sql<FactsRow>`
    SELECT payment.id, payment.status, floor(payment.filled_usd * 1000000)::text AS filled,
      coalesce((
        SELECT sum(div(floor(given.counted_usd * 1000000) * given.refunded + given.units - 1, given.units))
        FROM (
          SELECT deposit.counted_usd, deposit.units, least(sum(part.units), deposit.units) AS refunded
          FROM deposits AS deposit
          JOIN deposits AS same ON same.tx_id = deposit.tx_id AND same.blockchain_id = deposit.blockchain_id
            AND same.leg = deposit.leg
          JOIN refund_parts AS part ON part.deposit_id = same.id
          JOIN withdrawals AS payout ON payout.id = part.withdrawal_id AND payout.status = 'processed'
          WHERE deposit.payment_id = payment.id AND deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL
          GROUP BY deposit.id
        ) AS given), 0)::text AS refunded
    FROM payments AS payment WHERE payment.id = ANY(${paymentIds.map(String)}::bigint[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, factsOf(row)]))
}

function factsOf({ id, status, filled, refunded }: FactsRow): PaymentFacts {
  const left = BigInt(filled) - BigInt(refunded)
  return {
    id,
    isFilled: status === 'FILLED' || status === 'OVER_FILLED',
    filled: BigInt(filled),
    left: left > 0n ? left : 0n,
  }
}

/** Finds a payment of a project by its reference and locks it until the transaction ends. */
export async function lockPayment(ctx: Context, projectId: number, reference: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM payments WHERE project_id = ${projectId} AND reference_id = ${reference}::uuid FOR SHARE`.execute(
    ctx.db,
  )
  return rows[0]?.id
}

export type LinkedPayment = {
  readonly id: bigint
  readonly project_id: number
  /** The event of this project that Kassa logs itself. */
  readonly event_id: number
  /** The customer, if a promoter brought them. */
  readonly member_id: number
}

/**
 * Lists which of these payments matter to the programme: logs name them, or a promoter brought their customers. One statement.
 */
export async function listPaymentsOfProgramme(ctx: Context, references: readonly string[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT payment.id FROM payments AS payment JOIN customers AS customer ON customer.id = payment.customer_id
    WHERE payment.reference_id = ANY(${[...references]}::uuid[]) AND (
      EXISTS (SELECT FROM event_logs AS log WHERE log.payment_id = payment.id)
      OR EXISTS (SELECT FROM referrers AS member WHERE member.project_id = payment.project_id
        AND member.reference_id = customer.customer_id AND member.referred_by IS NOT NULL))
    ORDER BY payment.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Lists filled payments of customers whom a promoter brought, about which Kassa has not logged its event yet. */
export async function listUnlogged(
  ctx: Context,
  paymentIds: readonly bigint[],
  eventKey: string,
): Promise<LinkedPayment[]> {
  const { rows } = await sql<LinkedPayment>`
    SELECT payment.id, payment.project_id, event.id AS event_id, member.id AS member_id
    FROM payments AS payment
    JOIN customers AS customer ON customer.id = payment.customer_id
    JOIN referrers AS member ON member.project_id = payment.project_id AND member.reference_id = customer.customer_id
      AND member.referred_by IS NOT NULL
    JOIN referral_events AS event ON event.project_id = payment.project_id AND event.key = ${eventKey}
    WHERE payment.id = ANY(${paymentIds.map(String)}::bigint[]) AND payment.status IN ('FILLED', 'OVER_FILLED')
      AND NOT EXISTS (SELECT FROM event_logs AS log WHERE log.payment_id = payment.id AND log.event_id = event.id)
    ORDER BY payment.id`.execute(ctx.db)
  return rows
}
