import type { BlockRef } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'

/** An address of a customer with its booked units by asset, at the block the reader has reached. */
export type Booked = { readonly id: bigint; readonly address: string; readonly units: ReadonlyMap<number, bigint> }

/** Which addresses: all that are assigned to customers, by id, or those with an open discrepancy. */
export type Scope = { readonly only: 'all' | 'found'; readonly afterId: bigint; readonly limit: number }

/**
 * Reads in one statement, and so at one moment, the reader's position and the units booked by then on some addresses.
 */
export async function listBooked(
  ctx: Context,
  { blockchainId, familyId, assetIds }: { blockchainId: number; familyId: number; assetIds: readonly number[] },
  { only, afterId, limit }: Scope,
): Promise<{ readonly block: BlockRef; readonly booked: readonly Booked[] } | undefined> {
  const isFound = sql`EXISTS (SELECT FROM discrepancies AS discrepancy WHERE discrepancy.address_id = address.id
    AND discrepancy.blockchain_id = ${blockchainId} AND discrepancy.state = 'open')`
  const { rows } = await sql<BookedRow>`
    SELECT cursor.height, cursor.hash, cursor.parent_hash, cursor.block_time, page.id, page.address, (
      SELECT json_object_agg(asset_id, units) FROM (
        SELECT asset_id, sum(units)::text AS units FROM (
          SELECT unit_id AS asset_id, debits - credits AS units FROM accounts
          WHERE kind = 'chain:deposit-addresses' AND unit_id = ANY(${assetIds}::int[]) AND owner_key = 'address:' || page.id
          UNION ALL
          SELECT asset_id, deposit.units FROM deposits AS deposit
          WHERE deposit.customer_id = page.customer_id AND deposit.address_id = page.id
            AND deposit.blockchain_id = ${blockchainId} AND deposit.status = 'seen'
        ) AS line GROUP BY asset_id
      ) AS balances
    ) AS units
    FROM chain_cursors AS cursor
    LEFT JOIN LATERAL (
      SELECT address.id, address.address, address.customer_id FROM addresses AS address
      WHERE address.family_id = ${familyId} AND address.status = 'assigned' AND address.id > ${afterId}
        AND ${only === 'all' ? sql`true` : isFound}
      ORDER BY address.id LIMIT ${limit}
    ) AS page ON true
    WHERE cursor.blockchain_id = ${blockchainId}`.execute(ctx.db)
  const [first] = rows
  if (!first) return undefined
  const { height, hash, parent_hash: parentHash, block_time: minedAt } = first
  const booked = rows.flatMap(({ id, address, units }) => {
    if (id === null || address === null) return []
    const balances = Object.entries(units ?? {}).map(([assetId, text]): [number, bigint] => [
      Number(assetId),
      BigInt(text),
    ])
    return [{ id, address, units: new Map(balances) }]
  })
  return { block: { height: Number(height), hash, parentHash, minedAt }, booked }
}

type BookedRow = {
  height: bigint
  hash: string
  parent_hash: string
  block_time: Date
  id: bigint | null
  address: string | null
  units: Record<string, string> | null
}

/** A difference between what an address holds and what is booked on it. */
export type Discrepancy = {
  readonly id: number
  readonly blockchainId: number
  readonly assetId: number
  readonly addressId: bigint
  readonly address: string
  readonly projectId: number
  readonly units: bigint
  readonly height: number
  /** State of the rescan that searches for it; null while there was none. */
  readonly rescan: 'open' | 'done' | 'failed' | null
}

/** Opens a discrepancy, or updates the open one. */
export async function upsertDiscrepancy(
  ctx: Context,
  found: { blockchainId: number; assetId: number; addressId: bigint; units: bigint; height: number },
): Promise<void> {
  await sql`
    INSERT INTO discrepancies (blockchain_id, asset_id, address_id, units, height, found_at)
    VALUES (${found.blockchainId}, ${found.assetId}, ${found.addressId}, ${String(found.units)}, ${found.height},
      ${ctx.now()})
    ON CONFLICT (blockchain_id, asset_id, address_id) WHERE state = 'open'
    DO UPDATE SET units = excluded.units, height = excluded.height,
      rescan_id = CASE WHEN discrepancies.units = excluded.units THEN discrepancies.rescan_id END`.execute(ctx.db)
}

/** Lists the open discrepancies of a blockchain, oldest first. */
export async function listDiscrepancies(ctx: Context, blockchainId: number): Promise<Discrepancy[]> {
  const { rows } = await sql<FindingRow>`
    SELECT discrepancy.*, discrepancy.units::text AS units, address.address, address.project_id, rescan.state AS rescan_state
    FROM discrepancies AS discrepancy
    JOIN addresses AS address ON address.id = discrepancy.address_id
    LEFT JOIN rescans AS rescan ON rescan.id = discrepancy.rescan_id
    WHERE discrepancy.blockchain_id = ${blockchainId} AND discrepancy.state = 'open' ORDER BY discrepancy.id`.execute(
    ctx.db,
  )
  return rows.map((row) => ({
    id: row.id,
    blockchainId: row.blockchain_id,
    assetId: row.asset_id,
    addressId: row.address_id,
    address: row.address,
    projectId: row.project_id,
    units: BigInt(row.units),
    height: Number(row.height),
    rescan: row.rescan_state,
  }))
}

type FindingRow = {
  id: number
  blockchain_id: number
  asset_id: number
  address_id: bigint
  units: string
  height: bigint
  address: string
  project_id: number
  rescan_state: 'open' | 'done' | 'failed' | null
}

/** Stores the rescan that searches for open discrepancies. */
export async function updateDiscrepancyRescan(ctx: Context, ids: readonly number[], rescanId: number): Promise<void> {
  await sql`UPDATE discrepancies SET rescan_id = ${rescanId} WHERE id = ANY(${ids}::int[]) AND state = 'open'`.execute(
    ctx.db,
  )
}

/** Closes an open discrepancy; false when it is not open with these units any more. */
export async function endDiscrepancy(
  ctx: Context,
  { id, units }: Pick<Discrepancy, 'id' | 'units'>,
  state: 'closed' | 'booked',
  note: string | null,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE discrepancies SET state = ${state}, note = ${note}, ended_at = ${ctx.now()}
    WHERE id = ${id} AND state = 'open' AND units = ${String(units)}::numeric`.execute(ctx.db)
  return numAffectedRows === 1n
}

/** When every address of a blockchain was compared last. */
export async function findCompare(
  ctx: Context,
  blockchainId: number,
): Promise<{ day: string; height: number } | undefined> {
  const { rows } = await sql<{ day: string; height: bigint }>`
    SELECT day::text, height FROM chain_compares WHERE blockchain_id = ${blockchainId}`.execute(ctx.db)
  const [row] = rows
  return row && { day: row.day, height: Number(row.height) }
}

/** Records that every address was compared. */
export async function upsertCompare(ctx: Context, blockchainId: number, day: string, height: number): Promise<void> {
  await sql`
    INSERT INTO chain_compares (blockchain_id, day, height) VALUES (${blockchainId}, ${day}, ${height})
    ON CONFLICT (blockchain_id) DO UPDATE SET day = excluded.day, height = excluded.height`.execute(ctx.db)
}

/** Units that deposits brought to one address above a height, up to another. */
export async function depositedBetween(
  ctx: Context,
  { blockchainId, assetId, addressId }: Discrepancy,
  above: number,
  upTo: number,
): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(units), 0)::text AS units FROM deposits
    WHERE blockchain_id = ${blockchainId} AND asset_id = ${assetId} AND address_id = ${addressId} AND status <> 'reverted'
      AND height > ${above} AND height <= ${upTo}`.execute(ctx.db)
  return BigInt(rows[0]?.units ?? 0)
}
