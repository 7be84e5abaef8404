import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { EXACT_COUNT, type SearchFilter, type Term } from './rules.ts'

/**
 * The payments a search term stands for, through the index of each place it is looked for in; null when there are too
 * many to name, so that going through the newest ones finds some soon.
 */
export async function listCandidates(ctx: Context, { term, projectIds }: SearchFilter): Promise<bigint[] | null> {
  if (!term) return null
  const inScope = projectIds === 'every' ? sql`true` : sql`payment.project_id = ANY (${projectIds}::int[])`
  const places = placesOf(term).map((place) => sql`(${place} AND ${inScope} LIMIT ${EXACT_COUNT + 1})`)
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM (${sql.join(places, sql` UNION `)}) AS found LIMIT ${EXACT_COUNT + 1}`.execute(ctx.db)
  return rows.length > EXACT_COUNT ? null : rows.map(({ id }) => id)
}

/** The condition that a payment is one of the candidates, or that the term stands in one of its places. */
export function termCondition(term: Term, candidates: readonly bigint[] | null): RawBuilder<boolean> {
  if (candidates !== null) return sql`payment.id = ANY (${candidates.map(String)}::bigint[])`
  const start = startOf(term.value)
  return sql`(
    lower(payment.invoice_id) LIKE ${start} OR EXISTS (
      SELECT FROM customers AS customer WHERE customer.id = payment.customer_id
        AND (lower(customer.email) LIKE ${start} OR lower(customer.customer_id) LIKE ${start}))
    ${between(term.value, (from, to) => sql` OR payment.reference_id BETWEEN ${from} AND ${to}`)})`
}

function placesOf(term: Term): RawBuilder<unknown>[] {
  const { value } = term
  if (term.kind === 'reference')
    return [sql`SELECT payment.id FROM payments AS payment WHERE payment.reference_id = ${value}::uuid`]
  if (term.kind === 'transaction') return [ofDeposits(sql`deposit.tx_id = ANY (${term.spellings}::text[])`)]
  if (term.kind === 'address')
    return [ofDeposits(sql`deposit.from_address = ANY (${term.spellings}::text[])`), ofReceiver(term.spellings)]
  const start = startOf(value)
  return [
    sql`SELECT payment.id FROM payments AS payment
      WHERE payment.invoice_id <> '' AND lower(payment.invoice_id) LIKE ${start}`,
    ofCustomers(sql`lower(customer.email) LIKE ${start}`),
    ofCustomers(sql`lower(customer.customer_id) LIKE ${start}`),
    ...[
      between(
        value,
        (from, to) => sql`
      SELECT payment.id FROM payments AS payment WHERE payment.reference_id BETWEEN ${from} AND ${to}`,
      ),
    ].filter(isThere),
  ]
}

function ofDeposits(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT payment.id FROM deposits AS deposit JOIN payments AS payment ON payment.id = deposit.payment_id
    WHERE ${condition}`
}

function ofCustomers(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT payment.id FROM customers AS customer JOIN payments AS payment ON payment.customer_id = customer.id
    WHERE ${condition}`
}

/** Payments whose quote names the address they are paid to. */
function ofReceiver(spellings: readonly string[]): RawBuilder<unknown> {
  return sql`SELECT payment.id FROM addresses AS address
    JOIN payments AS payment ON payment.customer_id = address.customer_id
    JOIN quotes AS quote ON quote.id = payment.quote_id AND quote.address_id = address.id
    WHERE address.address = ANY (${spellings}::text[])`
}

function startOf(value: string): string {
  return `${value.replace(/[\\%_]/g, '\\$&')}%`
}

const NONE = sql``
const LOWEST = '00000000-0000-0000-0000-000000000000'

/** What to do with the references that begin with a text, when it can be the beginning of one. */
function between(
  value: string,
  use: (from: RawBuilder<unknown>, to: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const shape = LOWEST.slice(0, value.length).replaceAll('0', '[0-9a-f]')
  if (value.length > LOWEST.length || !new RegExp(`^${shape}$`).test(value)) return NONE
  const rest = LOWEST.slice(value.length)
  return use(sql`${value + rest}::uuid`, sql`${value + rest.replaceAll('0', 'f')}::uuid`)
}

function isThere(part: RawBuilder<unknown>): boolean {
  return part !== NONE
}
