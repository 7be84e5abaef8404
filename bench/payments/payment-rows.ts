/** A shop with a long past: payments, their payers, quotes and deposits, written straight into the tables. */
import { FINALITY_LEVELS, LEVELS } from '../../apps/server/src/modules/analytics/rollups/rules.ts'
import type { Pool } from '../harness/limits.ts'

/** Payments per payer: most come back. */
const PER_PAYER = 5

/** Payments are spread over this many days. */
const DAYS = 400

/** So many payments per statement: none grows beyond memory. */
const BATCH = 500_000

/** Rows of the past are numbered from here on, so that none meets a row the shop has already. */
const FIRST = 10_000_000

const TABLES = ['customers', 'addresses', 'payments', 'quotes', 'deposits'] as const

export type Past = {
  readonly payments: number
  readonly projectId: number
  readonly walletId: number
  /** Payers are spread over these projects; absent: all are of the one. */
  readonly projectIds?: readonly number[]
  /** Deposits and customers are left as before the analytics counted anything. */
  readonly isUncounted?: boolean
}

type Client = { readonly query: (text: string) => Promise<{ readonly rows: readonly unknown[] }> }

/**
 * Fills a project. Three of five payments were paid in full, one in fifty in part; the rest expired, half of it before a
 * coin was chosen. Indexes are made anew afterwards, foreign keys are not checked, and days and roll-ups are
 * summed up as the migrations do it: what remains is what years of payments would have left.
 */
export async function fillPast(pool: Pool, past: Past): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(
      'SET session_replication_role = replica; SET synchronous_commit = off; SET statement_timeout = 0',
    )
    await client.query("SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'")
    const definitions = await dropIndexes(client)
    for (let from = 1; from <= past.payments; from += BATCH) {
      await fillPayments(client, past, { from, to: Math.min(past.payments, from + BATCH - 1) })
    }
    await fillPayers(client, past)
    for (const definition of definitions) await client.query(definition)
    await client.query(`
      INSERT INTO payment_counts (project_id, day, status, asset_id, payments)
      SELECT project_id, (created_at AT TIME ZONE 'UTC')::date, status, coalesce(asset_id, 0), count(*)
      FROM payments WHERE id >= ${FIRST} GROUP BY 1, 2, 3, 4`)
    if (!past.isUncounted) await fillRollups(client)
    await fillAccounts(client)
    await client.query('VACUUM ANALYZE')
  } finally {
    client.release(true)
  }
}

/** Whether a former run has filled the install. */
export async function hasPast(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ has: boolean }>(
    `SELECT EXISTS (SELECT FROM payments WHERE id >= ${FIRST}) AS has`,
  )
  return rows[0]?.has ?? false
}

/** Drops indexes, and what is unique but for primary keys and what foreign keys stand on; returns how all is made again. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query(`
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(own.oid)) AS definition
    FROM pg_constraint AS own JOIN pg_class AS owner ON owner.oid = conrelid
    WHERE contype = 'u' AND owner.relname = ANY ('{${TABLES.join(',')}}')
      AND NOT EXISTS (SELECT FROM pg_constraint AS other WHERE other.contype = 'f' AND other.conindid = own.conindid)
    UNION ALL
    SELECT format('DROP INDEX %I', index.relname), pg_get_indexdef(index.oid)
    FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid JOIN pg_class AS owner ON owner.oid = indrelid
    WHERE owner.relname = ANY ('{${TABLES.join(',')}}')
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = index.oid)`)
  const dropped = rows as readonly { readonly drop: string; readonly definition: string }[]
  for (const { drop } of dropped) await client.query(drop)
  return dropped.map(({ definition }) => definition)
}

async function fillPayers(client: Client, past: Past): Promise<void> {
  const { payments, walletId, isUncounted = false } = past
  const numbers = `generate_series(0, ${payersOf(payments) - 1}) AS n`
  await client.query(`
    INSERT INTO customers (id, project_id, customer_id, email, first_final_at, first_payment_at) OVERRIDING SYSTEM VALUE
    SELECT ${FIRST} + n, ${projectOf(past, 'n')}, 'payer-' || n, 'payer-' || n || '@mail.example', paid.at, asked.at
    FROM ${numbers}
    LEFT JOIN (SELECT customer_id, min(block_time) AS at FROM deposits WHERE NOT ${isUncounted} GROUP BY 1) AS paid
      ON paid.customer_id = ${FIRST} + n
    LEFT JOIN (SELECT customer_id, min(created_at) AS at FROM payments WHERE NOT ${isUncounted} GROUP BY 1) AS asked
      ON asked.customer_id = ${FIRST} + n`)
  await client.query(`
    INSERT INTO addresses (id, wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id,
      assigned_at) OVERRIDING SYSTEM VALUE
    SELECT ${FIRST} + n, ${walletId}, 1, decode(${hexOf('n')}, 'hex'), '0x' || ${hexOf('n')}, ${FIRST} + n,
      'm/44''/60''/0''/0/' || ${FIRST} + n, 'assigned', ${FIRST} + n, ${projectOf(past, 'n')}, now() FROM ${numbers}`)
}

/** The cells that the triggers and the compaction would have left. */
async function fillRollups(client: Client): Promise<void> {
  await client.query(`
    INSERT INTO rollups (kind, level, project_id, slot, asset_id, units, usd, count, changes)
    SELECT kind, level, project_id, slot / level * level, asset_id, sum(units), sum(usd), sum(count), sum(count) FROM (
      SELECT 'paid' AS kind, project_id, quarter_of(block_time) AS slot, asset_id, sum(units) AS units, sum(counted_usd) AS usd,
        count(*) AS count FROM deposits WHERE id >= ${FIRST} GROUP BY 2, 3, 4
      UNION ALL SELECT 'payer', project_id, quarter_of(first_final_at), 0, 0, 0, count(*)
      FROM customers WHERE id >= ${FIRST} AND first_final_at IS NOT NULL GROUP BY 2, 3
      UNION ALL SELECT 'requester', project_id, quarter_of(first_payment_at), 0, 0, 0, count(*)
      FROM customers WHERE id >= ${FIRST} AND first_payment_at IS NOT NULL GROUP BY 2, 3
    ) AS quarter CROSS JOIN unnest('{${LEVELS.join(',')}}'::int[]) AS level GROUP BY 1, 2, 3, 4, 5`)
  await client.query(`
    INSERT INTO finality_times (project_id, level, day, blockchain_id, bucket, count)
    SELECT project_id, level, '1970-01-01'::date + (day - '1970-01-01'::date) / level * level, blockchain_id, bucket, sum(count)
    FROM (
      SELECT deposit.project_id, (block_time AT TIME ZONE 'UTC')::date AS day, blockchain_id,
        finality_bucket(extract(epoch FROM final_at - created_at)) AS bucket, count(*) AS count
      FROM deposits AS deposit JOIN payments AS payment ON payment.id = payment_id WHERE deposit.id >= ${FIRST} GROUP BY 1, 2, 3, 4
    ) AS fact CROSS JOIN unnest('{${FINALITY_LEVELS.join(',')}}'::int[]) AS level GROUP BY 1, 2, 3, 4, 5`)
}

/** The coins of each address and what each project has, as the ledger would keep them. */
async function fillAccounts(client: Client): Promise<void> {
  await client.query(`
    INSERT INTO accounts (kind, unit_id, owner_key, side, guarded, debits)
    SELECT 'chain:deposit-addresses', asset_id, 'address:' || address_id, 'D', true, sum(units) FROM deposits GROUP BY 2, 3`)
  await client.query(`
    INSERT INTO accounts (kind, unit_id, owner_key, side, guarded, credits)
    SELECT 'project:balance', asset_id, 'project:' || project_id, 'C', false, sum(units) FROM deposits GROUP BY 2, 3
    ON CONFLICT DO NOTHING`)
  await client.query(`
    INSERT INTO coin_totals (project_id, wallet_id, unit_id, units)
    SELECT deposit.project_id, wallet_id, asset_id, sum(units)
    FROM deposits AS deposit JOIN addresses ON addresses.id = address_id GROUP BY 1, 2, 3 ON CONFLICT DO NOTHING`)
}

async function fillPayments(client: Client, past: Past, { from, to }: { from: number; to: number }): Promise<void> {
  const { payments, isUncounted } = past
  const project = projectOf(past, 'payer_number')
  const rows = `(
    SELECT n, ${FIRST} + n AS id, ${FIRST} + n % ${payersOf(payments)} AS payer, n % ${payersOf(payments)} AS payer_number,
      n % 5 < 3 AS is_paid, n % 50 = 4 AS is_partly, n % 5 <> 3 AS is_pinned, (ARRAY[7, 8, 11])[n % 3 + 1] AS asset_id,
      10 + n % 490 AS dollars, now() - interval '${DAYS} days' * (1 - n::float / ${payments}) AS at
    FROM generate_series(${from}, ${to}) AS n) AS past`
  const filled = 'CASE WHEN is_paid THEN dollars WHEN is_partly THEN 5 ELSE 0 END'
  await client.query(`
    INSERT INTO payments (id, reference_id, project_id, customer_id, invoice_id, amount_usd, status, funding_state,
      cancel_reason, created_by, asset_id, quote_id, due_units, seen_units, filled_units, filled_usd, expires_at, created_at,
      updated_at) OVERRIDING SYSTEM VALUE
    SELECT id, gen_random_uuid(), ${project}, payer, 'INV-' || n, dollars,
      CASE WHEN is_paid THEN 'FILLED' WHEN is_partly THEN 'PARTIALLY_FILLED' ELSE 'CANCELLED' END,
      CASE WHEN is_paid OR is_partly THEN 'confirmed' ELSE 'none' END,
      CASE WHEN is_paid THEN NULL ELSE 'expired' END, 'system', CASE WHEN is_pinned THEN asset_id END,
      CASE WHEN is_pinned THEN id END, CASE WHEN is_pinned THEN dollars * 1000000 END, ${filled} * 1000000,
      ${filled} * 1000000, ${filled}, at + interval '15 minutes', at, at + interval '2 minutes'
    FROM ${rows}`)
  await client.query(`
    INSERT INTO quotes (id, payment_id, asset_id, address_id, price_usd, due_units, quoted_at, locked_until, evidence)
      OVERRIDING SYSTEM VALUE
    SELECT id, id, asset_id, payer, 1, dollars * 1000000, at, at + interval '15 minutes', '[]' FROM ${rows} WHERE is_pinned`)
  await client.query(`
    INSERT INTO deposits (id, blockchain_id, asset_id, address_id, tx_id, leg, kind, evidence, from_address, to_address, units,
      height, block_hash, block_time, confirmations_required, rule, status, customer_id, project_id, payment_id, counted_units,
      counted_usd, seen_at, final_at)
      OVERRIDING SYSTEM VALUE
    SELECT id, CASE asset_id WHEN 8 THEN 4 ELSE 1 END, asset_id, payer, '0x' || md5('tx' || n) || md5(n::text), 'log:0', 'token',
      'receipt', '0x' || ${hexOf("'from' || n")}, '0x' || ${hexOf('payer_number')}, ${filled} * 1000000, n, '0x' || md5('block' || n),
      at + interval '1 second' * (10 + n % 600), 2, 'depth', 'applied', payer, ${project}, id, ${filled} * 1000000,
      ${isUncounted ? 'NULL' : filled}, at + interval '1 second' * (10 + n % 600), at + interval '1 second' * (30 + n % 601)
    FROM ${rows} WHERE is_paid OR is_partly`)
}

/** Forty hexadecimal digits that look like chance. */
function hexOf(expression: string): string {
  return `substr(md5((${expression})::text) || md5('more' || (${expression})::text), 1, 40)`
}

/** The project of a payer, as SQL. */
function projectOf({ projectId, projectIds = [projectId] }: Past, payer: string): string {
  return `(ARRAY[${projectIds.join(', ')}])[${payer} % ${projectIds.length} + 1]`
}

function payersOf(payments: number): number {
  return Math.ceil(payments / PER_PAYER)
}
