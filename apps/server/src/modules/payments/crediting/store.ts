import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Payment } from '../payment/payment.ts'
import type { PaymentReads, PaymentTables } from '../payment/tables.ts'
import { lockPayments } from '../payment/store.ts'
import { QUARANTINE_REASONS } from '../funding/deposit-rules.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

/**
 * Ended payments a transfer is compared with: of several the newest counts, and a block that is read late may be older
 * than some. A shop that knows all its guests as one customer has thousands of them.
 */
const MOST_ENDED = 100

/**
 * Lists the payments of customers that a transfer may be for, keeping others from changing them: those that ask for
 * something and are not settled, and ended after `endedAfter`; and the newest of each asset whenever it ended.
 */
export async function lockAskingPayments(
  ctx: Context,
  customerIds: readonly number[],
  endedAfter: Date,
): Promise<Payment[]> {
  const asking = sql`FROM payments WHERE customer_id = customer.id AND due_units IS NOT NULL`
  const { rows } = await sql<{ id: bigint }>`
    SELECT found.id FROM unnest(${customerIds}::int[]) AS customer (id) CROSS JOIN LATERAL (
      (SELECT id ${asking} AND status IN ('OPEN', 'PARTIALLY_FILLED') AND expires_at > ${endedAfter})
      UNION
      (SELECT id ${asking} AND status = 'CANCELLED' AND expires_at > ${endedAfter} ORDER BY id DESC LIMIT ${MOST_ENDED})
      UNION
      (SELECT max(id) ${asking} AND status IN ('OPEN', 'PARTIALLY_FILLED', 'CANCELLED') GROUP BY asset_id)
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
 * Lets nobody else take in or take back money of a blockchain until the transaction ends: the reader of its blocks and
 * somebody who reads one again.
 */
export async function lockOwnersOf(ctx: Context, blockchainId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('money of a blockchain'), ${blockchainId})`.execute(ctx.db)
}

/** Moves on the payments whose money on a blockchain is seen, not final, and under another block: as `fund` has it. */
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
        .where((each) => each.or([each('reason', 'is', null), each('reason', 'not in', QUARANTINE_REASONS)]))
        .where('height', '<', BigInt(tip)),
    )
    .execute()
}
