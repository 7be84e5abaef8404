import type { DepositFilters } from '@kassa/contract/deposits/inputs.ts'

import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { Deposit } from './deposit.ts'
import { fromRow } from './store.ts'
import type { DepositReads, DepositTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<DepositTables & DepositReads>()

export type DepositListFilters = {
  readonly projectIds: readonly number[] | 'every'
  readonly status?: Readonly<DepositFilters['status']>
  readonly assetIds?: readonly number[] | undefined
  readonly txIds?: readonly string[] | undefined
  readonly customerId?: number | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Totals are counted up to here; no page goes further, and counting millions of rows takes seconds. */
const MOST_COUNTED = 10_000

/** Lists deposits, newest first. */
export async function listDepositRows(
  ctx: Context,
  filters: DepositListFilters,
  { limit, offset = 0, beforeId }: { limit: number; offset?: number; beforeId?: bigint | undefined },
): Promise<Deposit[]> {
  let query = filtered(ctx, filters)
  if (beforeId !== undefined) query = query.where('id', '<', beforeId)
  const rows = await query.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return rows.map(fromRow)
}

/** Lists the deposits of transactions, including reverted ones, newest first. */
export async function listOfTransactions(ctx: Context, txIds: readonly string[]): Promise<Deposit[]> {
  if (txIds.length === 0) return []
  const query = tables(ctx).selectFrom('deposits').selectAll().where('tx_id', 'in', txIds)
  return (await query.orderBy('id', 'desc').limit(MOST_COUNTED).execute()).map(fromRow)
}

/** Counts deposits, at most `MOST_COUNTED` of them. */
export async function countDepositRows(ctx: Context, filters: DepositListFilters): Promise<number> {
  const row = await tables(ctx)
    .selectFrom(filtered(ctx, filters).select('id').limit(MOST_COUNTED).as('counted'))
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('n'))
    .executeTakeFirstOrThrow()
  return row.n
}

/** The references of payments, by id. */
export async function listReferences(ctx: Context, paymentIds: readonly bigint[]): Promise<Map<bigint, string>> {
  if (paymentIds.length === 0) return new Map()
  const rows = await tables(ctx)
    .selectFrom('payments')
    .select(['id', 'reference_id'])
    .where('id', 'in', paymentIds)
    .execute()
  return new Map(rows.map((row) => [row.id, row.reference_id]))
}

/** How far each blockchain was read, by its id. */
export async function listTips(ctx: Context): Promise<Map<number, number>> {
  const rows = await tables(ctx).selectFrom('chain_cursors').select(['blockchain_id', 'height']).execute()
  return new Map(rows.map((row) => [row.blockchain_id, Number(row.height)]))
}

function filtered(ctx: Context, filters: DepositListFilters) {
  const { projectIds, status, assetIds, txIds, customerId, from, to } = filters
  return tables(ctx)
    .selectFrom('deposits')
    .$if(projectIds !== 'every', (q) => q.where('project_id', '=', anyOf(projectIds === 'every' ? [] : projectIds)))
    .$if(status !== undefined && status.length > 0, (q) => q.where(sql<boolean>`status = ANY(${status}::text[])`))
    .$if(assetIds !== undefined, (q) => q.where('asset_id', '=', anyOf(assetIds ?? [])))
    .$if(txIds !== undefined, (q) => q.where('tx_id', 'in', txIds ?? []))
    .$if(customerId !== undefined, (q) => q.where('customer_id', '=', customerId ?? 0))
    .$if(from !== undefined, (q) => q.where('seen_at', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (q) => q.where('seen_at', '<=', to ?? new Date(0)))
}

/** An empty list matches nothing, where `IN ()` would be no SQL. */
function anyOf(ids: readonly number[]) {
  return sql<number>`ANY(${[...ids]}::int[])`
}
