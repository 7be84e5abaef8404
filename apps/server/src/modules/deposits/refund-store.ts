import { sql } from 'kysely'

import type { Context } from '../../context.ts'

/** What of a final deposit can be given back. */
export type RefundableDeposit = {
  readonly id: bigint
  readonly status: 'applied' | 'unapplied'
  readonly assetId: number
  readonly paymentId: bigint | null
  readonly units: bigint
  /** Promised to refunds that have not ended without paying. */
  readonly committed: bigint
}

type Row = {
  readonly id: bigint
  readonly status: 'applied' | 'unapplied'
  readonly asset_id: number
  readonly payment_id: bigint | null
  readonly units: string
  readonly committed: string
}

/** The final deposits of a payment, and the unmatched ones of its customer: newest first. */
export async function listRefundable(
  ctx: Context,
  { paymentId, customerId }: { readonly paymentId: bigint; readonly customerId: number },
  { isLocked }: { readonly isLocked: boolean },
): Promise<RefundableDeposit[]> {
  const { rows } = await sql<Row>`
    SELECT id, status, asset_id, payment_id, units::text AS units, refund_committed_units::text AS committed
    FROM deposits
    WHERE (payment_id = ${paymentId} AND status IN ('applied', 'unapplied'))
      OR (customer_id = ${customerId} AND status = 'unapplied')
    ORDER BY id DESC ${isLocked ? sql`FOR UPDATE` : sql``}`.execute(ctx.db)
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    assetId: row.asset_id,
    paymentId: row.payment_id,
    units: BigInt(row.units),
    committed: BigInt(row.committed),
  }))
}

/** Promises units of a final deposit to a refund; false where so much is not left. */
export async function addCommitted(ctx: Context, id: bigint, units: bigint): Promise<boolean> {
  const { rows } = await sql`
    UPDATE deposits SET refund_committed_units = refund_committed_units + ${units}
    WHERE id = ${id} AND units - refund_committed_units >= ${units} AND status IN ('applied', 'unapplied')
    RETURNING id`.execute(ctx.db)
  return rows.length === 1
}

/** Takes a promise back. */
export async function takeCommitted(ctx: Context, id: bigint, units: bigint): Promise<void> {
  await sql`
    UPDATE deposits SET refund_committed_units = refund_committed_units - ${units} WHERE id = ${id}`.execute(ctx.db)
}
