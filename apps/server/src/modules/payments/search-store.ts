import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { PageRequest } from '../../http/paging.ts'
import type { SearchFilter, Sort, Span, StateFilter } from './search-rules.ts'
import type { PaymentReads, PaymentTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

/** Up to here a search counts its matches; beyond, the planner's guess must do (api.md 1.5). */
export const EXACT_COUNT = 10_000

export type FoundPayment = Awaited<ReturnType<typeof listFound>>[number]

/** The columns a search is sorted by, never null, and the type their cursors are read as. */
const SORT_COLUMNS: Readonly<Record<Sort, { column: RawBuilder<unknown>; type: string }>> = {
  created_at: { column: sql`payment.created_at`, type: 'timestamptz' },
  updated_at: { column: sql`payment.updated_at`, type: 'timestamptz' },
  project_name: { column: sql`project.name`, type: 'text' },
  block_id: { column: sql`coalesce(deposit.height, 0)`, type: 'bigint' },
  reference_id: { column: sql`payment.reference_id`, type: 'uuid' },
  from_address: { column: sql`coalesce(deposit.from_address, '')`, type: 'text' },
  to_address: { column: sql`coalesce(address.address, '')`, type: 'text' },
  payment_status: { column: sql`payment.status`, type: 'text' },
  currency: { column: sql`coalesce(asset.currency_code, '')`, type: 'text' },
  network: { column: sql`coalesce(chain.code, '')`, type: 'text' },
  invoice_id: { column: sql`payment.invoice_id`, type: 'text' },
  customer_id: { column: sql`customer.customer_id`, type: 'text' },
  email: { column: sql`customer.email`, type: 'text' },
  amount_in_usd: { column: sql`payment.amount_usd`, type: 'numeric' },
  created_by: { column: sql`payment.created_by`, type: 'text' },
}

/** Lists a page of matches in reading order, one row more than it holds, with the key each is sorted by. */
export async function listFound(ctx: Context, filter: SearchFilter, page: PageRequest<Sort>) {
  const { column, type } = SORT_COLUMNS[page.sort]
  const ascending = page.isAscending !== (page.from?.isBackwards ?? false)
  const direction = ascending ? 'asc' : 'desc'
  let query = rowsOf(ctx, filter).select(sql<string>`${column}::text`.as('sortKey'))
  if (page.from) {
    const beyond = sql.raw(ascending ? '>' : '<')
    const { key, id } = page.from
    query = query.where(sql<boolean>`(${column}, payment.id) ${beyond} (${key}::${sql.raw(type)}, ${id}::bigint)`)
  }
  return query
    .orderBy(column, direction)
    .orderBy('payment.id', direction)
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** The matches with what their rows show: payment, project, customer, asset and newest transfer. */
function rowsOf(ctx: Context, filter: SearchFilter) {
  return matching(ctx, filter)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('deposits as arrived')
          .select(['tx_id', 'from_address', 'height', 'block_time'])
          .whereRef('arrived.payment_id', '=', 'payment.id')
          .where('arrived.status', '<>', 'reverted')
          .orderBy('arrived.id', 'desc')
          .limit(1)
          .as('deposit'),
      (join) => join.onTrue(),
    )
    .select([
      'payment.id',
      'payment.reference_id',
      'payment.project_id',
      'payment.status',
      'payment.funding_state',
      'payment.cancel_reason',
      'payment.late',
      'payment.created_at',
      'payment.updated_at',
      'payment.invoice_id',
      'payment.amount_usd',
      'payment.due_units',
      'payment.filled_units',
      'payment.filled_usd',
      'payment.created_by',
      'project.name as project_name',
      'customer.customer_id as merchant_customer_id',
      'customer.email',
      'asset.currency_code',
      'asset.decimals',
      'chain.code as blockchain_code',
      'address.address as to_address',
      'deposit.tx_id',
      'deposit.from_address',
      'deposit.height',
      'deposit.block_time',
      webhookStatus.as('webhook_status'),
    ])
}

/** Counts the matches, exactly up to `EXACT_COUNT`, beyond it as the planner guesses. */
export async function countFound(ctx: Context, filter: SearchFilter): Promise<{ count: number; isEstimate: boolean }> {
  const ids = matching(ctx, filter).select('payment.id')
  const row = await ctx.db
    .selectFrom(ids.limit(EXACT_COUNT + 1).as('found'))
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  if (row.count <= EXACT_COUNT) return { count: Number(row.count), isEstimate: false }
  const plans = await ids.explain<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>('json')
  const guess = plans[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? EXACT_COUNT
  return { count: Math.max(guess, EXACT_COUNT + 1), isEstimate: true }
}

/** Counts payments by state. */
export async function countByStatus(
  ctx: Context,
  { projectIds, created }: { projectIds: readonly number[] | 'every'; created: Span },
): Promise<ReadonlyMap<string, number>> {
  let query = tables(ctx)
    .selectFrom('payments')
    .select((eb) => ['status', eb.fn.countAll<bigint>().as('count')])
    .groupBy('status')
  if (projectIds !== 'every') query = query.where('project_id', 'in', orNone(projectIds))
  if (created.from) query = query.where('created_at', '>=', created.from)
  if (created.to) query = query.where('created_at', '<=', created.to)
  return new Map((await query.execute()).map(({ status, count }) => [status, Number(count)]))
}

/** The worst that became of telling the newest event (api.md 6.4). */
const webhookStatus = sql<string | null>`(
  SELECT delivery.status FROM deliveries AS delivery
  WHERE delivery.reference_id = payment.reference_id AND delivery.sequence = (
    SELECT max(newest.sequence) FROM deliveries AS newest WHERE newest.reference_id = payment.reference_id)
  ORDER BY array_position(
    ARRAY['failed', 'waiting_for_approval', 'pending', 'discarded', 'received'], delivery.status)
  LIMIT 1)`

function matching(ctx: Context, filter: SearchFilter) {
  let query = joined(ctx)
  if (filter.projectIds !== 'every') query = query.where('payment.project_id', 'in', orNone(filter.projectIds))
  if (filter.customerId) query = query.where('customer.customer_id', '=', filter.customerId)
  if (filter.currencies.length > 0) query = query.where('asset.currency_code', 'in', filter.currencies)
  if (filter.networks.length > 0) query = query.where('chain.code', 'in', filter.networks)
  if (filter.createdBy.length > 0) query = query.where(sql`payment.created_by`, 'in', filter.createdBy)
  if (filter.webhookStatuses.length > 0) query = query.where(webhookStatus, 'in', filter.webhookStatuses)
  if (filter.created.from) query = query.where('payment.created_at', '>=', filter.created.from)
  if (filter.created.to) query = query.where('payment.created_at', '<=', filter.created.to)
  if (filter.updated.from) query = query.where('payment.updated_at', '>=', filter.updated.from)
  if (filter.updated.to) query = query.where('payment.updated_at', '<=', filter.updated.to)
  if (filter.amountMin) query = query.where(sql<boolean>`payment.amount_usd >= ${filter.amountMin}::numeric`)
  if (filter.amountMax) query = query.where(sql<boolean>`payment.amount_usd <= ${filter.amountMax}::numeric`)
  if (filter.aboveId !== undefined) query = query.where('payment.id', '>', BigInt(filter.aboveId))
  if (filter.belowId !== undefined) query = query.where('payment.id', '<', BigInt(filter.belowId))
  if (filter.states.length > 0) query = query.where(anyOf(filter.states.map(stateCondition)))
  if (filter.term) query = query.where(termCondition(filter.term))
  return query
}

function joined(ctx: Context) {
  return tables(ctx)
    .selectFrom('payments as payment')
    .innerJoin('projects as project', 'project.id', 'payment.project_id')
    .innerJoin('customers as customer', 'customer.id', 'payment.customer_id')
    .leftJoin('assets as asset', 'asset.id', 'payment.asset_id')
    .leftJoin('blockchains as chain', 'chain.id', 'asset.blockchain_id')
    .leftJoin('quotes as quote', 'quote.id', 'payment.quote_id')
    .leftJoin('addresses as address', 'address.id', 'quote.address_id')
}

function stateCondition({ status, cancelReason, funding, hasMoney, isLate }: StateFilter): RawBuilder<boolean> {
  const conditions = [
    ...(status ? [sql<boolean>`payment.status = ${status}`] : []),
    ...(cancelReason ? [sql<boolean>`payment.cancel_reason = ${cancelReason}`] : []),
    ...(funding ? [sql<boolean>`payment.funding_state = ANY (${funding}::text[])`] : []),
    ...(hasMoney ? [sql<boolean>`payment.seen_units > 0`] : []),
    ...(isLate ? [sql<boolean>`payment.late`] : []),
  ]
  return sql`(${sql.join(conditions, sql` AND `)})`
}

function termCondition({ kind, value }: NonNullable<SearchFilter['term']>): RawBuilder<boolean> {
  if (kind === 'reference') return sql`payment.reference_id = ${value}::uuid`
  const deposits = (condition: RawBuilder<unknown>) =>
    sql<boolean>`EXISTS (SELECT FROM deposits AS one WHERE one.payment_id = payment.id AND ${condition})`
  if (kind === 'transaction') return deposits(sql`one.tx_id = ${value}`)
  if (kind === 'address') {
    return anyOf([sql`lower(address.address) = ${value}`, deposits(sql`lower(one.from_address) = ${value}`)])
  }
  const start = `${value.replace(/[\\%_]/g, '\\$&')}%`
  return anyOf([
    sql`lower(customer.email) LIKE ${start}`,
    sql`lower(customer.customer_id) LIKE ${start}`,
    sql`lower(payment.invoice_id) LIKE ${start}`,
    sql`payment.reference_id::text LIKE ${start}`,
  ])
}

function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`(${sql.join(conditions, sql` OR `)})`
}

/** No project at all must match nothing, not everything. */
function orNone(ids: readonly number[]): readonly number[] {
  return ids.length > 0 ? ids : [0]
}
