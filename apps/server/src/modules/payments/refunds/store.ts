import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type RefundRow = {
  readonly payment_id: bigint
  readonly customer_id: number
  readonly asset_id: number | null
  readonly over_units: string
  /** What refunds took of its surplus; those that ended without paying do not count. */
  readonly refunded_over: string
}

/** A payment as refunds see it. */
export async function findRefunded(
  ctx: Context,
  paymentId: bigint,
  except: bigint | null,
): Promise<RefundRow | undefined> {
  const { rows } = await sql<RefundRow>`
    SELECT payment.id AS payment_id, payment.customer_id, payment.asset_id, payment.over_units::text AS over_units,
      (SELECT coalesce(sum(payout.units), 0)::text FROM withdrawals AS payout
        WHERE payout.refund_payment_id = payment.id AND payout.refund_kind = 'overpaid'
          AND payout.asset_id = payment.asset_id AND payout.status NOT IN ('failed', 'rejected', 'cancelled')
          AND payout.id IS DISTINCT FROM ${except}::bigint) AS refunded_over
    FROM payments AS payment WHERE payment.id = ${paymentId}`.execute(ctx.db)
  return rows[0]
}

/** Finds the asset and the amount that a payout is to refund. */
export async function findAsked(
  ctx: Context,
  payoutId: bigint,
): Promise<{ readonly asset_id: number; readonly units: string } | undefined> {
  const { rows } = await sql<{ asset_id: number; units: string }>`
    SELECT asset_id, units::text AS units FROM withdrawals WHERE id = ${payoutId}`.execute(ctx.db)
  return rows[0]
}

type NewPart = {
  readonly withdrawalId: bigint
  readonly depositId: bigint
  readonly units: bigint
  readonly claim: 'project:balance' | 'customer:unapplied'
}

/** Stores which deposits a refund takes. */
export async function insertParts(ctx: Context, parts: readonly NewPart[]): Promise<void> {
  for (const { withdrawalId, depositId, units, claim } of parts) {
    await sql`INSERT INTO refund_parts (withdrawal_id, deposit_id, units, claim)
      VALUES (${withdrawalId}, ${depositId}, ${units}, ${claim})`.execute(ctx.db)
  }
}

/** Lists which deposits a payout refunds; empty for a payout that is no refund. */
export async function listParts(
  ctx: Context,
  payoutId: bigint,
): Promise<{ readonly deposit_id: bigint; readonly units: string }[]> {
  const { rows } = await sql<{ deposit_id: bigint; units: string }>`
    SELECT deposit_id, units::text AS units FROM refund_parts WHERE withdrawal_id = ${payoutId} ORDER BY deposit_id`.execute(
    ctx.db,
  )
  return rows
}
