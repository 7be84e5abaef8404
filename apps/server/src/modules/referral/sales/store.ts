import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** Finds the payment that a payout refunds; undefined when it is no refund. */
export async function findRefunded(ctx: Context, payoutId: bigint): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint | null }>`
    SELECT refund_payment_id AS id FROM withdrawals WHERE id = ${payoutId}`.execute(ctx.db)
  return rows[0]?.id ?? undefined
}
