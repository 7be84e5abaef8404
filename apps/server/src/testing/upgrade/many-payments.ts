/** A long past for a database of any version: its own paid payments, many times over. */
import pg from 'pg'

/** Payments per customer: most come back. */
const PER_CUSTOMER = 5

/**
 * Copies one paid payment with its quote, deposits and customer, whatever columns they have, over the last 400 days. Journal
 * entries are not copied: figures are made of deposits and payments.
 */
export async function copyPayments(connectionString: string, payments: number): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('SET session_replication_role = replica')
    await client.query(`
      CREATE TEMP TABLE model AS SELECT payment.id AS payment, payment.quote_id AS quote, payment.customer_id AS customer
      FROM payments AS payment JOIN deposits AS deposit ON deposit.payment_id = payment.id AND deposit.status = 'applied'
      WHERE payment.status = 'FILLED' ORDER BY payment.id LIMIT 1`)
    await client.query(`
      CREATE TEMP TABLE copy AS SELECT n, n % ${Math.ceil(payments / PER_CUSTOMER)} AS customer,
        now() - n % 400 * interval '1 day' - interval '1 hour' AS at,
        (SELECT max(id) FROM payments) + n AS payment, (SELECT max(id) FROM quotes) + n AS quote
      FROM generate_series(1, ${payments}) AS n`)
    await copyRows(
      client,
      'customers',
      `'id', (SELECT max(id) FROM customers) + 1 + part.customer, 'customer_id', 'copy-' || part.customer, 'email', ''`,
      'row.id = model.customer',
      '(SELECT DISTINCT customer FROM copy)',
    )
    await copyRows(client, 'quotes', `'id', part.quote, 'payment_id', part.payment`, 'row.id = model.quote')
    const customer = `(SELECT id FROM customers WHERE customer_id = 'copy-' || part.customer)`
    await copyRows(
      client,
      'deposits',
      `'id', (SELECT max(id) FROM deposits) + part.n * (SELECT count(*) FROM deposits AS own, model WHERE own.payment_id = model.payment)
        + row_number() OVER (PARTITION BY part.n ORDER BY row.id),
      'payment_id', part.payment, 'customer_id', ${customer}, 'tx_id', '0x' || md5(part.n::text || row.id), 'block_time', part.at,
      'final_at', part.at + interval '1 minute'`,
      `row.payment_id = model.payment AND row.status = 'applied'`,
    )
    await copyRows(
      client,
      'payments',
      `'id', part.payment, 'quote_id', part.quote, 'customer_id', ${customer}, 'reference_id', gen_random_uuid(),
      'created_at', part.at - interval '10 minutes'`,
      'row.id = model.payment',
    )
    await client.query('ANALYZE')
  } finally {
    await client.end()
  }
}

/** Inserts rows that are like a row of the model except for some fields. */
async function copyRows(client: pg.Client, table: string, fields: string, like: string, parts = 'copy'): Promise<void> {
  await client.query(`
    INSERT INTO ${table} OVERRIDING SYSTEM VALUE
    SELECT (jsonb_populate_record(made.row, made.fields)).* FROM (
      SELECT row, jsonb_build_object(${fields}) AS fields FROM model CROSS JOIN ${parts} AS part JOIN ${table} AS row ON ${like}
    ) AS made`)
}
