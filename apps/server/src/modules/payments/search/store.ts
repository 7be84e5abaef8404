import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { directionOf, keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import {
  attentionParts,
  needsAttention,
  NEEDS_ATTENTION,
  NEWEST_DELIVERIES,
  ON_HOLD,
  paidButNotDelivered,
  type Scope,
} from '../payment/attention-store.ts'
import { ofAssets } from './count-store.ts'
import { countedDeposits, findPaidWay, paidParts, type PaidWay } from './paid-store.ts'
import {
  EXACT_COUNT,
  EXACT_TERM_COUNT,
  isOrdered,
  MOST_SORTED,
  type SearchFilter,
  type Sort,
  type StateFilter,
} from './rules.ts'
import { listCandidates, termCondition } from './term-store.ts'

/** What is searched: a filter, the payments its term stands for (`listCandidates`), and how what was paid is found. */
export type Search = {
  readonly filter: SearchFilter
  readonly candidates: readonly bigint[] | null
  readonly paidWay: PaidWay
}

/** Prepares a search: looks up what decides how it is answered soonest. */
export async function openSearch(ctx: Context, filter: SearchFilter): Promise<Search> {
  const candidates = await listCandidates(ctx, filter)
  return { filter, candidates, paidWay: await findPaidWay(ctx, filter, scopeOf(filter)) }
}

/** The same search for a caller that reads all matches: what finds the first ones soonest would cost each page more. */
export function ofAll(search: Search): Search {
  return search.paidWay === 'from deposits' ? search : { ...search, paidWay: 'all of them' }
}

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
  const parts = partsOf(search, { ...(scope && { scope }) })
  const rowsOf = (part: RawBuilder<unknown>, wanted: Page) => {
    const { beyond, end } = keysetOf(wanted, { column, type, id: sql`payment.id` })
    return sql`SELECT payment.id, ${column} AS key FROM payments AS payment ${join} WHERE ${part} AND ${beyond} ${end}`
  }
  const [only = sql`true`, ...others] = parts
  if (others.length === 0) return rowsOf(only, page)
  const wanted = { ...page, limit: page.limit + page.offset, offset: 0 }
  const found = parts.map((part) => sql`(${rowsOf(part, wanted)})`)
  return sql`SELECT found.id, found.key FROM (${sql.join(found, sql` UNION `)}) AS found ${endOf(page)}`
}

/** The order and the end of a page that is put together from the first rows of several lists. */
function endOf({ limit, offset, ...page }: Page): RawBuilder<unknown> {
  const direction = sql.raw(directionOf(page))
  return sql`ORDER BY found.key ${direction}, found.id ${direction} LIMIT ${limit + 1} OFFSET ${offset}`
}

/** Whether a page among several projects is found sooner by merging the first rows of each project. */
function isMerged({ filter, paidWay }: Search, sort: Sort): boolean {
  const { projectIds, term, paid, customerId, states, currencies, networks } = filter
  // These have indexes across all projects; the other indexes begin with the project.
  const isAcross = paid && (sort === 'created_at' || paidWay === 'from deposits')
  if (term || isAcross || customerId || !isOrdered(sort)) return false
  if (projectIds !== 'every') return projectIds.length > 1
  const isNewest = sort === 'created_at' && states.length + currencies.length + networks.length === 0
  return !isNewest
}

/** The same, from as many rows of each project as the page could need. */
function mergedPage(search: Search, page: Page): RawBuilder<unknown> {
  const { projectIds } = search.filter
  const ofEach = pageOf(search, { ...page, limit: page.limit + page.offset, offset: 0 }, (id) => sql`${id} = scope.id`)
  return sql`
    SELECT found.id, found.key
    FROM ${projectIds === 'every' ? sql`projects AS scope` : sql`unnest(${projectIds}::int[]) AS scope (id)`}
    CROSS JOIN LATERAL (${ofEach}) AS found ${endOf(page)}`
}

/** Lists the references of the newest matches. */
export async function listReferences(ctx: Context, search: Search, limit: number): Promise<string[]> {
  const newest = { sort: 'created_at', isAscending: false, from: null, limit, offset: 0 } as const
  const { rows } = await sql<{ reference_id: string }>`
    SELECT payment.reference_id FROM (${pageOf(search, newest)}) AS page JOIN payments AS payment ON payment.id = page.id
    ORDER BY payment.created_at DESC, payment.id DESC LIMIT ${limit}`.execute(ctx.db)
  return rows.map((row) => row.reference_id)
}

/** Counts the matches: exactly up to `exact`, beyond it as the planner guesses. */
export async function countFound(
  ctx: Context,
  search: Search,
  exact = exactCountOf(search),
): Promise<{ count: number; isEstimate: boolean }> {
  const most = exact + 1
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM (
      ${matchesOf(search, most)} LIMIT ${most}) AS found`.execute(ctx.db)
  const count = Number(rows[0]?.count ?? 0n)
  if (count <= exact) return { count, isEstimate: false }
  const plans = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT json) ${matchesOf(ofAll(search))}`.execute(ctx.db)
  const guess = plans.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? count
  return { count: Math.max(guess, count), isEstimate: true }
}

/** The ids of the matches; `most` are enough. */
function matchesOf(search: Search, most?: number): RawBuilder<unknown> {
  const parts = partsOf(search, { ...(most !== undefined && { most }) })
  // In this order the count ends after few payments; in any other the planner may read all deposits of the span first.
  const order =
    most !== undefined && search.filter.paid ? sql`ORDER BY payment.created_at DESC, payment.id DESC` : sql``
  const idsOf = (part: RawBuilder<unknown>) => sql`SELECT payment.id FROM payments AS payment WHERE ${part} ${order}`
  const [only = sql`true`, ...others] = parts
  if (others.length === 0) return idsOf(only)
  const enough = most === undefined ? sql`` : sql`LIMIT ${most}`
  const ids = parts.map((part) => sql`(${idsOf(part)} ${enough})`)
  // No payment is in two parts of a span: where the first part has enough, the others are not read.
  return sql.join(ids, search.filter.paid && search.filter.states.length === 0 ? sql` UNION ALL ` : sql` UNION `)
}

function exactCountOf({ filter, candidates, paidWay }: Search): number {
  if (filter.term && candidates === null) return EXACT_TERM_COUNT
  return filter.paid && paidWay === 'from deposits' ? MOST_SORTED : EXACT_COUNT
}

type Restriction = {
  /** So many are counted. */
  readonly most?: number
  /** The projects, unless they are those of the filter. */
  readonly scope?: Scope
}

/**
 * The conditions whose matches together are those of the search: one, or several where each is answered by an index of its own. They
 * are of the payment alone, so that a page is found, and counted, without its joins.
 */
function partsOf(search: Search, { most, scope = scopeOf(search.filter) }: Restriction = {}): RawBuilder<unknown>[] {
  const { filter, paidWay } = search
  const conditions = conditionsOf(search)
  // The search may stop early only when no other condition restricts the rows.
  const enough = conditions.length === 0 && !filter.paid ? most : undefined
  const paid = filter.paid ? paidParts(filter, filter.paid, { way: paidWay, scope: scopeOf(filter) }) : [sql`true`]
  return paid.flatMap((isPaid) =>
    statesOf(filter, scope, enough).map((inState) =>
      sql.join([scope(sql`payment.project_id`), ...conditions, isPaid, inState], sql` AND `),
    ),
  )
}

/** The conditions of a search but for its projects, its states and what was paid. */
function conditionsOf({ filter, candidates }: Search): RawBuilder<unknown>[] {
  const { currencies, networks, created, updated } = filter
  return [
    ...(filter.customerId ? [ofCustomer(filter.customerId)] : []),
    ...(filter.paid === undefined && (currencies.length > 0 || networks.length > 0)
      ? [ofAssets(currencies, networks)]
      : []),
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
}

/** The wanted states, as conditions of which one must hold; what needs attention for some reason is found by two of them. */
function statesOf({ states }: SearchFilter, scope: Scope, most: number | undefined): RawBuilder<unknown>[] {
  const [only, ...others] = states
  if (!only) return [sql`true`]
  if (others.length === 0 && only.needsAttention) {
    const isAlone = Object.keys(only).length === 1
    return attentionParts(scope, isAlone ? most : undefined).map((part) => stateCondition(only, scope, part))
  }
  return [
    sql`(${sql.join(
      states.map((state) => stateCondition(state, scope)),
      sql` OR `,
    )})`,
  ]
}

/** What the deposits of a payment that are asked for count for. */
function paidUsd(filter: SearchFilter): RawBuilder<unknown> {
  if (!filter.paid) return sql`NULL`
  const deposits = countedDeposits(filter, filter.paid, scopeOf(filter))
  return sql`(SELECT sum(deposit.counted_usd) ${deposits} AND deposit.payment_id = payment.id)`
}

/** Counts the matches by status, row by row. */
export async function countStatuses(ctx: Context, search: Search): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ status: string; count: bigint }>`
    SELECT payment.status, count(*) AS count FROM payments AS payment
    WHERE ${sql.join(partsOf(ofAll(search)), sql` OR `)} GROUP BY payment.status`.execute(ctx.db)
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

function stateCondition(wanted: StateFilter, scope: Scope, attention = needsAttention(scope)): RawBuilder<unknown> {
  const { status, cancelReason, funding, hasMoney, isLate, isOnHold, isPaidUndelivered } = wanted
  const conditions = [
    ...(status ? [sql`payment.status = ${status}`] : []),
    ...(cancelReason ? [sql`payment.cancel_reason = ${cancelReason}`] : []),
    ...(funding ? [sql`payment.funding_state = ANY (${funding}::text[])`] : []),
    ...(hasMoney ? [sql`payment.seen_units > 0`] : []),
    ...(isLate ? [sql`payment.late`] : []),
    ...(isOnHold ? [ON_HOLD] : []),
    ...(isPaidUndelivered ? [paidButNotDelivered(scope)] : []),
    ...(wanted.needsAttention ? [attention] : []),
  ]
  return sql`(${sql.join(conditions, sql` AND `)})`
}
