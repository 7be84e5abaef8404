import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { directionOf, keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import {
  needsAttention,
  NEEDS_ATTENTION,
  NEWEST_DELIVERIES,
  ON_HOLD,
  paidButNotDelivered,
  type Scope,
} from '../payment/attention-store.ts'
import { ofAssets } from './count-store.ts'
import {
  EXACT_COUNT,
  EXACT_TERM_COUNT,
  isOrdered,
  type SearchFilter,
  type Sort,
  type Span,
  type StateFilter,
} from './rules.ts'
import { termCondition } from './term-store.ts'

/** What is searched: a filter with the payments its term stands for (`listCandidates`). */
export type Search = { readonly filter: SearchFilter; readonly candidates: readonly bigint[] | null }

/** A match with what its row shows: payment, project, customer, asset and newest transfer. */
export type FoundPayment = {
  readonly id: bigint
  readonly reference_id: string
  readonly project_id: number
  readonly status: PaymentState
  readonly funding_state: FundingState
  readonly cancel_reason: CancelReason | null
  readonly late: boolean
  readonly needs_attention: boolean
  readonly created_at: Date
  readonly updated_at: Date
  readonly invoice_id: string
  readonly amount_usd: string
  readonly due_units: string | null
  readonly filled_units: string
  readonly filled_usd: string
  readonly created_by: 'user' | 'system'
  readonly project_name: string
  readonly merchant_customer_id: string
  readonly email: string
  readonly currency_code: string | null
  readonly decimals: number | null
  readonly blockchain_code: string | null
  readonly to_address: string | null
  readonly tx_id: string | null
  readonly from_address: string | null
  readonly height: bigint | null
  readonly block_time: Date | null
  readonly webhook_status: string | null
  /** Counted deposits of the time asked for; null when none was asked for. */
  readonly paid_usd: string | null
}

const PROJECT = sql`JOIN projects AS project ON project.id = payment.project_id`
const CUSTOMER = sql`JOIN customers AS customer ON customer.id = payment.customer_id`
const ASSET = sql`LEFT JOIN assets AS asset ON asset.id = payment.asset_id
  LEFT JOIN blockchains AS chain ON chain.id = asset.blockchain_id`
const ADDRESS = sql`LEFT JOIN quotes AS quote ON quote.id = payment.quote_id
  LEFT JOIN addresses AS address ON address.id = quote.address_id`
const NEWEST_DEPOSIT = sql`LEFT JOIN LATERAL (
    SELECT arrived.tx_id, arrived.from_address, arrived.height, arrived.block_time FROM deposits AS arrived
    WHERE arrived.payment_id = payment.id AND arrived.status <> 'reverted' ORDER BY arrived.id DESC LIMIT 1
  ) AS deposit ON true`

type SortColumn = { readonly column: RawBuilder<unknown>; readonly type: string; readonly join?: RawBuilder<unknown> }

/** The columns a search is sorted by, never null, the type their cursors are read as, and where they stand. */
const SORT_COLUMNS: Readonly<Record<Sort, SortColumn>> = {
  created_at: { column: sql`payment.created_at`, type: 'timestamptz' },
  updated_at: { column: sql`payment.updated_at`, type: 'timestamptz' },
  project_name: { column: sql`project.name`, type: 'text', join: PROJECT },
  block_id: { column: sql`coalesce(deposit.height, 0)`, type: 'bigint', join: NEWEST_DEPOSIT },
  reference_id: { column: sql`payment.reference_id`, type: 'uuid' },
  from_address: { column: sql`coalesce(deposit.from_address, '')`, type: 'text', join: NEWEST_DEPOSIT },
  to_address: { column: sql`coalesce(address.address, '')`, type: 'text', join: ADDRESS },
  payment_status: { column: sql`payment.status`, type: 'text' },
  currency: { column: sql`coalesce(asset.currency_code, '')`, type: 'text', join: ASSET },
  network: { column: sql`coalesce(chain.code, '')`, type: 'text', join: ASSET },
  invoice_id: { column: sql`payment.invoice_id`, type: 'text' },
  customer_id: { column: sql`customer.customer_id`, type: 'text', join: CUSTOMER },
  email: { column: sql`customer.email`, type: 'text', join: CUSTOMER },
  amount_in_usd: { column: sql`payment.amount_usd`, type: 'numeric' },
  created_by: { column: sql`payment.created_by`, type: 'text' },
}

/** The worst delivery status of the newest event (api.md 6.4). */
const WEBHOOK_STATUS = sql`(
  SELECT delivery.status FROM ${NEWEST_DELIVERIES}
  ORDER BY array_position(
    ARRAY['failed', 'waiting_for_approval', 'pending', 'discarded', 'received'], delivery.status)
  LIMIT 1)`

type Page = Pick<PageRequest<Sort>, 'sort' | 'isAscending' | 'from' | 'limit' | 'offset'>

/**
 * Lists a page of matches in reading order, one row more than it holds, with the key each is sorted by. The page is found
 * first, and only its rows are filled in: what a row shows costs nothing for those it does not show.
 */
export async function listFound(
  ctx: Context,
  search: Search,
  page: Page,
): Promise<(FoundPayment & { readonly sortKey: string })[]> {
  const { column } = SORT_COLUMNS[page.sort]
  const direction = sql.raw(directionOf(page))
  const { rows } = await sql<FoundPayment & { sortKey: string }>`
    WITH page AS (${isMerged(search, page.sort) ? mergedPage(search, page) : pageOf(search, page)})
    SELECT payment.id, payment.reference_id, payment.project_id, ${paidUsd(search.filter)} AS paid_usd, payment.status, payment.funding_state,
      payment.cancel_reason, payment.late, payment.created_at, payment.updated_at, payment.invoice_id, payment.amount_usd,
      payment.due_units, payment.filled_units, payment.filled_usd, payment.created_by, project.name AS project_name,
      customer.customer_id AS merchant_customer_id, customer.email, asset.currency_code, asset.decimals,
      chain.code AS blockchain_code, address.address AS to_address, deposit.tx_id, deposit.from_address, deposit.height,
      deposit.block_time, ${WEBHOOK_STATUS} AS webhook_status, ${NEEDS_ATTENTION} AS needs_attention, page.key::text AS "sortKey"
    FROM page JOIN payments AS payment ON payment.id = page.id
    ${PROJECT} ${CUSTOMER} ${ASSET} ${ADDRESS} ${NEWEST_DEPOSIT}
    ORDER BY ${column} ${direction}, payment.id ${direction}`.execute(ctx.db)
  return rows
}

/** The ids of a page with what they are sorted by. */
function pageOf(search: Search, page: Page, scope?: Scope): RawBuilder<unknown> {
  const { column, type, join = sql`` } = SORT_COLUMNS[page.sort]
  const { beyond, end } = keysetOf(page, { column, type, id: sql`payment.id` })
  return sql`
    SELECT payment.id, ${column} AS key FROM payments AS payment ${join}
    WHERE ${conditionOf(search, { ...(scope && { scope }) })} AND ${beyond} ${end}`
}

/** Whether a page among several projects is found sooner by merging the first rows of each project. */
function isMerged({ filter }: Search, sort: Sort): boolean {
  const { projectIds, term, paid, customerId, states, currencies, networks } = filter
  // These have indexes across all projects; the other indexes begin with the project.
  if (term || paid || customerId || !isOrdered(sort)) return false
  if (projectIds !== 'every') return projectIds.length > 1
  const isNewest = sort === 'created_at' && states.length + currencies.length + networks.length === 0
  return !isNewest
}

/** The same, from as many rows of each project as the page could need. */
function mergedPage(search: Search, page: Page): RawBuilder<unknown> {
  const { projectIds } = search.filter
  const direction = sql.raw(directionOf(page))
  const ofEach = pageOf(search, { ...page, limit: page.limit + page.offset, offset: 0 }, (id) => sql`${id} = scope.id`)
  return sql`
    SELECT found.id, found.key
    FROM ${projectIds === 'every' ? sql`projects AS scope` : sql`unnest(${projectIds}::int[]) AS scope (id)`}
    CROSS JOIN LATERAL (${ofEach}) AS found
    ORDER BY found.key ${direction}, found.id ${direction} LIMIT ${page.limit + 1} OFFSET ${page.offset}`
}

/** Lists the references of the newest matches. */
export async function listReferences(ctx: Context, search: Search, limit: number): Promise<string[]> {
  const { rows } = await sql<{ reference_id: string }>`
    SELECT payment.reference_id FROM payments AS payment WHERE ${conditionOf(search)}
    ORDER BY payment.created_at DESC, payment.id DESC LIMIT ${limit}`.execute(ctx.db)
  return rows.map((row) => row.reference_id)
}

/** Counts the matches, exactly up to `exact`, else `EXACT_COUNT` or `EXACT_TERM_COUNT`; beyond it as the planner guesses. */
export async function countFound(
  ctx: Context,
  search: Search,
  exact = search.filter.term && search.candidates === null ? EXACT_TERM_COUNT : EXACT_COUNT,
): Promise<{ count: number; isEstimate: boolean }> {
  const most = exact + 1
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM (
      SELECT FROM payments AS payment WHERE ${conditionOf(search, { most })} LIMIT ${most}) AS found`.execute(ctx.db)
  const count = Number(rows[0]?.count ?? 0n)
  if (count <= exact) return { count, isEstimate: false }
  const plans = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT json) SELECT payment.id FROM payments AS payment WHERE ${conditionOf(search)}`.execute(ctx.db)
  const guess = plans.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? count
  return { count: Math.max(guess, count), isEstimate: true }
}

type Restriction = {
  /** So many are counted. */
  readonly most?: number
  /** The projects, unless they are those of the filter. */
  readonly scope?: Scope
}

/** Conditions on the payment alone, so that a page is found, and counted, without its joins. */
function conditionOf(
  { filter, candidates }: Search,
  { most, scope = scopeOf(filter) }: Restriction = {},
): RawBuilder<unknown> {
  const { currencies, networks, created, updated } = filter
  const conditions: RawBuilder<unknown>[] = [
    ...(filter.customerId ? [ofCustomer(filter.customerId)] : []),
    ...(filter.paid === undefined && (currencies.length > 0 || networks.length > 0)
      ? [ofAssets(currencies, networks)]
      : []),
    ...(filter.paid ? [sql`payment.id IN (SELECT deposit.payment_id ${countedDeposits(filter, filter.paid)})`] : []),
    ...(filter.createdBy.length > 0 ? [sql`payment.created_by = ANY (${filter.createdBy}::text[])`] : []),
    ...(filter.webhookStatuses.length > 0 ? [sql`${WEBHOOK_STATUS} = ANY (${filter.webhookStatuses}::text[])`] : []),
    ...(created.from ? [sql`payment.created_at >= ${created.from}`] : []),
    ...(created.to ? [sql`payment.created_at <= ${created.to}`] : []),
    ...(updated.from ? [sql`payment.updated_at >= ${updated.from}`] : []),
    ...(updated.to ? [sql`payment.updated_at <= ${updated.to}`] : []),
    ...(filter.amountMin ? [sql`payment.amount_usd >= ${filter.amountMin}::numeric`] : []),
    ...(filter.amountMax ? [sql`payment.amount_usd <= ${filter.amountMax}::numeric`] : []),
    ...(filter.aboveId === undefined ? [] : [sql`payment.id > ${BigInt(filter.aboveId)}`]),
    ...(filter.belowId === undefined ? [] : [sql`payment.id < ${BigInt(filter.belowId)}`]),
    ...(filter.term ? [termCondition(filter.term, candidates)] : []),
  ]
  // The search may stop early only when no other condition restricts the rows.
  const enough = conditions.length === 0 && filter.states.length === 1 ? most : undefined
  const states = filter.states.map((state) => stateCondition(state, scope, enough))
  const inState = states.length === 0 ? sql`true` : sql`(${sql.join(states, sql` OR `)})`
  return sql.join([scope(sql`payment.project_id`), ...conditions, inState], sql` AND `)
}

/** The counted deposits of a time, of the currencies and networks filtered by. */
function countedDeposits({ projectIds, currencies, networks }: SearchFilter, { from, to }: Span): RawBuilder<unknown> {
  const conditions = [
    sql`deposit.status = 'applied' AND deposit.counted_usd IS NOT NULL`,
    ...(projectIds === 'every' ? [] : [inProjects(projectIds)(sql`deposit.project_id`)]),
    ...(from ? [sql`deposit.block_time >= ${from}`] : []),
    // Times end with their last millisecond; what is within it belongs to the span.
    ...(to ? [sql`deposit.block_time < ${new Date(to.getTime() + 1)}`] : []),
    ...(currencies.length > 0 || networks.length > 0 ? [ofAssets(currencies, networks, sql`deposit.asset_id`)] : []),
  ]
  return sql`FROM deposits AS deposit WHERE ${sql.join(conditions, sql` AND `)}`
}

/** What the deposits of a payment that are asked for count for. */
function paidUsd(filter: SearchFilter): RawBuilder<unknown> {
  if (!filter.paid) return sql`NULL`
  return sql`(SELECT sum(deposit.counted_usd) ${countedDeposits(filter, filter.paid)} AND deposit.payment_id = payment.id)`
}

/** Counts the matches by status, row by row. */
export async function countStatuses(ctx: Context, search: Search): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ status: string; count: bigint }>`
    SELECT payment.status, count(*) AS count FROM payments AS payment WHERE ${conditionOf(search)}
    GROUP BY payment.status`.execute(ctx.db)
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

function scopeOf({ projectIds }: SearchFilter): Scope {
  return projectIds === 'every' ? () => sql`true` : inProjects(projectIds)
}

/** One project stands for itself: only then do its indexes give their order. */
function inProjects(ids: readonly number[]): Scope {
  const [only] = ids
  return (projectId) => (ids.length === 1 ? sql`${projectId} = ${only}` : sql`${projectId} = ANY (${ids}::int[])`)
}

function ofCustomer(customerId: string): RawBuilder<unknown> {
  return sql`payment.customer_id IN (SELECT customer.id FROM customers AS customer WHERE customer.customer_id = ${customerId})`
}

function stateCondition(wanted: StateFilter, scope: Scope, most: number | undefined): RawBuilder<unknown> {
  const { status, cancelReason, funding, hasMoney, isLate, isOnHold, isPaidUndelivered } = wanted
  const conditions = [
    ...(status ? [sql`payment.status = ${status}`] : []),
    ...(cancelReason ? [sql`payment.cancel_reason = ${cancelReason}`] : []),
    ...(funding ? [sql`payment.funding_state = ANY (${funding}::text[])`] : []),
    ...(hasMoney ? [sql`payment.seen_units > 0`] : []),
    ...(isLate ? [sql`payment.late`] : []),
    ...(isOnHold ? [ON_HOLD] : []),
    ...(isPaidUndelivered ? [paidButNotDelivered(scope)] : []),
    ...(wanted.needsAttention ? [needsAttention(scope, most)] : []),
  ]
  return sql`(${sql.join(conditions, sql` AND `)})`
}
