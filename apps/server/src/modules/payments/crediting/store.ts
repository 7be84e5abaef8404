import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Payment } from '../payment/payment.ts'
import type { PaymentReads, PaymentTables } from '../payment/tables.ts'
import { lockPayments } from '../payment/store.ts'
import { UNCOUNTED_REASONS } from '../funding/deposit-rules.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

/**
 * How many ended payments of a customer a transfer is compared with. The newest one counts, and a block that is read late may
 * be older than some of them. A shop that registers all its guests as one customer has thousands.
 */
const MOST_ENDED = 100

type Candidates = {
  readonly customerIds: readonly number[]
  readonly endedAfter: Date
  /** Payments that lose a transfer to another one, whenever they ended. */
  readonly formerIds?: readonly bigint[]
}

/**
 * Locks and lists the payments of customers that a transfer may pay: pinned ones that are not fully paid and ended after
 * `endedAfter`, and the newest of each asset whenever it ended.
 */
export async function lockCandidatePayments(
  ctx: Context,
  { customerIds, endedAfter, formerIds = [] }: Candidates,
): Promise<Payment[]> {
  const candidates = sql`FROM payments WHERE customer_id = customer.id AND due_units IS NOT NULL`
  return lockPayments(
    ctx,
    sql`ARRAY(
      SELECT found.id FROM unnest(${customerIds}::int[]) AS customer (id) CROSS JOIN LATERAL (
        (SELECT id ${candidates} AND status IN ('OPEN', 'PARTIALLY_FILLED') AND expires_at > ${endedAfter})
        UNION
        (SELECT id ${candidates} AND status = 'CANCELLED' AND expires_at > ${endedAfter} ORDER BY id DESC LIMIT ${MOST_ENDED})
        UNION
        (SELECT max(id) ${candidates} AND status IN ('OPEN', 'PARTIALLY_FILLED', 'CANCELLED') GROUP BY asset_id)
      ) AS found
      UNION SELECT unnest(${formerIds}::bigint[]))`,
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

/** SQL condition that no deposit meets. */
export const NOTHING = sql<boolean>`false`

/** Whose money may move: the customers who receive transfers, and the owners of deposits that meet a condition on `deposit`. */
export type Owners = { readonly receivers: readonly number[]; readonly moving: RawBuilder<boolean> }

export type LockedOwners = { readonly owners: readonly number[]; readonly isMoving: boolean }

/**
 * Locks the customers of these transfers and deposits, and of the payments that the deposits belong to; returns their
 * ids, and whether there are such deposits.
 */
export async function lockCustomersOf(ctx: Context, { receivers, moving }: Owners): Promise<LockedOwners> {
  const { rows } = await sql<{ id: number; is_moving: boolean }>`
    WITH moving AS MATERIALIZED (SELECT customer_id, payment_id FROM deposits AS deposit WHERE ${moving})
    SELECT id, EXISTS (SELECT FROM moving) AS is_moving FROM customers
    WHERE id = ANY(ARRAY(
      SELECT unnest(${receivers}::int[])
      UNION SELECT customer_id FROM moving
      UNION SELECT payment.customer_id FROM moving JOIN payments AS payment ON payment.id = moving.payment_id))
    ORDER BY id FOR NO KEY UPDATE`.execute(ctx.db)
  return { owners: rows.map(({ id }) => id), isMoving: rows[0]?.is_moving ?? false }
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
