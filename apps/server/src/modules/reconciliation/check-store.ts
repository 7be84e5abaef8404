import type { BlockRef } from '@kassa/chains/adapter.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { ReconciliationTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<ReconciliationTables>()

/** What the ledger holds on one blockchain, as of one block. */
export type Holdings = { readonly block: BlockRef; readonly units: ReadonlyMap<number, bigint> }

type HoldingsRow = {
  height: bigint
  hash: string
  parent_hash: string
  block_time: Date
  units: Record<string, string>
}

/**
 * Reads in one statement, and so at one moment, the newest credited block and the coins booked by then, seen and final,
 * by asset; undefined before the first block.
 */
export async function findHoldings(ctx: Context, blockchainId: number): Promise<Holdings | undefined> {
  const { rows } = await sql<HoldingsRow>`
    SELECT cursor.height, cursor.hash, cursor.parent_hash, cursor.block_time, (
      SELECT coalesce(json_object_agg(unit_id, units), '{}') FROM (
        SELECT unit_id, sum(debits - credits)::text AS units
        FROM accounts JOIN assets AS asset ON asset.id = accounts.unit_id
        WHERE kind IN ('chain:deposit-addresses', 'chain:unconfirmed') AND asset.blockchain_id = ${blockchainId}
        GROUP BY unit_id
      ) AS balances
    ) AS units
    FROM chain_cursors AS cursor WHERE cursor.blockchain_id = ${blockchainId}`.execute(ctx.db)
  const [row] = rows
  if (!row) return undefined
  const { height, hash, parent_hash: parentHash, block_time: minedAt } = row
  return {
    block: { height: Number(height), hash, parentHash, minedAt },
    units: new Map(Object.entries(row.units).map(([assetId, units]) => [Number(assetId), BigInt(units)])),
  }
}

/** Lists addresses assigned to customers, by id, above `afterId`. */
export async function listAssignedAddresses(
  ctx: Context,
  familyId: number,
  afterId: bigint,
  limit: number,
): Promise<{ id: bigint; address: string }[]> {
  const { rows } = await sql<{ id: bigint; address: string }>`
    SELECT id, address FROM addresses
    WHERE family_id = ${familyId} AND status = 'assigned' AND id > ${afterId} ORDER BY id LIMIT ${limit}`.execute(
    ctx.db,
  )
  return rows
}

/** A check as it is stored: its answer on the wire. */
export type StoredCheck = Omit<BooksCheck, 'checkedAt'>

/** What a check covered: up to which entry, and when the last full check ran. */
export type Reach = { readonly through: bigint; readonly fullAt: Date }

/** Stores the result of a check. */
export async function insertLedgerCheck(
  ctx: Context,
  at: Date,
  report: StoredCheck,
  { through, fullAt }: Reach,
): Promise<void> {
  await tables(ctx)
    .insertInto('book_checks')
    .values({ at, ok: report.ok, report: JSON.stringify(report), through_entry: through, full_at: fullAt })
    .execute()
}

/** Finds what the last check covered; undefined when the ledger did not balance then, or was never checked in full. */
export async function findReach(ctx: Context): Promise<Reach | undefined> {
  const row = await lastRow(ctx)
  return row?.ok && row.full_at ? { through: row.through_entry, fullAt: row.full_at } : undefined
}

/** Finds the last check. */
export async function findLastLedgerCheck(
  ctx: Context,
): Promise<(StoredCheck & { readonly checkedAt: Date }) | undefined> {
  const row = await lastRow(ctx)
  return row && { ...(row.report as StoredCheck), checkedAt: row.at }
}

function lastRow(ctx: Context) {
  return tables(ctx).selectFrom('book_checks').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
}
