/** A shop with a long past: payments, their payers, quotes and deposits, written straight into the tables. */
import type { Pool } from './limits.ts'

/** Payments per payer: most come back. */
const PER_PAYER = 5

/** Payments are spread over this many days. */
const DAYS = 400

/** So many payments per statement: progress is kept, and no statement grows beyond memory. */
const BATCH = 500_000

export type Past = { readonly payments: number; readonly projectId: number; readonly walletId: number }

/**
 * Fills a project. Three of five payments were paid in full, one in fifty in part; the rest was never chosen a coin for or
 * expired. The sums of days are made as the migration makes them; foreign keys are not checked again row by row.
 */
export async function fillPast(pool: Pool, past: Past): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '256MB'")
    await fillPayers(client, past)
    for (let from = 1; from <= past.payments; from += BATCH) {
      await fillPayments(client, past, { from, to: Math.min(past.payments, from + BATCH - 1) })
    }
    await client.query(`
      INSERT INTO payment_counts (project_id, day, status, asset_id, payments)
      SELECT project_id, (created_at AT TIME ZONE 'UTC')::date, status, coalesce(asset_id, 0), count(*)
      FROM payments WHERE project_id = ${past.projectId} GROUP BY 1, 2, 3, 4
      ON CONFLICT (project_id, day, status, asset_id) DO UPDATE SET payments = excluded.payments`)
    await client.query('RESET ALL')
    await client.query('VACUUM ANALYZE')
  } finally {
    client.release(true)
  }
}

type Client = { readonly query: (text: string) => Promise<unknown> }

async function fillPayers(client: Client, { payments, projectId, walletId }: Past): Promise<void> {
  await client.query(`
    WITH payer AS (
      INSERT INTO customers (project_id, customer_id, email)
      SELECT ${projectId}, 'payer-' || n, 'payer-' || n || '@mail.example' FROM generate_series(1, ${Math.ceil(payments / PER_PAYER)}) AS n
      RETURNING id, customer_id
    )
    INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id, assigned_at)
    SELECT ${walletId}, 1, decode(substr(md5(customer_id), 1, 32) || '00000000', 'hex'), '0x' || md5(customer_id) || '00000000',
      1000000 + id, 'm/44''/60''/0''/0/' || 1000000 + id, 'assigned', id, ${projectId}, now()
    FROM payer`)
}

async function fillPayments(
  client: Client,
  { payments, projectId }: Past,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const payers = Math.ceil(payments / PER_PAYER)
  await client.query(`
    WITH payer AS MATERIALIZED (
      SELECT customer.id, address.id AS address_id, address.address, row_number() OVER (ORDER BY customer.id) - 1 AS place
      FROM customers AS customer JOIN addresses AS address ON address.customer_id = customer.id
      WHERE customer.project_id = ${projectId} AND customer.customer_id LIKE 'payer-%'
    ), made AS (
      INSERT INTO payments (reference_id, project_id, customer_id, invoice_id, amount_usd, status, funding_state, cancel_reason,
        created_by, asset_id, due_units, seen_units, filled_units, filled_usd, expires_at, created_at, updated_at)
      SELECT gen_random_uuid(), ${projectId}, payer.id, 'INV-' || n, 10 + n % 490,
        CASE WHEN n % 5 < 3 THEN 'FILLED' WHEN n % 50 = 4 THEN 'PARTIALLY_FILLED' ELSE 'CANCELLED' END,
        CASE WHEN n % 5 < 3 OR n % 50 = 4 THEN 'confirmed' ELSE 'none' END,
        CASE WHEN n % 5 < 3 OR n % 50 = 4 THEN NULL ELSE 'expired' END,
        'system', CASE WHEN n % 5 = 3 THEN NULL ELSE (ARRAY[7, 8, 11])[n % 3 + 1] END,
        CASE WHEN n % 5 = 3 THEN NULL ELSE (10 + n % 490) * 1000000 END,
        CASE WHEN n % 5 < 3 THEN (10 + n % 490) * 1000000 WHEN n % 50 = 4 THEN 5000000 ELSE 0 END,
        CASE WHEN n % 5 < 3 THEN (10 + n % 490) * 1000000 WHEN n % 50 = 4 THEN 5000000 ELSE 0 END,
        CASE WHEN n % 5 < 3 THEN 10 + n % 490 WHEN n % 50 = 4 THEN 5 ELSE 0 END,
        at + interval '15 minutes', at, at + interval '2 minutes'
      FROM generate_series(${from}, ${to}) AS n
      JOIN payer ON payer.place = n % ${payers},
      LATERAL (SELECT now() - interval '${DAYS} days' * (1 - n::float / ${payments}) AS at) AS moment
      RETURNING id, customer_id, asset_id, due_units, filled_units, created_at
    ), quoted AS (
      INSERT INTO quotes (payment_id, asset_id, address_id, price_usd, due_units, quoted_at, locked_until, evidence)
      SELECT made.id, made.asset_id, payer.address_id, 1, made.due_units, made.created_at, made.created_at + interval '15 minutes', '[]'
      FROM made JOIN payer ON payer.id = made.customer_id WHERE made.asset_id IS NOT NULL
    )
    INSERT INTO deposits (blockchain_id, asset_id, address_id, tx_id, leg, kind, evidence, from_address, to_address, units, height,
      block_hash, block_time, confirmations_required, rule, status, customer_id, project_id, payment_id, seen_at, final_at)
    SELECT CASE made.asset_id WHEN 8 THEN 4 ELSE 1 END, made.asset_id, payer.address_id, '0x' || md5(made.id::text) || md5(made.id::text),
      'log:0', 'token', 'receipt', '0x' || md5('from' || made.id) || '00000000', payer.address, made.filled_units, made.id,
      '0x' || md5('block' || made.id), made.created_at, 2, 'depth', 'applied', made.customer_id, ${projectId}, made.id,
      made.created_at, made.created_at
    FROM made JOIN payer ON payer.id = made.customer_id WHERE made.filled_units > 0`)
  await client.query(`
    UPDATE payments SET quote_id = quote.id FROM quotes AS quote
    WHERE quote.payment_id = payments.id AND payments.quote_id IS NULL AND payments.project_id = ${projectId}`)
}
