import type { ChangeCustomer } from '@kassa/contract/customers/schemas.ts'
import { type Selectable, sql } from 'kysely'

import type { Context } from '../../context.ts'
import { keysetOf } from '../../db/lists/keyset.ts'
import { recordset } from '../../db/recordset.ts'
import { takeAlone, together } from '../../db/round-trips/together.ts'
import type { PageRequest } from '../../paging/paging.ts'
import type { CustomerReads, CustomerTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<CustomerTables & CustomerReads>()

export type Customer = Selectable<CustomerTables['customers']>

export type CustomerFilter = {
  readonly projectIds: readonly number[] | 'every'
  /** Start of an e-mail address, a name or a customer id. */
  readonly query?: string
  readonly email?: string
  readonly customerId?: string
}

/** Inserts a customer; undefined when the project knows this customer id already. */
export function insertCustomer(
  ctx: Context,
  values: { projectId: number; customerId: string; email: string; name: string },
): Promise<Customer | undefined> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('customers')
    .values({
      project_id: values.projectId,
      customer_id: values.customerId,
      email: values.email,
      name: values.name,
      state: 'active',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'customer_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** A customer that was found, or just created. */
export type EnsuredCustomer = Customer & { readonly is_new: boolean }

/** Whom a payment is made for. */
type Wanted = { readonly projectId: number; readonly customerId: string; readonly email: string }

/**
 * Finds a customer by the merchant's own id and locks it until the transaction ends, or inserts it with the time of its first
 * payment. Undefined when another transaction inserted it meanwhile: the next call finds it.
 */
export const lockOrInsertCustomer = together(lockOrInsertCustomers)

/** One row is looked up for each that is asked for, however many customers there are. */
async function lockOrInsertCustomers(
  ctx: Context,
  wanted: readonly Wanted[],
): Promise<(EnsuredCustomer | undefined)[]> {
  for (const { projectId, customerId } of wanted) takeAlone(ctx, `customer ${nameOf(projectId, customerId)}`)
  const now = ctx.now()
  const asked = wanted.map(({ projectId, customerId, email }) => ({
    ...{ project_id: projectId, customer_id: customerId, email },
    ...{ first_payment_at: now, created_at: now, updated_at: now },
  }))
  const { rows } = await sql<EnsuredCustomer>`
    WITH asked AS MATERIALIZED (SELECT * FROM ${recordset('customers', asked)} ORDER BY project_id, customer_id),
    known AS (
      SELECT one.* FROM asked CROSS JOIN LATERAL (
        SELECT * FROM customers WHERE project_id = asked.project_id AND customer_id = asked.customer_id FOR NO KEY UPDATE
      ) AS one
    ), made AS (
      INSERT INTO customers (project_id, customer_id, email, first_payment_at, created_at, updated_at)
      SELECT project_id, customer_id, email, first_payment_at, created_at, updated_at FROM asked
      WHERE NOT EXISTS (
        SELECT FROM known WHERE known.project_id = asked.project_id AND known.customer_id = asked.customer_id)
      ON CONFLICT (project_id, customer_id) DO NOTHING RETURNING *
    )
    SELECT *, false AS is_new FROM known UNION ALL SELECT *, true FROM made`.execute(ctx.db)
  const found = new Map(rows.map((row) => [nameOf(row.project_id, row.customer_id), row]))
  return wanted.map(({ projectId, customerId }) => found.get(nameOf(projectId, customerId)))
}

function nameOf(projectId: number, customerId: string): string {
  return `${projectId} ${customerId}`
}

/** Inserts a customer that is named after our own id, `c_7`; undefined when the project has a customer of that name. */
export async function insertNumberedCustomer(
  ctx: Context,
  { projectId, email, name }: { projectId: number; email: string; name: string },
): Promise<Customer | undefined> {
  const { rows } = await sql<Customer>`
    INSERT INTO customers (id, project_id, customer_id, email, name, created_at, updated_at) OVERRIDING SYSTEM VALUE
    SELECT next, ${projectId}, 'c_' || next, ${email}, ${name}, ${ctx.now()}, ${ctx.now()}
    FROM (SELECT nextval(pg_get_serial_sequence('customers', 'id'))::int AS next) AS number
    ON CONFLICT (project_id, customer_id) DO NOTHING
    RETURNING *`.execute(ctx.db)
  return rows[0]
}

/**
 * Locks customers until the transaction ends, so that no other transaction matches or moves money of theirs. The row locks follow the
 * order of ids, so that two transactions cannot deadlock, and there is no limit to their number.
 */
export async function lockCustomerRows(ctx: Context, ids: readonly number[]): Promise<void> {
  await sql`SELECT FROM customers WHERE id = ANY(${ids}::int[]) ORDER BY id FOR NO KEY UPDATE`.execute(ctx.db)
}

/** Gives a customer another e-mail address. */
export async function updateEmail(ctx: Context, id: number, email: string): Promise<Customer> {
  return tables(ctx)
    .updateTable('customers')
    .set({ email, updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes the named columns of a customer. */
export async function updateCustomer(
  ctx: Context,
  id: number,
  { name, email, group, state }: ChangeCustomer,
): Promise<Customer> {
  const changed = Object.entries({ name, email, group_name: group, state }).filter(([, value]) => value !== undefined)
  return tables(ctx)
    .updateTable('customers')
    .set({ ...Object.fromEntries(changed), updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds a customer by our id. */
export function findCustomer(ctx: Context, id: number): Promise<Customer | undefined> {
  return tables(ctx).selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a customer by the merchant's own id. */
export function findByMerchantId(ctx: Context, projectId: number, customerId: string): Promise<Customer | undefined> {
  return tables(ctx)
    .selectFrom('customers')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
}

/** Lists a page of customers by creation, one row more than the page holds, with the key they are sorted by. */
export async function listCustomers(
  ctx: Context,
  filter: CustomerFilter,
  page: PageRequest<'created_at'>,
): Promise<(Customer & { sortKey: string })[]> {
  const { beyond, direction } = keysetOf(page, { column: sql`created_at`, type: 'timestamptz', id: sql`id` })
  return select(ctx, filter)
    .selectAll()
    .select(sql<string>`created_at::text`.as('sortKey'))
    .where(beyond)
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Counts the customers a filter matches. */
export async function countCustomers(ctx: Context, filter: CustomerFilter): Promise<number> {
  const row = await select(ctx, filter)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

function select(ctx: Context, { projectIds, query, email, customerId }: CustomerFilter) {
  let selection = tables(ctx).selectFrom('customers')
  if (projectIds !== 'every') selection = selection.where('project_id', 'in', projectIds.length > 0 ? projectIds : [0])
  if (email) selection = selection.where(sql`lower(email)`, '=', email.toLowerCase())
  if (customerId) selection = selection.where('customer_id', '=', customerId)
  if (query) {
    const start = `${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    selection = selection.where((eb) =>
      eb.or([
        eb(sql`lower(email)`, 'like', start),
        eb(sql`lower(name)`, 'like', start),
        eb(sql`lower(customer_id)`, 'like', start),
      ]),
    )
  }
  return selection
}

export type CustomerTotals = {
  readonly paymentCount: number
  /** US dollars at the locked rates, exact. */
  readonly paidUsd: string
  readonly unapplied: readonly {
    readonly currencyCode: string
    readonly blockchainCode: string
    readonly units: bigint
    readonly decimals: number
  }[]
}

/** Sums up the payments and unapplied deposits of a customer. */
export async function findTotals(ctx: Context, id: number): Promise<CustomerTotals> {
  const payments = await tables(ctx)
    .selectFrom('payments')
    .select((eb) => [eb.fn.countAll<bigint>().as('count'), sql<string>`coalesce(sum(filled_usd), 0)`.as('paid')])
    .where('customer_id', '=', id)
    .executeTakeFirstOrThrow()
  const unapplied = await tables(ctx)
    .selectFrom('deposits')
    .innerJoin('assets', 'assets.id', 'deposits.asset_id')
    .innerJoin('blockchains', 'blockchains.id', 'assets.blockchain_id')
    .select(['currency_code', 'code', 'decimals', sql<string>`sum(units)`.as('units')])
    .where('customer_id', '=', id)
    .where('deposits.status', '=', 'unapplied')
    .groupBy(['assets.id', 'currency_code', 'code', 'decimals'])
    .orderBy('assets.id')
    .execute()
  return {
    paymentCount: Number(payments.count),
    paidUsd: payments.paid,
    unapplied: unapplied.map((row) => ({
      currencyCode: row.currency_code,
      blockchainCode: row.code,
      units: BigInt(row.units),
      decimals: row.decimals,
    })),
  }
}
