import type { BlockRef, Transfer } from '@kassa/chains/adapter.ts'
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WatchTables } from '../blocks/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables>()

/** An address whose customer may be paying in the coin of a blockchain. */
export type Candidate = {
  readonly addressId: bigint
  readonly address: string
  /** When the oldest of those payments was made. */
  readonly openedAt: Date
  /** Whether it was looked at before. */
  readonly isKnown: boolean
}

/** What an address held at a block. */
export type Snapshot = { readonly addressId: bigint; readonly block: BlockRef; readonly units: bigint }

/** Payments that ended this long ago may still be paid (money.md 2.4). */
const RECENT_HOURS = 48

/** No payment asks for longer than this after its last quote. */
const QUOTE_DAYS = 60

/**
 * Lists addresses of open or recent payments in a coin that are due to be looked at: never looked at, or not since `before`
 * and without a look that still waits to be final; those looked at longest ago last.
 */
export async function listCandidates(
  ctx: Context,
  due: { blockchainId: number; assetId: number; lasting: number; before: Date; limit: number },
): Promise<Candidate[]> {
  const recent = new Date(ctx.now().getTime() - RECENT_HOURS * 3_600_000)
  const quoted = new Date(ctx.now().getTime() - QUOTE_DAYS * 86_400_000)
  const { rows } = await sql<{ id: bigint; address: string; opened_at: Date; looked_at: Date | null }>`
    SELECT address.id, address.address, min(payment.created_at) AS opened_at, look.looked_at
    FROM quotes AS quote
    JOIN payments AS payment ON payment.id = quote.payment_id
    JOIN addresses AS address ON address.id = quote.address_id
    CROSS JOIN LATERAL (
      SELECT max(height) AS height, max(looked_at) AS looked_at FROM balance_looks
      WHERE blockchain_id = ${due.blockchainId} AND address_id = address.id
    ) AS look
    WHERE quote.asset_id = ${due.assetId} AND quote.quoted_at >= ${quoted}
      AND (payment.status IN ('OPEN', 'PARTIALLY_FILLED') OR payment.expires_at >= ${recent})
      AND (look.height IS NULL OR (look.height <= ${due.lasting} AND look.looked_at < ${due.before}))
    GROUP BY address.id, look.looked_at
    ORDER BY look.looked_at NULLS FIRST, address.id LIMIT ${due.limit}`.execute(ctx.db)
  return rows.map(({ id, address, opened_at: openedAt, looked_at: lookedAt }) => ({
    addressId: id,
    address,
    openedAt,
    isKnown: lookedAt !== null,
  }))
}

/** Finds our newest block that was mined by a time, or the oldest that is kept when all are newer. */
export async function findBlockBefore(ctx: Context, blockchainId: number, time: Date): Promise<BlockRef | undefined> {
  const blocks = tables(ctx).selectFrom('chain_blocks').selectAll().where('blockchain_id', '=', blockchainId).limit(1)
  const row =
    (await blocks.where('mined_at', '<=', time).orderBy('height', 'desc').executeTakeFirst()) ??
    (await blocks.orderBy('height').executeTakeFirst())
  return row && blockOf(row)
}

/** Keeps looks; one that exists at that height stays as it is. */
export async function insertSnapshots(ctx: Context, blockchainId: number, looks: readonly Snapshot[]): Promise<void> {
  if (looks.length === 0) return
  await tables(ctx)
    .insertInto('balance_looks')
    .values(
      looks.map(({ addressId, block, units }) => ({
        blockchain_id: blockchainId,
        address_id: addressId,
        height: block.height,
        hash: block.hash,
        parent_hash: block.parentHash,
        mined_at: block.minedAt,
        units,
        looked_at: ctx.now(),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The oldest look at an address and the newest that will stay, with what happened in between. */
export type Pair = { readonly before: Snapshot; readonly after: Snapshot; readonly explained: bigint }

/** Lists addresses with two looks or more up to a height; `addressId` asks about one. */
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
        SELECT coalesce(sum(units), 0)::text FROM chain_findings AS finding
        WHERE finding.blockchain_id = ${blockchainId} AND finding.asset_id = ${assetId}
          AND finding.address_id = before.address_id AND finding.state = 'booked' AND finding.height > before.height
      ) AS booked
    FROM (
      SELECT address_id, min(height) AS oldest, max(height) AS newest FROM balance_looks
      WHERE blockchain_id = ${blockchainId} AND height <= ${lasting}
        AND (${addressId}::bigint IS NULL OR address_id = ${addressId})
      GROUP BY address_id HAVING count(*) > 1 LIMIT ${limit}
    ) AS span
    JOIN balance_looks AS before ON before.blockchain_id = ${blockchainId} AND before.address_id = span.address_id
      AND before.height = span.oldest
    JOIN balance_looks AS after ON after.blockchain_id = ${blockchainId} AND after.address_id = span.address_id
      AND after.height = span.newest`.execute(ctx.db)
  return rows.map((row) => ({
    before: lookOf(row, row.before, row.units_before),
    after: lookOf(row, row.after, row.units_after),
    // What a person booked as nobody's is no customer's. Deposit addresses send nothing yet, and are sent no gas: sweeps and
    // top-ups will be counted here as well.
    explained: BigInt(row.deposited) + BigInt(row.booked),
  }))
}

type LookJson = { height: number; hash: string; parent_hash: string; mined_at: string }
type PairRow = {
  address_id: bigint
  before: LookJson
  after: LookJson
  units_before: string
  units_after: string
  deposited: string
  booked: string
}

function lookOf({ address_id: addressId }: PairRow, json: LookJson, units: string): Snapshot {
  const { height, hash, parent_hash: parentHash, mined_at: minedAt } = json
  return { addressId, block: { height, hash, parentHash, minedAt: new Date(minedAt) }, units: BigInt(units) }
}

/** Forgets the looks of addresses from a height up to below another; returns how many. */
export async function deleteSnapshots(
  ctx: Context,
  blockchainId: number,
  spans: readonly { addressId: bigint; from: number; below: number }[],
): Promise<number> {
  if (spans.length === 0) return 0
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM balance_looks AS look USING unnest(
      ${spans.map(({ addressId }) => String(addressId))}::bigint[], ${spans.map(({ from }) => from)}::bigint[],
      ${spans.map(({ below }) => below)}::bigint[]
    ) AS span (address_id, from_height, below_height)
    WHERE look.blockchain_id = ${blockchainId} AND look.address_id = span.address_id
      AND look.height >= span.from_height AND look.height < span.below_height`.execute(ctx.db)
  return Number(numAffectedRows)
}

/** Forgets looks at blocks above a height: the chain has left them. */
export async function deleteSnapshotsAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await tables(ctx)
    .deleteFrom('balance_looks')
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>', BigInt(height))
    .execute()
}

/** Forgets looks that nobody renewed since a time: nothing is asked there any more. */
export async function deleteOldSnapshots(ctx: Context, blockchainId: number, before: Date): Promise<void> {
  await sql`
    DELETE FROM balance_looks AS look USING (
      SELECT address_id FROM balance_looks WHERE blockchain_id = ${blockchainId}
      GROUP BY address_id HAVING max(looked_at) < ${before}
    ) AS old
    WHERE look.blockchain_id = ${blockchainId} AND look.address_id = old.address_id`.execute(ctx.db)
}

function blockOf(row: Selectable<WatchTables['chain_blocks']>): BlockRef {
  return { height: Number(row.height), hash: row.hash, parentHash: row.parent_hash, minedAt: row.mined_at }
}

/** Remembers from where on the deposit of this transfer covers what came. */
export async function insertBalanceDeposit(
  ctx: Context,
  { blockchainId, transfer, fromHeight }: { blockchainId: number; transfer: Transfer; fromHeight: number },
): Promise<void> {
  await sql`
    INSERT INTO balance_finds (deposit_id, from_height)
    SELECT id, ${fromHeight} FROM deposits
    WHERE blockchain_id = ${blockchainId} AND tx_id = ${transfer.txId} AND leg = ${transfer.leg} AND status <> 'reverted'
    ON CONFLICT (deposit_id) DO UPDATE SET from_height = excluded.from_height`.execute(ctx.db)
}

/** The text of an address of ours. */
export async function findAddressText(ctx: Context, addressId: bigint): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`SELECT address FROM addresses WHERE id = ${addressId}`.execute(ctx.db)
  return rows[0]?.address ?? null
}
