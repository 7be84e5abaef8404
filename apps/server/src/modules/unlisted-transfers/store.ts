import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'
import { recordset } from '../../db/recordset.ts'
import type { UnlistedTransferReads, UnlistedTransferTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<UnlistedTransferTables & UnlistedTransferReads>()

export type NewNotice = {
  readonly blockchain_id: number
  readonly tx_id: string
  readonly leg: string
  readonly contract: string
  readonly address_id: bigint
  readonly customer_id: number
  readonly project_id: number
  readonly units: bigint
  readonly height: number
  readonly mined_at: Date
  readonly seen_at: Date
}

/**
 * Inserts notices, at most `most` per address since a time; one that exists already only moves to its new block. Returns whose
 * they are. Two blockchains that write for one address at once may store a few more.
 */
export async function insertNotices(
  ctx: Context,
  notices: readonly NewNotice[],
  { most, since }: { most: number; since: Date },
): Promise<number[]> {
  const { rows } = await sql<{ customer_id: number }>`
    INSERT INTO unlisted_transfers (blockchain_id, tx_id, leg, contract, address_id, customer_id, project_id, units, height,
      mined_at, seen_at)
    SELECT blockchain_id, tx_id, leg, contract, address_id, customer_id, project_id, units, height, mined_at, seen_at
    FROM (
      SELECT new.*, row_number() OVER (PARTITION BY new.address_id ORDER BY new.height, new.tx_id, new.leg) AS nth
      FROM ${recordset('unlisted_transfers', notices)} AS new
    ) AS new
    WHERE nth + (
      SELECT count(*) FROM unlisted_transfers AS kept WHERE kept.address_id = new.address_id AND kept.seen_at >= ${since}
    ) <= ${most}
    ON CONFLICT (blockchain_id, tx_id, leg) DO UPDATE SET height = excluded.height, mined_at = excluded.mined_at
    RETURNING customer_id`.execute(ctx.db)
  return [...new Set(rows.map((row) => row.customer_id))]
}

/** Deletes the notices of a blockchain above a height; returns whose they were. */
export async function deleteAbove(ctx: Context, blockchainId: number, height: number): Promise<number[]> {
  const rows = await tables(ctx)
    .deleteFrom('unlisted_transfers')
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>', BigInt(height))
    .returning('customer_id')
    .execute()
  return [...new Set(rows.map((row) => row.customer_id))]
}

/** Deletes notices from before a time. */
export async function deleteSeenBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('unlisted_transfers').where('seen_at', '<', time).execute()
}

/** Lists contracts of a blockchain that were not asked for their name since their newest notice. */
export async function listUnasked(ctx: Context, blockchainId: number, limit: number): Promise<string[]> {
  const rows = await tables(ctx)
    .selectFrom('unlisted_transfers')
    .select('contract')
    .where('blockchain_id', '=', blockchainId)
    .where('asked_at', 'is', null)
    .groupBy('contract')
    .orderBy(sql`min(id)`)
    .limit(limit)
    .execute()
  return rows.map(({ contract }) => contract)
}

export type Claim = { readonly symbol: string | null; readonly decimals: number | null }

/** Stores the name of a contract with its notices that lack it; returns whose they are. */
export async function updateClaim(
  ctx: Context,
  { blockchainId, contract }: { blockchainId: number; contract: string },
  claim: Claim,
): Promise<number[]> {
  const rows = await tables(ctx)
    .updateTable('unlisted_transfers')
    .set({ ...claim, asked_at: ctx.now() })
    .where('blockchain_id', '=', blockchainId)
    .where('contract', '=', contract)
    .where('asked_at', 'is', null)
    .returning('customer_id')
    .execute()
  return [...new Set(rows.map((row) => row.customer_id))]
}

export type Notice = Claim & {
  readonly id: bigint
  readonly blockchainCode: string
  readonly txId: string
  readonly contract: string
  readonly to: string
  readonly customerId: number
  readonly projectId: number
  readonly units: bigint
  readonly minedAt: Date
}

/** Lists the newest notices of a customer from blocks of a time. */
export async function listOfCustomer(
  ctx: Context,
  customerId: number,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<Notice[]> {
  const rows = await notices(ctx)
    .where('notice.customer_id', '=', customerId)
    .where('notice.mined_at', '>=', from)
    .where('notice.mined_at', '<', to)
    .orderBy('notice.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

export type ProjectIds = readonly number[] | 'every'

/** Lists notices of projects, newest first. */
export async function listNotices(
  ctx: Context,
  projectIds: ProjectIds,
  { limit, offset, beforeId }: { limit: number; offset: number; beforeId: bigint | undefined },
): Promise<Notice[]> {
  const rows = await notices(ctx)
    .$if(projectIds !== 'every', (query) => query.where('notice.project_id', '=', anyOf(projectIds)))
    .$if(beforeId !== undefined, (query) => query.where('notice.id', '<', beforeId ?? 0n))
    .orderBy('notice.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(fromRow)
}

/** Totals are counted up to here; no page goes further. */
const MOST_COUNTED = 10_000

/** Counts notices of projects, at most `MOST_COUNTED` of them. */
export async function countNotices(ctx: Context, projectIds: ProjectIds): Promise<number> {
  const counted = tables(ctx)
    .selectFrom('unlisted_transfers')
    .select('id')
    .$if(projectIds !== 'every', (query) => query.where('project_id', '=', anyOf(projectIds)))
    .limit(MOST_COUNTED)
  const row = await tables(ctx)
    .selectFrom(counted.as('counted'))
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('n'))
    .executeTakeFirstOrThrow()
  return row.n
}

function notices(ctx: Context) {
  return tables(ctx)
    .selectFrom('unlisted_transfers as notice')
    .innerJoin('addresses as address', 'address.id', 'notice.address_id')
    .innerJoin('blockchains as chain', 'chain.id', 'notice.blockchain_id')
    .selectAll('notice')
    .select(['address.address', 'chain.code'])
}

type NoticeRow = Awaited<ReturnType<ReturnType<typeof notices>['execute']>>[number]

function fromRow(row: NoticeRow): Notice {
  return {
    id: row.id,
    blockchainCode: row.code,
    txId: row.tx_id,
    contract: row.contract,
    to: row.address,
    customerId: row.customer_id,
    projectId: row.project_id,
    units: BigInt(row.units),
    symbol: row.symbol,
    decimals: row.decimals,
    minedAt: row.mined_at,
  }
}

/** An empty list matches nothing, where `IN ()` would be no SQL. */
function anyOf(ids: ProjectIds): RawBuilder<number> {
  return sql<number>`ANY(${ids === 'every' ? [] : [...ids]}::int[])`
}
