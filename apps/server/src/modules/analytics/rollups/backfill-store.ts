import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** How far data from before the roll-ups is counted. */
export type Backfill = {
  readonly deposit_id: bigint
  readonly last_deposit_id: bigint
  readonly customer_id: number
  readonly last_customer_id: number
}

/** Finds how far the backfill is. */
export async function findBackfill(ctx: Context): Promise<Backfill> {
  const { rows } = await sql<Backfill>`SELECT * FROM rollup_backfill`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('The row of the backfill is missing')
  return row
}

/** Locks the backfill until the open transaction ends; two at once would count the same rows one after the other. */
export async function lockBackfill(ctx: Context): Promise<Backfill | undefined> {
  const { rows } = await sql<Backfill>`SELECT * FROM rollup_backfill FOR UPDATE SKIP LOCKED`.execute(ctx.db)
  return rows[0]
}

/** Lists applied deposits after an id that have no value yet: the last id of the batch, and their customers. */
export async function findUncounted(
  ctx: Context,
  { deposit_id: after, last_deposit_id: last }: Backfill,
  limit: number,
): Promise<{ readonly through: bigint; readonly customerIds: readonly number[] }> {
  const { rows } = await sql<{ through: bigint | null; customers: number[] | null }>`
    SELECT max(id) AS through, array_agg(DISTINCT customer_id) AS customers FROM (
      SELECT id, customer_id FROM deposits
      WHERE id > ${after} AND id <= ${last} AND status = 'applied' AND counted_usd IS NULL ORDER BY id LIMIT ${limit}
    ) AS batch`.execute(ctx.db)
  const [row] = rows
  return { through: row?.through ?? last, customerIds: row?.customers ?? [] }
}

/**
 * Sets what applied deposits between two ids count for, together with the other deposits of their payments, whose rounding
 * depends on them; the trigger counts them. The caller has locked their customers.
 */
export async function countDeposits(ctx: Context, after: bigint, through: bigint): Promise<void> {
  await sql`
    WITH due AS (
      SELECT DISTINCT payment_id FROM deposits
      WHERE id > ${after} AND id <= ${through} AND status = 'applied' AND counted_usd IS NULL
    ), running AS (
      SELECT deposit.id, deposit.payment_id, usd_for_units(
          sum(coalesce(deposit.counted_units, 0)) OVER (PARTITION BY deposit.payment_id ORDER BY deposit.id),
          quote.price_usd, asset.decimals) AS total
      FROM due
      JOIN payments AS payment ON payment.id = due.payment_id
      JOIN quotes AS quote ON quote.id = payment.quote_id
      JOIN assets AS asset ON asset.id = quote.asset_id
      JOIN deposits AS deposit ON deposit.payment_id = payment.id AND deposit.status = 'applied'
    ), valued AS (
      SELECT id, total - coalesce(lag(total) OVER (PARTITION BY payment_id ORDER BY id), 0) AS usd FROM running
    )
    UPDATE deposits AS deposit SET counted_usd = valued.usd
    FROM valued WHERE deposit.id = valued.id AND deposit.counted_usd IS DISTINCT FROM valued.usd`.execute(ctx.db)
}

/** Lists the next customers after an id. */
export async function listNextCustomers(
  ctx: Context,
  { customer_id: after, last_customer_id: last }: Backfill,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM customers WHERE id > ${after} AND id <= ${last} ORDER BY id LIMIT ${limit}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Sets when customers had their first payment, and counts them. The caller has locked the customers. */
export async function countRequesters(ctx: Context, customerIds: readonly number[]): Promise<void> {
  await sql`
    WITH firsts AS (
      UPDATE customers AS customer SET first_payment_at = oldest.at
      FROM (
        SELECT customer_id, min(created_at) AS at FROM payments
        WHERE customer_id = ANY (${customerIds}::int[]) GROUP BY customer_id
      ) AS oldest
      WHERE customer.id = oldest.customer_id AND customer.first_payment_at IS NULL
      RETURNING customer.project_id, customer.first_payment_at
    )
    INSERT INTO rollup_changes (kind, project_id, slot, asset_id, units, usd, count)
    SELECT 'requester', project_id, quarter_of(first_payment_at), 0, 0, 0, count(*) FROM firsts GROUP BY 1, 2, 3`.execute(
    ctx.db,
  )
}

/** Stores how far the backfill is, in the transaction of the batch. */
export async function moveBackfill(ctx: Context, depositId: bigint, customerId: number): Promise<void> {
  await sql`UPDATE rollup_backfill SET deposit_id = ${depositId}, customer_id = ${customerId}`.execute(ctx.db)
}
