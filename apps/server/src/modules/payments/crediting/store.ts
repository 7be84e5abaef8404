import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Payment } from '../payment/payment.ts'
import type { PaymentReads, PaymentTables } from '../payment/tables.ts'
import { lockPayments } from '../payment/store.ts'
import { UNCOUNTED_REASONS } from '../funding/deposit-rules.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

/**
 * Ended payments a transfer is compared with: of several the newest counts, and a block that is read late may be older
 * than some. A shop that registers all its guests as one customer has thousands of them.
 */
const MOST_ENDED = 100

/**
 * Locks and lists the payments of customers that a transfer may pay: pinned ones that are not fully paid and ended after
 * `endedAfter`, and the newest of each asset whenever it ended.
 */
export async function lockCandidatePayments(
  ctx: Context,
  customerIds: readonly number[],
  endedAfter: Date,
): Promise<Payment[]> {
  const candidates = sql`FROM payments WHERE customer_id = customer.id AND due_units IS NOT NULL`
  const { rows } = await sql<{ id: bigint }>`
    SELECT found.id FROM unnest(${customerIds}::int[]) AS customer (id) CROSS JOIN LATERAL (
      (SELECT id ${candidates} AND status IN ('OPEN', 'PARTIALLY_FILLED') AND expires_at > ${endedAfter})
      UNION
      (SELECT id ${candidates} AND status = 'CANCELLED' AND expires_at > ${endedAfter} ORDER BY id DESC LIMIT ${MOST_ENDED})
      UNION
      (SELECT max(id) ${candidates} AND status IN ('OPEN', 'PARTIALLY_FILLED', 'CANCELLED') GROUP BY asset_id)
    ) AS found`.execute(ctx.db)
  return lockPayments(
    ctx,
    rows.map(({ id }) => id),
  )
}

/** Lists the payments that wait for confirmations on a blockchain. */
export async function listConfirming(
  ctx: Context,
  blockchainId: number,
): Promise<{ reference: string; projectId: number }[]> {
  const rows = await tables(ctx)
    .selectFrom('payments')
    .innerJoin('deposits', 'deposits.payment_id', 'payments.id')
    .select(['payments.reference_id', 'payments.project_id'])
    .distinct()
    .where('blockchain_id', '=', blockchainId)
    .where('deposits.status', '=', 'seen')
    .execute()
  return rows.map((row) => ({ reference: row.reference_id, projectId: row.project_id }))
}

/**
 * Lets no other transaction credit or revert deposits of a blockchain until this one ends: neither the follower nor a
 * rescan.
 */
export async function lockOwnersOf(ctx: Context, blockchainId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('money of a blockchain'), ${blockchainId})`.execute(ctx.db)
}

/** Moves payments with a seen deposit below another block to `confirming`, as `fund` decides it. */
export async function moveConfirming(ctx: Context, blockchainId: number, tip: number): Promise<void> {
  await tables(ctx)
    .updateTable('payments')
    .set({ funding_state: 'confirming', updated_at: ctx.now() })
    .where('funding_state', '=', 'detected')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deposits')
        .select((each) => each.ref('payment_id').$notNull().as('id'))
        .where('blockchain_id', '=', blockchainId)
        .where('status', '=', 'seen')
        .where((each) => each.or([each('reason', 'is', null), each('reason', 'not in', UNCOUNTED_REASONS)]))
        .where('height', '<', BigInt(tip)),
    )
    .execute()
}
