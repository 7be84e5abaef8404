import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { FINALITY_LEVELS, LEVELS } from './rules.ts'

/** A figure that differs from what deposits, payments and customers say: the name of its row, and both values. */
export type Difference = { readonly subject: string; readonly kept: string; readonly expected: string }

/** A comparison, and what it compares, as a sentence. */
export type Comparison = { readonly rule: string; readonly sql: string }

/** Recomputes what each counted deposit adds to its payment, at the price of the payment's quote. */
const VALUED = `
  SELECT *, total - coalesce(lag(total) OVER (PARTITION BY payment_id ORDER BY id), 0) AS expected FROM (
    SELECT deposit.id, deposit.payment_id, deposit.counted_usd, payment.filled_usd, usd_for_units(
      sum(coalesce(deposit.counted_units, 0)) OVER (PARTITION BY deposit.payment_id ORDER BY deposit.id),
      quote.price_usd, asset.decimals) AS total
    FROM deposits AS deposit
    JOIN payments AS payment ON payment.id = deposit.payment_id
    JOIN quotes AS quote ON quote.id = payment.quote_id
    JOIN assets AS asset ON asset.id = quote.asset_id
    WHERE deposit.status = 'applied'
  ) AS running`

const SUMS = 'kind, level, project_id, slot, asset_id'

/** What must be counted, of every kind, by quarter of an hour, from a moment on. */
function factsSince(moment: string): string {
  return `
    SELECT 'paid' AS kind, project_id, quarter_of(block_time) AS slot, asset_id,
      sum(units) AS units, sum(counted_usd) AS usd, count(*) AS count
    FROM deposits WHERE status = 'applied' AND counted_usd IS NOT NULL AND block_time >= ${moment} GROUP BY 2, 3, 4
    UNION ALL SELECT 'payer', project_id, quarter_of(first_final_at), 0, 0, 0, count(*)
    FROM customers WHERE first_final_at >= ${moment} GROUP BY 2, 3
    UNION ALL SELECT 'requester', project_id, quarter_of(first_payment_at), 0, 0, 0, count(*)
    FROM customers WHERE first_payment_at >= ${moment} GROUP BY 2, 3`
}

/**
 * Cells, including their pending changes, beside what they must be. Only cells that begin at that moment or later; it is the
 * beginning of a day, so that it cuts no cell of a day or less.
 */
function cellsSince(moment: string): string {
  return `
    WITH fact AS MATERIALIZED (${factsSince(moment)}), expected AS (
      SELECT kind, level, project_id, slot / level * level AS slot, asset_id, sum(units) AS units, sum(usd) AS usd, sum(count) AS count
      FROM fact CROSS JOIN unnest(ARRAY[${LEVELS.join(', ')}]) AS level
      WHERE slot / level * level >= quarter_of(${moment}) GROUP BY 1, 2, 3, 4, 5
    ), kept AS (
      SELECT ${SUMS}, sum(units) AS units, sum(usd) AS usd, sum(count) AS count FROM (
        SELECT ${SUMS}, units, usd, count FROM rollups
        UNION ALL
        SELECT kind, level, project_id, slot / level * level, asset_id, units, usd, count
        FROM rollup_changes CROSS JOIN unnest(ARRAY[${LEVELS.join(', ')}]) AS level
      ) AS part WHERE slot >= quarter_of(${moment}) GROUP BY ${SUMS}
    )
    SELECT 'rollups ' || concat_ws(' ', kind, 'level', level, 'project', project_id, 'slot', slot, 'asset', asset_id) AS subject,
      concat_ws(' ', coalesce(kept.count, 0), coalesce(kept.usd, 0), coalesce(kept.units, 0)) AS kept,
      concat_ws(' ', coalesce(expected.count, 0), coalesce(expected.usd, 0), coalesce(expected.units, 0)) AS expected
    FROM kept FULL JOIN expected USING (${SUMS})
    WHERE (coalesce(kept.count, 0), coalesce(kept.usd, 0), coalesce(kept.units, 0))
      <> (coalesce(expected.count, 0), coalesce(expected.usd, 0), coalesce(expected.units, 0))`
}

/** A moment before anything that can be counted. */
const BEGINNING = "'1970-01-01T00:00:00Z'::timestamptz"

/** Yesterday's first moment. */
const NEWEST_DAY = "(date_trunc('day', now() AT TIME ZONE 'UTC') - interval '1 day') AT TIME ZONE 'UTC'"

/** The first day of the cell of times to finality that a day is in. */
const FIRST_DAY = "'1970-01-01'::date + (day - '1970-01-01'::date) / level * level"

const DAY_LEVELS = `unnest(ARRAY[${FINALITY_LEVELS.join(', ')}]) AS level`

/** Compares every figure with the rows it is computed from. */
export const COMPARISONS: readonly Comparison[] = [
  {
    rule: 'What a deposit counts for is what it adds to its payment at the price of the quote.',
    sql: `SELECT 'deposit ' || id AS subject, coalesce(counted_usd::text, 'nothing') AS kept, expected::text AS expected
      FROM (${VALUED}) AS valued WHERE counted_usd IS DISTINCT FROM expected`,
  },
  {
    rule: 'The deposits of a payment add up to its filled amount.',
    sql: `SELECT 'payment ' || payment_id AS subject, sum(counted_usd)::text AS kept, max(filled_usd)::text AS expected
      FROM (${VALUED}) AS valued GROUP BY payment_id HAVING sum(counted_usd) IS DISTINCT FROM max(filled_usd)`,
  },
  {
    rule: 'A customer paid first when its first counted deposit was mined, and asked first when its first payment was created.',
    sql: `
      SELECT 'customer ' || customer.id AS subject,
        concat_ws(' ', coalesce(customer.first_final_at::text, 'never'), coalesce(customer.first_payment_at::text, 'never')) AS kept,
        concat_ws(' ', coalesce(paid.at::text, 'never'), coalesce(asked.at::text, 'never')) AS expected
      FROM customers AS customer
      LEFT JOIN (SELECT customer_id, min(block_time) AS at FROM deposits
        WHERE status = 'applied' AND counted_usd IS NOT NULL GROUP BY 1) AS paid ON paid.customer_id = customer.id
      LEFT JOIN (SELECT customer_id, min(created_at) AS at FROM payments GROUP BY 1) AS asked ON asked.customer_id = customer.id
      WHERE customer.first_final_at IS DISTINCT FROM paid.at OR customer.first_payment_at IS DISTINCT FROM asked.at`,
  },
  { rule: 'Every cell of the roll-ups is the sum of what happened in it.', sql: cellsSince(BEGINNING) },
  {
    rule: 'Times to finality are those of the counted deposits.',
    sql: `
      WITH fact AS MATERIALIZED (
        SELECT deposit.project_id, (deposit.block_time AT TIME ZONE 'UTC')::date AS day, deposit.blockchain_id,
          finality_bucket(extract(epoch FROM deposit.final_at - payment.created_at)) AS bucket, count(*) AS count
        FROM deposits AS deposit JOIN payments AS payment ON payment.id = deposit.payment_id
        WHERE deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL AND deposit.final_at IS NOT NULL GROUP BY 1, 2, 3, 4
      ), expected AS (
        SELECT project_id, level, ${FIRST_DAY} AS day, blockchain_id, bucket, sum(count) AS count
        FROM fact CROSS JOIN ${DAY_LEVELS} GROUP BY 1, 2, 3, 4, 5
      ), kept AS (
        SELECT project_id, level, day, blockchain_id, bucket, sum(count) AS count FROM (
          SELECT project_id, level, day, blockchain_id, bucket, count FROM finality_times
          UNION ALL SELECT project_id, level, ${FIRST_DAY}, blockchain_id, bucket, count
          FROM finality_time_changes CROSS JOIN ${DAY_LEVELS}
        ) AS part GROUP BY 1, 2, 3, 4, 5
      )
      SELECT 'finality_times ' || concat_ws(' ', 'project', project_id, 'level', level, day, 'blockchain', blockchain_id,
        'bucket', bucket) AS subject, coalesce(kept.count, 0)::text AS kept, coalesce(expected.count, 0)::text AS expected
      FROM kept FULL JOIN expected USING (project_id, level, day, blockchain_id, bucket)
      WHERE coalesce(kept.count, 0) <> coalesce(expected.count, 0)`,
  },
  {
    rule: 'The coins of a project in a wallet equal the balance of the addresses of its customers.',
    sql: `
      WITH expected AS (
        -- Joined, not looked up one by one: there are millions of accounts.
        SELECT coalesce(address.project_id, 0) AS project_id, coalesce(address.wallet_id, 0) AS wallet_id, account.unit_id,
          sum(account.debits - account.credits) AS units
        FROM accounts AS account LEFT JOIN addresses AS address ON 'address:' || address.id = account.owner_key
        WHERE account.kind = 'chain:deposit-addresses' GROUP BY 1, 2, 3
      ), kept AS (
        SELECT project_id, wallet_id, unit_id, sum(units) AS units FROM (
          SELECT project_id, wallet_id, unit_id, units FROM coin_totals
          UNION ALL SELECT coalesce(address.project_id, 0), coalesce(address.wallet_id, 0), account.unit_id, change.units
          FROM coin_changes AS change JOIN accounts AS account ON account.id = change.account_id
          LEFT JOIN addresses AS address ON 'address:' || address.id = account.owner_key
        ) AS part GROUP BY 1, 2, 3
      )
      SELECT 'coin_totals ' || concat_ws(' ', 'project', project_id, 'wallet', wallet_id, 'unit', unit_id) AS subject,
        coalesce(kept.units, 0)::text AS kept, coalesce(expected.units, 0)::text AS expected
      FROM kept FULL JOIN expected USING (project_id, wallet_id, unit_id)
      WHERE coalesce(kept.units, 0) <> coalesce(expected.units, 0)`,
  },
  {
    rule: 'The counted units of a project are what its deposits brought to its balance in the ledger.',
    sql: `
      WITH expected AS (
        -- By what deposits posted: payouts and refunds take from the same balance, and a loss repays what a refund took.
        SELECT substr(account.owner_key, 9)::int AS project_id, account.unit_id AS asset_id, sum(line.units) AS units
        FROM accounts AS account JOIN (
          SELECT entry_id, credit_account AS account_id, units FROM postings
          UNION ALL SELECT entry_id, debit_account, -units FROM postings
        ) AS line ON line.account_id = account.id
        JOIN journal_entries AS entry ON entry.id = line.entry_id
        WHERE account.kind = 'project:balance' AND entry.posting LIKE 'deposit.%' AND entry.posting NOT LIKE 'deposit.loss%'
        GROUP BY 1, 2
      ), kept AS (
        SELECT project_id, asset_id, sum(units) AS units FROM (
          SELECT project_id, asset_id, units FROM rollups WHERE kind = 'paid' AND level = 1
          UNION ALL SELECT project_id, asset_id, units FROM rollup_changes WHERE kind = 'paid'
        ) AS part GROUP BY 1, 2
      )
      SELECT 'balance of project ' || project_id || ' in asset ' || asset_id AS subject,
        coalesce(kept.units, 0)::text AS kept, coalesce(expected.units, 0)::text AS expected
      FROM kept FULL JOIN expected USING (project_id, asset_id)
      WHERE coalesce(kept.units, 0) <> coalesce(expected.units, 0)`,
  },
]

/** Violations of a cell of the newest day, for the hourly check of the ledger. */
export const NEWEST_CELLS = cellsSince(NEWEST_DAY)

/** Lists rows that differ, at most so many. */
export async function listDifferences(ctx: Context, comparison: Comparison, limit: number): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    SELECT * FROM (${sql.raw(comparison.sql)}) AS difference ORDER BY subject LIMIT ${limit}`.execute(ctx.db)
  return rows
}
