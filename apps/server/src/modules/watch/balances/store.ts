import type { BlockRef, Transfer } from '@kassa/chains/adapter.ts'
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WatchTables } from '../blocks/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables>()

/** An address whose customer may be paying in the coin of a blockchain. */
export type Candidate = {
  readonly addressId: bigint
  readonly address: string
  /** When the oldest of those payments was created. */
  readonly openedAt: Date
  /** Whether it has a snapshot. */
  readonly isKnown: boolean
}

/** The balance of an address at a block. */
export type Snapshot = { readonly addressId: bigint; readonly block: BlockRef; readonly units: bigint }

/** Payments that ended this long ago may still be paid (money.md 2.4). */
const RECENT_HOURS = 48

/** No payment is payable for longer than this after its last quote. */
const QUOTE_DAYS = 60

/**
 * Lists addresses of open or recent payments in a coin that are due for a snapshot: without one, or with a newest one
 * taken before `before` that is final; those checked longest ago first.
 */
export async function listCandidates(
  ctx: Context,
  due: { blockchainId: number; assetId: number; lasting: number; before: Date; limit: number },
): Promise<Candidate[]> {
  const recent = new Date(ctx.now().getTime() - RECENT_HOURS * 3_600_000)
  const quoted = new Date(ctx.now().getTime() - QUOTE_DAYS * 86_400_000)
  const { rows } = await sql<{ id: bigint; address: string; opened_at: Date; checked_at: Date | null }>`
    SELECT address.id, address.address, min(payment.created_at) AS opened_at, snapshot.checked_at
    FROM quotes AS quote
    JOIN payments AS payment ON payment.id = quote.payment_id
    JOIN addresses AS address ON address.id = quote.address_id
    CROSS JOIN LATERAL (
      SELECT max(height) AS height, max(checked_at) AS checked_at FROM address_snapshots
      WHERE blockchain_id = ${due.blockchainId} AND address_id = address.id
    ) AS snapshot
    WHERE quote.asset_id = ${due.assetId} AND quote.quoted_at >= ${quoted}
      AND (payment.status IN ('OPEN', 'PARTIALLY_FILLED') OR payment.expires_at >= ${recent})
      -- A time to come was set by a clock that has been corrected since.
      AND (snapshot.height IS NULL OR (snapshot.height <= ${due.lasting}
        AND (snapshot.checked_at < ${due.before} OR snapshot.checked_at > ${ctx.now()})))
    GROUP BY address.id, snapshot.checked_at
    ORDER BY snapshot.checked_at NULLS FIRST, address.id LIMIT ${due.limit}`.execute(ctx.db)
  return rows.map(({ id, address, opened_at: openedAt, checked_at: checkedAt }) => ({
    addressId: id,
    address,
    openedAt,
    isKnown: checkedAt !== null,
  }))
}

/** Finds our newest block that was mined by a time, or the oldest stored one when all are newer. */
export async function findBlockBefore(ctx: Context, blockchainId: number, time: Date): Promise<BlockRef | undefined> {
  const blocks = tables(ctx).selectFrom('chain_blocks').selectAll().where('blockchain_id', '=', blockchainId).limit(1)
  const row =
    (await blocks.where('mined_at', '<=', time).orderBy('height', 'desc').executeTakeFirst()) ??
    (await blocks.orderBy('height').executeTakeFirst())
  return row && blockOf(row)
}

/** Stores snapshots; an existing one at that height stays unchanged. */
export async function insertSnapshots(
  ctx: Context,
  blockchainId: number,
  snapshots: readonly Snapshot[],
): Promise<void> {
  if (snapshots.length === 0) return
  await tables(ctx)
    .insertInto('address_snapshots')
    .values(
      snapshots.map(({ addressId, block, units }) => ({
        blockchain_id: blockchainId,
        address_id: addressId,
        height: block.height,
        hash: block.hash,
        parent_hash: block.parentHash,
        mined_at: block.minedAt,
        units,
        checked_at: ctx.now(),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The oldest snapshot of an address and the newest lasting one, with the units explained in between. */
export type Pair = { readonly before: Snapshot; readonly after: Snapshot; readonly explained: bigint }

/** Lists addresses with two snapshots or more up to a height; with `addressId`, only that one. */
export async function listPairs(
  ctx: Context,
  { blockchainId, assetId, lasting, limit }: { blockchainId: number; assetId: number; lasting: number; limit: number },
  addressId: bigint | null = null,
): Promise<Pair[]> {
  const { rows } = await sql<PairRow>`
    SELECT before.address_id, to_json(before) AS before, to_json(after) AS after, before.units::text AS units_before,
      after.units::text AS units_after, (
        SELECT coalesce(sum(units), 0)::text FROM deposits AS deposit
        WHERE deposit.blockchain_id = ${blockchainId} AND deposit.asset_id = ${assetId}
          AND deposit.address_id = before.address_id AND deposit.status <> 'reverted'
          AND deposit.height > before.height AND deposit.height <= after.height
      ) AS deposited, (
        SELECT coalesce(sum(units), 0)::text FROM discrepancies AS discrepancy
        WHERE discrepancy.blockchain_id = ${blockchainId} AND discrepancy.asset_id = ${assetId}
          AND discrepancy.address_id = before.address_id AND discrepancy.state = 'booked' AND discrepancy.units > 0
          AND discrepancy.height > before.height
      ) AS booked, (
        SELECT coalesce(sum(CASE WHEN movement.to_address_id = before.address_id THEN movement.units ELSE 0 END
          - CASE WHEN movement.from_address_id = before.address_id THEN movement.units ELSE 0 END), 0)::text
        FROM movements AS movement
        WHERE movement.blockchain_id = ${blockchainId} AND movement.asset_id = ${assetId} AND movement.status <> 'reverted'
          AND before.address_id IN (movement.to_address_id, movement.from_address_id)
          AND movement.height > before.height AND movement.height <= after.height
      ) AS moved
    FROM (
      SELECT address_id, min(height) AS oldest, max(height) AS newest FROM address_snapshots
      WHERE blockchain_id = ${blockchainId} AND height <= ${lasting}
        AND (${addressId}::bigint IS NULL OR address_id = ${addressId})
      GROUP BY address_id HAVING count(*) > 1 LIMIT ${limit}
    ) AS span
    JOIN address_snapshots AS before ON before.blockchain_id = ${blockchainId} AND before.address_id = span.address_id
      AND before.height = span.oldest
    JOIN address_snapshots AS after ON after.blockchain_id = ${blockchainId} AND after.address_id = span.address_id
      AND after.height = span.newest`.execute(ctx.db)
  return rows.map((row) => ({
    before: snapshotOf(row, row.before, row.units_before),
    after: snapshotOf(row, row.after, row.units_after),
    // A rise that an operator booked as dust belongs to no customer. Nothing explains the network fee of what left the address,
    // so a rise after it is credited with that much less.
    explained: BigInt(row.deposited) + BigInt(row.booked) + BigInt(row.moved),
  }))
}

type SnapshotJson = { height: number; hash: string; parent_hash: string; mined_at: string }
type PairRow = {
  address_id: bigint
  before: SnapshotJson
  after: SnapshotJson
  units_before: string
  units_after: string
  deposited: string
  booked: string
  moved: string
}

function snapshotOf({ address_id: addressId }: PairRow, json: SnapshotJson, units: string): Snapshot {
  const { height, hash, parent_hash: parentHash, mined_at: minedAt } = json
  return { addressId, block: { height, hash, parentHash, minedAt: new Date(minedAt) }, units: BigInt(units) }
}

/** Deletes the snapshots of addresses from a height up to below another; returns how many. */
export async function deleteSnapshots(
  ctx: Context,
  blockchainId: number,
  spans: readonly { addressId: bigint; from: number; below: number }[],
): Promise<number> {
  if (spans.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM address_snapshots AS snapshot USING unnest(
      ${spans.map(({ addressId }) => String(addressId))}::bigint[], ${spans.map(({ from }) => from)}::bigint[],
      ${spans.map(({ below }) => below)}::bigint[]
    ) AS span (address_id, from_height, below_height)
    WHERE snapshot.blockchain_id = ${blockchainId} AND snapshot.address_id = span.address_id
      AND snapshot.height >= span.from_height AND snapshot.height < span.below_height`.execute(ctx.db)
  return Number(numAffectedRows)
}

/** Deletes snapshots of blocks above a height: the chain has left them. */
export async function deleteSnapshotsAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await tables(ctx)
    .deleteFrom('address_snapshots')
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>', BigInt(height))
    .execute()
}

/** Deletes snapshots that were not renewed since a time: no payment needs them any more. */
export async function deleteOldSnapshots(ctx: Context, blockchainId: number, before: Date): Promise<void> {
  await sql`
    DELETE FROM address_snapshots AS snapshot USING (
      SELECT address_id FROM address_snapshots WHERE blockchain_id = ${blockchainId}
      GROUP BY address_id HAVING max(checked_at) < ${before}
    ) AS old
    WHERE snapshot.blockchain_id = ${blockchainId} AND snapshot.address_id = old.address_id`.execute(ctx.db)
}

function blockOf(row: Selectable<WatchTables['chain_blocks']>): BlockRef {
  return { height: Number(row.height), hash: row.hash, parentHash: row.parent_hash, minedAt: row.mined_at }
}

/** Stores from which height on the deposit of this transfer covers what arrived. */
export async function insertBalanceDeposit(
  ctx: Context,
  { blockchainId, transfer, fromHeight }: { blockchainId: number; transfer: Transfer; fromHeight: number },
): Promise<void> {
  await sql`
    INSERT INTO balance_deposits (deposit_id, from_height)
    SELECT id, ${fromHeight} FROM deposits
    WHERE blockchain_id = ${blockchainId} AND tx_id = ${transfer.txId} AND leg = ${transfer.leg} AND status <> 'reverted'
    ON CONFLICT (deposit_id) DO UPDATE SET from_height = excluded.from_height`.execute(ctx.db)
}

/** The text of an address of ours. */
export async function findAddressText(ctx: Context, addressId: bigint): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`SELECT address FROM addresses WHERE id = ${addressId}`.execute(ctx.db)
  return rows[0]?.address ?? null
}
