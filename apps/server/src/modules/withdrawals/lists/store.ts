import type { WithdrawalState, WithdrawalType } from '@kassa/contract/withdrawals/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import type { Span } from '../../../paging/span.ts'
import type { WithdrawalRow } from '../record/tables.ts'
import { type Decider, waitsFor } from './waiting-store.ts'

/** Totals are counted up to here; no page goes further. */
const MOST_COUNTED = 10_000

export const SORTS = ['created_at', 'amount', 'status'] as const
export type Sort = (typeof SORTS)[number]

export type PayoutFilter = {
  readonly projectIds: ProjectScope['projectIds']
  readonly id?: bigint | undefined
  readonly ids?: readonly bigint[] | undefined
  readonly status?: readonly WithdrawalState[] | undefined
  readonly types?: readonly WithdrawalType[] | undefined
  /** As their families spell them. */
  readonly addresses?: readonly string[] | undefined
  readonly assetIds?: readonly number[] | undefined
  readonly emails?: readonly string[] | undefined
  readonly createdBy?: readonly string[] | undefined
  readonly term?: string | undefined
  readonly paymentId?: bigint | undefined
  /** Withdrawals of this promoter. */
  readonly referrerId?: number | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** When it was broadcast. */
  readonly sent?: Span | undefined
  /** Those that wait for this operator's approval, or for somebody else's. */
  readonly waiting?: Waiting | undefined
}

type Waiting = {
  readonly who: 'me' | 'others'
  readonly decider: Decider
  /** What `stillWaiting` found for them. */
  readonly involved: readonly bigint[]
}

/** A payout with what its row shows. */
export type FoundPayout = WithdrawalRow & {
  readonly project_name: string
  readonly customer: { id: number; name: string; email: string; customer_id: string } | null
  readonly creator: Person | null
  readonly approver: Person | null
  readonly rejecter: Person | null
  readonly payment_reference: string | null
  readonly webhook_status: string | null
  readonly earlier_payouts: number
  readonly tip: bigint | null
  /** The block that holds it now, final or not. */
  readonly mined_height: bigint | null
  readonly stuck_at: Date | null
  /** When the e-mail address of the promoter was last changed. */
  readonly email_changed_at: Date | null
}

export type Person = { readonly id: number; readonly name: string; readonly email: string }

const SORT_COLUMNS: Readonly<Record<Sort, { readonly column: RawBuilder<unknown>; readonly type: string }>> = {
  created_at: { column: sql`payout.created_at`, type: 'timestamptz' },
  amount: { column: sql`payout.amount_usd`, type: 'numeric' },
  status: { column: sql`payout.status`, type: 'text' },
}

const person = (name: string) =>
  sql`(SELECT jsonb_build_object('id', o.id, 'name', o.name, 'email', o.email) FROM operators AS o
    WHERE o.id = payout.${sql.ref(name)})`

/** The worst delivery of the newest event (api.md 6.4). */
const WEBHOOK_STATUS = sql`(
  SELECT delivery.status FROM deliveries AS delivery
  WHERE delivery.payout_id = payout.id AND delivery.sequence = payout.sequence
  ORDER BY array_position(ARRAY['failed', 'waiting_for_approval', 'pending', 'discarded', 'received'], delivery.status)
  LIMIT 1)`

const SHOWN = sql`payout.*, project.name AS project_name,
  (SELECT jsonb_build_object('id', c.id, 'name', c.name, 'email', c.email, 'customer_id', c.customer_id)
    FROM customers AS c WHERE c.id = payout.customer_id) AS customer,
  ${person('created_by_operator')} AS creator, ${person('approved_by')} AS approver, ${person('rejected_by')} AS rejecter,
  (SELECT reference_id::text FROM payments AS p WHERE p.id = payout.refund_payment_id) AS payment_reference,
  ${WEBHOOK_STATUS} AS webhook_status,
  (SELECT count(*)::int FROM withdrawals AS earlier WHERE earlier.project_id = payout.project_id
    AND earlier.blockchain_id = payout.blockchain_id AND earlier.to_address = payout.to_address
    AND earlier.id < payout.id AND earlier.status = 'processed') AS earlier_payouts,
  (SELECT height FROM chain_cursors AS cursor WHERE cursor.blockchain_id = payout.blockchain_id) AS tip,
  (SELECT height FROM send_attempts AS attempt WHERE attempt.send_id = payout.send_id AND height IS NOT NULL) AS mined_height,
  (SELECT send.stuck_at FROM sends AS send WHERE send.id = payout.send_id) AS stuck_at,
  (SELECT email_changed_at FROM referrers AS promoter WHERE promoter.id = payout.referrer_id) AS email_changed_at`

/** Lists payouts in reading order, one more than the page holds, with the key each is sorted by. */
export async function listFound(
  ctx: Context,
  filter: PayoutFilter,
  page: Pick<PageRequest<Sort>, 'sort' | 'isAscending' | 'from' | 'limit' | 'offset'>,
): Promise<(FoundPayout & { readonly sortKey: string })[]> {
  const { column, type } = SORT_COLUMNS[page.sort]
  const { beyond, end } = keysetOf(page, { column, type, id: sql`payout.id` })
  const { rows } = await sql<FoundPayout & { sortKey: string }>`
    SELECT ${SHOWN}, ${column}::text AS "sortKey"
    FROM withdrawals AS payout JOIN projects AS project ON project.id = payout.project_id
    WHERE ${conditionOf(filter)} AND ${beyond} ${end}`.execute(ctx.db)
  return rows
}

/** Counts payouts, at most `MOST_COUNTED` of them. */
export async function countFound(ctx: Context, filter: PayoutFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM withdrawals AS payout WHERE ${conditionOf(filter)} LIMIT ${MOST_COUNTED}) AS counted`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function conditionOf(filter: PayoutFilter): RawBuilder<unknown> {
  const { projectIds, id, ids, addresses, assetIds, paymentId, referrerId, term } = filter
  const conditions: RawBuilder<unknown>[] = [
    projectIds === 'every' ? sql`true` : sql`payout.project_id = ANY(${[...projectIds]}::int[])`,
    ...(id === undefined ? [] : [sql`payout.id = ${id}`]),
    ...(ids === undefined ? [] : [sql`payout.id = ANY(${ids.map(String)}::bigint[])`]),
    ...anyOf(sql`payout.status`, filter.status),
    ...anyOf(sql`payout.type`, filter.types),
    ...(addresses === undefined ? [] : [sql`payout.to_address = ANY(${[...addresses]}::text[])`]),
    ...(assetIds === undefined ? [] : [sql`payout.asset_id = ANY(${[...assetIds]}::int[])`]),
    ...anyOf(
      sql`payout.recipient_email`,
      filter.emails?.map((one) => one.toLowerCase()),
    ),
    ...anyOf(sql`payout.created_by`, filter.createdBy),
    ...(paymentId === undefined ? [] : [sql`payout.refund_payment_id = ${paymentId}`]),
    ...(referrerId === undefined ? [] : [sql`payout.referrer_id = ${referrerId}`]),
    ...within(sql`payout.created_at`, filter.from, filter.to),
    ...within(sql`payout.sent_at`, filter.sent?.from, filter.sent?.to),
    ...(term ? [termOf(term)] : []),
    ...(filter.waiting ? [waitingOf(filter.waiting)] : []),
  ]
  return sql.join(conditions, sql` AND `)
}

function waitingOf({ who, decider, involved }: Waiting): RawBuilder<unknown> {
  const isMine = waitsFor(decider, involved)
  return who === 'me' ? isMine : sql`payout.status = 'pending-approval' AND NOT ${isMine}`
}

function anyOf(column: RawBuilder<unknown>, values: readonly string[] | undefined): RawBuilder<unknown>[] {
  return values === undefined || values.length === 0 ? [] : [sql`${column} = ANY(${[...values]}::text[])`]
}

function within(column: RawBuilder<unknown>, from: Date | undefined, to: Date | undefined): RawBuilder<unknown>[] {
  return [
    ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${column} <= ${to}`]),
  ]
}

function termOf(term: string): RawBuilder<unknown> {
  const part = `%${term.replace(/[\\%_]/g, '\\$&')}%`
  const isId = /^\d{1,18}$/.test(term)
  return sql`(payout.to_address ILIKE ${part} OR payout.tx_id ILIKE ${part} OR payout.recipient_email ILIKE ${part}
    OR payout.recipient_name ILIKE ${part} OR payout.client_reference ILIKE ${part}
    OR payout.id = ${isId ? term : null}::bigint)`
}

function among(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every' ? sql`true` : sql`project_id = ANY(${[...projectIds]}::int[])`
}

export type Metrics = {
  readonly pending_approval: number
  readonly waiting_for_me: number
  readonly pending: number
  readonly sent_usd: string
  readonly processed_usd: string
  readonly failed: number
}

/**
 * Counts payouts of projects, those that wait for this operator's approval apart, and sums what was sent within a day.
 */
export async function findMetrics(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  asked: Pick<Waiting, 'decider' | 'involved'> & { readonly now: Date },
): Promise<Metrics> {
  const since = sql`${asked.now}::timestamptz - interval '24 hours'`
  const { rows } = await sql<Metrics>`
    SELECT count(*) FILTER (WHERE status = 'pending-approval')::int AS pending_approval,
      count(*) FILTER (WHERE ${waitsFor(asked.decider, asked.involved)})::int AS waiting_for_me,
      count(*) FILTER (WHERE status = 'pending')::int AS pending,
      coalesce(sum(amount_usd) FILTER (WHERE sent_at > ${since}), 0)::text AS sent_usd,
      coalesce(sum(amount_usd) FILTER (WHERE status = 'processed' AND ended_at > ${since}), 0)::text AS processed_usd,
      count(*) FILTER (WHERE status = 'failed' AND ended_at > ${since})::int AS failed
    FROM withdrawals AS payout
    WHERE ${among(projectIds)}
      AND (status IN ('pending-approval', 'pending') OR sent_at > ${since} OR ended_at > ${since})`.execute(ctx.db)
  return rows[0] ?? { pending_approval: 0, waiting_for_me: 0, pending: 0, sent_usd: '0', processed_usd: '0', failed: 0 }
}

/** What payouts wait for because the hot wallets do not hold it: their asset, or the coin that pays the network fee. */
export async function listShortOf(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
): Promise<{ blockchainCode: string; currencyCode: string }[]> {
  const { rows } = await sql<{ blockchainCode: string; currencyCode: string }>`
    SELECT DISTINCT wait_params ->> 'chain' AS "blockchainCode", wait_params ->> 'currency' AS "currencyCode"
    FROM withdrawals AS payout
    WHERE ${among(projectIds)} AND status = 'pending' AND wait_code IN ('INSUFFICIENT_FUNDS', 'GAS')
    ORDER BY 1, 2`.execute(ctx.db)
  return rows
}

export type Step = {
  readonly at: Date
  readonly event: string
  readonly actor: string
  readonly data: Record<string, unknown>
}

/** What happened to a payout, oldest first. */
export async function listSteps(ctx: Context, id: bigint): Promise<Step[]> {
  const { rows } = await sql<Step>`
    SELECT created_at AS at, type AS event, actor, payload AS data FROM events
    WHERE order_key = ${`payout:${id}`} AND order_key LIKE 'payout:%' ORDER BY id`.execute(ctx.db)
  return rows
}

/** The float of wallets without what is reserved, by wallet and asset. */
export async function listFloats(ctx: Context, walletIds: readonly number[]): Promise<Map<string, bigint>> {
  if (walletIds.length === 0) return new Map()
  const owners = walletIds.map((id) => `wallet:${id}`)
  const { rows } = await sql<{ owner_key: string; unit_id: number; units: string }>`
    SELECT owner_key, unit_id, (debits - credits)::text AS units FROM accounts
    WHERE kind = 'chain:hot' AND owner_key = ANY(${owners}::text[])`.execute(ctx.db)
  return new Map(rows.map((row) => [`${row.owner_key} ${row.unit_id}`, BigInt(row.units)]))
}

/** What open payouts of projects hold, by asset. */
export async function listHeld(ctx: Context, projectIds: ProjectScope['projectIds']): Promise<Map<number, bigint>> {
  const { rows } = await sql<{ asset_id: number; units: string }>`
    SELECT asset_id, sum(units)::text AS units FROM withdrawals AS payout
    WHERE status IN ('pending', 'initiated', 'sent')
      AND ${among(projectIds)}
    GROUP BY asset_id`.execute(ctx.db)
  return new Map(rows.map((row) => [row.asset_id, BigInt(row.units)]))
}

/** The people of these ids. */
export async function listPeople(ctx: Context, ids: readonly number[]): Promise<Map<number, Person>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Person>`
    SELECT id, name, email FROM operators WHERE id = ANY(${[...ids]}::int[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

type PastRow = Pick<
  WithdrawalRow,
  'id' | 'created_at' | 'amount_usd' | 'to_address' | 'asset_id' | 'units' | 'type'
> & {
  readonly known_since: Date
}

/**
 * Lists the newest payouts since a time, oldest first, with the time since when their address is known: as a recipient, or first
 * requested.
 */
export async function listPast(
  ctx: Context,
  projectId: number,
  { since, most }: { readonly since: Date; readonly most: number },
): Promise<PastRow[]> {
  const { rows } = await sql<PastRow>`
    SELECT payout.id, payout.created_at, payout.amount_usd, payout.to_address, payout.asset_id, payout.units, payout.type,
      least(place.known_since, payout.created_at,
        min(payout.created_at) FILTER (WHERE payout.status = 'processed')
          OVER (PARTITION BY payout.blockchain_id, payout.to_address)) AS known_since
    FROM (
      SELECT * FROM withdrawals WHERE project_id = ${projectId} AND created_at >= ${since}
      ORDER BY created_at DESC, id DESC LIMIT ${most}) AS payout
    LEFT JOIN recipient_projects AS place
      ON place.recipient_id = payout.recipient_id AND place.project_id = payout.project_id
    ORDER BY payout.created_at, payout.id`.execute(ctx.db)
  return rows
}
