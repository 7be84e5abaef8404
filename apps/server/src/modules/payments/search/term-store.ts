import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { beginsWith } from '../../../db/lists/begins-with.ts'
import { EXACT_COUNT, type SearchFilter, type Term } from './rules.ts'

/**
 * Lists the payments a search term stands for, through the index of each place it is looked for in; null when they are too many
 * to list, so that a scan of the newest payments finds some soon. Places are searched one after another: a term that matches
 * too much in the first place is not searched in the others.
 */
export async function listCandidates(
  ctx: Context,
  { term, projectIds }: Pick<SearchFilter, 'term' | 'projectIds'>,
): Promise<bigint[] | null> {
  if (!term) return null
  const scope: InScope = (column) => (projectIds === 'every' ? sql`true` : sql`${column} = ANY (${projectIds}::int[])`)
  const candidates = new Set<string>()
  for (const place of placesOf(term, scope)) {
    const { rows } = await sql<{ ids: string | null; found: number }>`
      SELECT count(*)::int AS found, CASE WHEN count(*) <= ${EXACT_COUNT} THEN string_agg(id::text, ' ') END AS ids
      FROM (${place} LIMIT ${EXACT_COUNT + 1}) AS place`.execute(ctx.db)
    for (const id of rows[0]?.ids?.split(' ') ?? []) candidates.add(id)
    if ((rows[0]?.found ?? 0) > EXACT_COUNT || candidates.size > EXACT_COUNT) return null
  }
  return [...candidates].map(BigInt)
}

/** The condition that a payment is one of the candidates, or that the term stands in one of its places. */
export function termCondition(term: Term, candidates: readonly bigint[] | null): RawBuilder<boolean> {
  if (candidates !== null) return sql`payment.id = ANY (${candidates.map(String)}::bigint[])`
  const start = term.value
  return sql`(
    ${beginsWith(sql`lower(payment.invoice_id)`, start)} OR EXISTS (
      SELECT FROM customers AS customer WHERE customer.id = payment.customer_id
        AND (${beginsWith(sql`lower(customer.email)`, start)} OR ${beginsWith(sql`lower(customer.customer_id)`, start)})
      -- One by one: planned as a whole, all customers that match would be read before the first payment.
      OFFSET 0)
    ${between(term.value, (from, to) => sql` OR payment.reference_id BETWEEN ${from} AND ${to}`)})`
}

/** The condition that a row belongs to the projects that are searched, by the column that names its project. */
type InScope = (column: RawBuilder<unknown>) => RawBuilder<boolean>

function placesOf(term: Term, scope: InScope): RawBuilder<unknown>[] {
  const { value } = term
  const inScope = scope(sql`payment.project_id`)
  if (term.kind === 'reference')
    return [sql`SELECT payment.id FROM payments AS payment WHERE payment.reference_id = ${value}::uuid AND ${inScope}`]
  if (term.kind === 'transaction') return [ofDeposits(sql`deposit.tx_id = ANY (${term.spellings}::text[])`, inScope)]
  if (term.kind === 'address')
    return [
      ofDeposits(sql`deposit.from_address = ANY (${term.spellings}::text[])`, inScope),
      ofReceiver(term.spellings, inScope),
    ]
  return [
    sql`SELECT payment.id FROM payments AS payment
      WHERE payment.invoice_id <> '' AND ${beginsWith(sql`lower(payment.invoice_id)`, value)} AND ${inScope}`,
    ofCustomers(beginsWith(sql`lower(customer.email)`, value), scope),
    ofCustomers(beginsWith(sql`lower(customer.customer_id)`, value), scope),
    ...[
      between(
        value,
        (from, to) => sql`
      SELECT payment.id FROM payments AS payment WHERE payment.reference_id BETWEEN ${from} AND ${to} AND ${inScope}`,
      ),
    ].filter(isThere),
  ]
}

function ofDeposits(condition: RawBuilder<unknown>, inScope: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`SELECT payment.id FROM deposits AS deposit JOIN payments AS payment ON payment.id = deposit.payment_id
    WHERE ${condition} AND ${inScope}`
}

/** The payments of these customers. A customer's payments all belong to its project, so the index of customers alone answers. */
function ofCustomers(condition: RawBuilder<unknown>, scope: InScope): RawBuilder<unknown> {
  return sql`SELECT payment.id FROM customers AS customer JOIN payments AS payment ON payment.customer_id = customer.id
    WHERE ${condition} AND ${scope(sql`customer.project_id`)}`
}

/** Payments whose quote names the address they are paid to. */
function ofReceiver(spellings: readonly string[], inScope: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`SELECT payment.id FROM addresses AS address
    JOIN payments AS payment ON payment.customer_id = address.customer_id
    JOIN quotes AS quote ON quote.id = payment.quote_id AND quote.address_id = address.id
    WHERE address.address = ANY (${spellings}::text[]) AND ${inScope}`
}

const NONE = sql``
const LOWEST = '00000000-0000-0000-0000-000000000000'

/** What to do with the references that begin with a text, where it can be the beginning of one. */
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
