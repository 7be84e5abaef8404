import type { SweepState } from '@kassa/contract/sweeps/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import type { ErrorRow, ItemRow, SweepRow, TransactionRow } from '../record/tables.ts'

/** Totals are counted up to here; no page goes further. */
const MOST_COUNTED = 10_000

export const SORTS = ['created_at'] as const
type Sort = (typeof SORTS)[number]

export type SweepFilter = {
  readonly projectIds: ProjectScope['projectIds']
  readonly id?: bigint | undefined
  readonly walletId?: number | undefined
  readonly status?: readonly SweepState[] | undefined
  readonly assetIds?: readonly number[] | undefined
  readonly withTransaction?: boolean
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** A sweep with what its row shows: of its items those of the projects that the caller sees. */
export type FoundSweep = SweepRow & {
  readonly wallet_name: string
  readonly starter: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly own_units: string
  readonly swept_units: string
  readonly address_count: number
  readonly swept_count: number
  readonly failed_count: number
  readonly project_ids: number[]
  readonly tip: bigint | null
  /** The block that holds its transaction now, final or not. */
  readonly mined_height: bigint | null
  readonly stuck_at: Date | null
  readonly hot_address: string | null
  readonly last_error: (Pick<ErrorRow, 'code' | 'params' | 'address' | 'tx_id'> & { readonly at: string }) | null
}

/** Errors without those about an address of a project that the caller does not see: projects may share a wallet. */
function isVisible(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  if (projectIds === 'every') return sql`true`
  return sql`(error.address IS NULL OR EXISTS (SELECT FROM addresses AS own WHERE own.address = error.address
    AND own.wallet_id = error.wallet_id AND own.project_id = ANY(${[...projectIds]}::int[])))`
}

const shownOf = (projectIds: ProjectScope['projectIds']) => sql`sweep.*, wallet.name AS wallet_name,
  (SELECT jsonb_build_object('id', o.id, 'name', o.name, 'email', o.email) FROM operators AS o WHERE o.id = sweep.started_by) AS starter,
  items.*,
  (SELECT height FROM chain_cursors AS cursor WHERE cursor.blockchain_id = sweep.blockchain_id) AS tip,
  coalesce(
    sweep.final_height,
    (SELECT height FROM send_attempts AS attempt WHERE attempt.send_id = sweep.send_id AND height IS NOT NULL),
    (SELECT max(height) FROM movements AS movement WHERE movement.sweep_id = sweep.id AND movement.status <> 'reverted')
  ) AS mined_height,
  (SELECT send.stuck_at FROM sends AS send WHERE send.id = sweep.send_id) AS stuck_at,
  (SELECT address FROM hot_keys AS key WHERE key.wallet_id = sweep.hot_wallet_id LIMIT 1) AS hot_address,
  (SELECT jsonb_build_object('code', code, 'params', params, 'address', address, 'tx_id', tx_id, 'at', at)
    FROM sweep_errors AS error WHERE error.sweep_id = sweep.id
    AND ${isVisible(projectIds)} ORDER BY error.id DESC LIMIT 1) AS last_error`

const itemsOf = (projectIds: ProjectScope['projectIds']) => sql`LATERAL (
  SELECT coalesce(sum(units), 0)::text AS own_units, coalesce(sum(units) FILTER (WHERE state = 'swept'), 0)::text AS swept_units,
    count(*)::int AS address_count, (count(*) FILTER (WHERE state = 'swept'))::int AS swept_count,
    (count(*) FILTER (WHERE state = 'failed'))::int AS failed_count,
    coalesce(array_agg(DISTINCT project_id) FILTER (WHERE project_id IS NOT NULL), '{}') AS project_ids
  FROM sweep_items AS item WHERE item.sweep_id = sweep.id AND ${ofProjects(projectIds)}) AS items`

function ofProjects(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every' ? sql`true` : sql`item.project_id = ANY(${[...projectIds]}::int[])`
}

/** Lists sweeps in reading order, one more than the page holds, with the key each is sorted by. */
export async function listFound(
  ctx: Context,
  filter: SweepFilter,
  page: Pick<PageRequest<Sort>, 'isAscending' | 'from' | 'limit' | 'offset'>,
): Promise<(FoundSweep & { readonly sortKey: string })[]> {
  const { beyond, end } = keysetOf(page, { column: sql`sweep.created_at`, type: 'timestamptz', id: sql`sweep.id` })
  const { rows } = await sql<FoundSweep & { sortKey: string }>`
    SELECT ${shownOf(filter.projectIds)}, sweep.created_at::text AS "sortKey"
    FROM sweeps AS sweep JOIN wallets AS wallet ON wallet.id = sweep.wallet_id, ${itemsOf(filter.projectIds)}
    WHERE ${conditionOf(filter)} AND ${beyond} ${end}`.execute(ctx.db)
  return rows
}

/** Counts sweeps, at most `MOST_COUNTED` of them. */
export async function countFound(ctx: Context, filter: SweepFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM sweeps AS sweep WHERE ${conditionOf(filter)} LIMIT ${MOST_COUNTED}) AS counted`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function conditionOf(filter: SweepFilter): RawBuilder<unknown> {
  const { projectIds, id, walletId, status, assetIds, withTransaction, from, to } = filter
  const conditions: RawBuilder<unknown>[] = [
    projectIds === 'every'
      ? sql`true`
      : sql`EXISTS (SELECT FROM sweep_items AS item WHERE item.sweep_id = sweep.id AND ${ofProjects(projectIds)})`,
    ...(id === undefined ? [] : [sql`sweep.id = ${id}`]),
    ...(walletId === undefined ? [] : [sql`sweep.wallet_id = ${walletId}`]),
    ...(status === undefined ? [] : [sql`sweep.status = ANY(${[...status]}::text[])`]),
    ...(assetIds === undefined ? [] : [sql`sweep.asset_id = ANY(${[...assetIds]}::int[])`]),
    ...(withTransaction ? [sql`sweep.tx_id IS NOT NULL`] : []),
    ...(from ? [sql`sweep.created_at >= ${from}`] : []),
    ...(to ? [sql`sweep.created_at <= ${to}`] : []),
  ]
  return sql.join(conditions, sql` AND `)
}

export type ShownItem = ItemRow & { readonly address: string }

/** The addresses of a sweep that the caller sees. */
export async function listShownItems(
  ctx: Context,
  sweepId: bigint,
  projectIds: ProjectScope['projectIds'],
): Promise<ShownItem[]> {
  const { rows } = await sql<ShownItem>`
    SELECT item.*, address.address FROM sweep_items AS item JOIN addresses AS address ON address.id = item.address_id
    WHERE item.sweep_id = ${sweepId} AND ${ofProjects(projectIds)} ORDER BY item.units DESC, item.address_id`.execute(
    ctx.db,
  )
  return rows
}

export type ShownAttempt = {
  readonly tx_id: string
  readonly at: Date
  readonly height: bigint | null
  readonly is_success: boolean | null
  readonly max_fee: string
  readonly fee_units: string | null
  readonly is_newest: boolean
}

/** What a hot wallet signed for a sweep, newest first. */
export async function listAttempts(ctx: Context, sendId: bigint): Promise<ShownAttempt[]> {
  const { rows } = await sql<ShownAttempt>`
    SELECT tx_id, created_at AS at, height, is_success, max_fee::text AS max_fee, fee_units::text AS fee_units,
      n = max(n) OVER () AS is_newest
    FROM send_attempts WHERE send_id = ${sendId} ORDER BY n DESC`.execute(ctx.db)
  return rows
}

/** What the wallet of an operator sent for a sweep, newest first. */
export async function listTransactions(ctx: Context, sweepId: bigint): Promise<TransactionRow[]> {
  const { rows } = await sql<TransactionRow>`
    SELECT * FROM sweep_transactions WHERE sweep_id = ${sweepId} ORDER BY recorded_at DESC`.execute(ctx.db)
  return rows
}

/** What went wrong with a sweep, as far as the caller sees it; newest first. */
export async function listErrors(
  ctx: Context,
  sweepId: bigint,
  { projectIds, limit }: { readonly projectIds: ProjectScope['projectIds']; readonly limit: number },
): Promise<ErrorRow[]> {
  const { rows } = await sql<ErrorRow>`
    SELECT * FROM sweep_errors AS error WHERE sweep_id = ${sweepId} AND ${isVisible(projectIds)}
    ORDER BY id DESC LIMIT ${limit}`.execute(ctx.db)
  return rows
}

export type OpenItem = {
  readonly sweep_id: bigint
  readonly wallet_id: number
  readonly asset_id: number
  readonly address_id: bigint
  readonly units: string
  readonly is_planned: boolean
  readonly state: 'open' | 'swept'
  readonly tx_id: string | null
  readonly locked_until: Date | null
}

/** Lists what every open sweep moves, by address, and how much of it has arrived. */
export async function listOpenItems(ctx: Context, projectIds: ProjectScope['projectIds']): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    SELECT item.sweep_id, sweep.wallet_id, item.asset_id, item.address_id, item.units::text AS units,
      sweep.status = 'planned' AS is_planned, item.state, sweep.tx_id, sweep.expires_at AS locked_until
    FROM sweeps AS sweep JOIN sweep_items AS item ON item.sweep_id = sweep.id
    WHERE sweep.status IN ('planned', 'sweep-initiated', 'broadcast') AND item.state IN ('open', 'swept')
      AND ${ofProjects(projectIds)} ORDER BY item.sweep_id, item.address_id`.execute(ctx.db)
  return rows
}

/** Lists the newest error of each wallet and asset that the caller sees, unless a sweep of them has arrived since. */
export async function listLastErrors(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
): Promise<(ErrorRow & { readonly hot_address: string | null })[]> {
  const { rows } = await sql<ErrorRow & { hot_address: string | null }>`
    SELECT DISTINCT ON (error.wallet_id, error.asset_id) error.*,
      (SELECT key.address FROM sweeps AS sweep JOIN hot_keys AS key ON key.wallet_id = sweep.hot_wallet_id
        WHERE sweep.id = error.sweep_id LIMIT 1) AS hot_address
    FROM sweep_errors AS error
    WHERE ${isVisible(projectIds)} AND NOT EXISTS (SELECT FROM sweeps AS later WHERE later.wallet_id = error.wallet_id AND later.asset_id = error.asset_id
      AND later.status = 'completed' AND later.ended_at > error.at)
    ORDER BY error.wallet_id, error.asset_id, error.id DESC`.execute(ctx.db)
  return rows
}

type SweepFigures = {
  readonly failed: number
  readonly swept_usd: string
  readonly active: number
  readonly active_usd: string
}

/** Counts sweeps that failed lately and that are under way, and sums what arrived within a day. */
export async function findFigures(ctx: Context, projectIds: ProjectScope['projectIds']): Promise<SweepFigures> {
  const now = ctx.now()
  const { rows } = await sql<SweepFigures>`
    SELECT
      (count(*) FILTER (WHERE sweep.status = 'failed' AND sweep.ended_at > ${now}::timestamptz - interval '7 days'))::int AS failed,
      coalesce(sum(sweep.amount_usd * part.swept / nullif(sweep.units, 0))
        FILTER (WHERE sweep.status = 'completed' AND sweep.ended_at > ${now}::timestamptz - interval '24 hours'), 0)::text AS swept_usd,
      (count(*) FILTER (WHERE sweep.status IN ('planned', 'sweep-initiated', 'broadcast')))::int AS active,
      coalesce(sum(sweep.amount_usd * part.own / nullif(sweep.units, 0))
        FILTER (WHERE sweep.status IN ('planned', 'sweep-initiated', 'broadcast')), 0)::text AS active_usd
    FROM sweeps AS sweep, LATERAL (
      SELECT coalesce(sum(item.units), 0) AS own, coalesce(sum(item.units) FILTER (WHERE item.state = 'swept'), 0) AS swept
      FROM sweep_items AS item WHERE item.sweep_id = sweep.id AND ${ofProjects(projectIds)}) AS part
    WHERE part.own > 0 AND (sweep.status IN ('planned', 'sweep-initiated', 'broadcast')
      OR sweep.ended_at > ${now}::timestamptz - interval '7 days')`.execute(ctx.db)
  return rows[0] ?? { failed: 0, swept_usd: '0', active: 0, active_usd: '0' }
}
