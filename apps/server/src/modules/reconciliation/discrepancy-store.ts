import type { BlockRef } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'

/** An address of a customer with what the books say is on it, by asset, at the block where the reader stands. */
export type Booked = { readonly id: bigint; readonly address: string; readonly units: ReadonlyMap<number, bigint> }

/** Which addresses: all that were given to customers, by id, or those with an open finding. */
export type Scope = { readonly only: 'all' | 'found'; readonly afterId: bigint; readonly limit: number }

/** Reads in one statement, so at one moment, where the reader stands and what is booked by then on some addresses. */
export async function listBooked(
  ctx: Context,
  { blockchainId, familyId, assetIds }: { blockchainId: number; familyId: number; assetIds: readonly number[] },
  { only, afterId, limit }: Scope,
): Promise<{ readonly block: BlockRef; readonly booked: readonly Booked[] } | undefined> {
  const isFound = sql`EXISTS (SELECT FROM chain_findings AS finding WHERE finding.address_id = address.id
    AND finding.blockchain_id = ${blockchainId} AND finding.state = 'open')`
  const { rows } = await sql<BookedRow>`
    SELECT cursor.height, cursor.hash, cursor.parent_hash, cursor.block_time, page.id, page.address, (
      SELECT json_object_agg(asset_id, units) FROM (
        SELECT asset_id, sum(units)::text AS units FROM (
          SELECT asset_id, debits - credits AS units FROM accounts
          WHERE kind = 'chain:deposit-addresses' AND asset_id = ANY(${assetIds}::int[]) AND owner_key = 'address:' || page.id
          UNION ALL
          SELECT asset_id, deposit.units FROM deposits AS deposit
          WHERE deposit.customer_id = page.customer_id AND deposit.address_id = page.id
            AND deposit.blockchain_id = ${blockchainId} AND deposit.status IN ('seen', 'confirmed')
        ) AS line GROUP BY asset_id
      ) AS held
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
    const held = Object.entries(units ?? {}).map(([assetId, text]): [number, bigint] => [Number(assetId), BigInt(text)])
    return [{ id, address, units: new Map(held) }]
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
  /** State of the rescan that looks for it; null while there was none. */
  readonly rescan: 'open' | 'done' | 'failed' | null
}

/** Opens a finding, or renews the one that is open. */
export async function upsertFinding(
  ctx: Context,
  found: { blockchainId: number; assetId: number; addressId: bigint; units: bigint; height: number },
): Promise<void> {
  await sql`
    INSERT INTO chain_findings (blockchain_id, asset_id, address_id, units, height, found_at)
    VALUES (${found.blockchainId}, ${found.assetId}, ${found.addressId}, ${String(found.units)}, ${found.height},
      ${ctx.now()})
    ON CONFLICT (blockchain_id, asset_id, address_id) WHERE state = 'open'
    DO UPDATE SET units = excluded.units, height = excluded.height,
      rescan_id = CASE WHEN chain_findings.units = excluded.units THEN chain_findings.rescan_id END`.execute(ctx.db)
}

/** Lists what is open on a blockchain, oldest first. */
export async function listFindings(ctx: Context, blockchainId: number): Promise<Discrepancy[]> {
  const { rows } = await sql<FindingRow>`
    SELECT finding.*, finding.units::text AS units, address.address, address.project_id, rescan.state AS rescan_state
    FROM chain_findings AS finding
    JOIN addresses AS address ON address.id = finding.address_id
    LEFT JOIN rescans AS rescan ON rescan.id = finding.rescan_id
    WHERE finding.blockchain_id = ${blockchainId} AND finding.state = 'open' ORDER BY finding.id`.execute(ctx.db)
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

/** Remembers by which rescan open findings are looked for. */
export async function updateFindingRescan(ctx: Context, ids: readonly number[], rescanId: number): Promise<void> {
  await sql`UPDATE chain_findings SET rescan_id = ${rescanId} WHERE id = ANY(${ids}::int[]) AND state = 'open'`.execute(
    ctx.db,
  )
}

/** Ends an open finding; false when it is not open with these units any more. */
export async function endFinding(
  ctx: Context,
  { id, units }: Pick<Discrepancy, 'id' | 'units'>,
  state: 'closed' | 'booked',
  note: string | null,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE chain_findings SET state = ${state}, note = ${note}, ended_at = ${ctx.now()}
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

/** Notes that every address was compared. */
export async function upsertCompare(ctx: Context, blockchainId: number, day: string, height: number): Promise<void> {
  await sql`
    INSERT INTO chain_compares (blockchain_id, day, height) VALUES (${blockchainId}, ${day}, ${height})
    ON CONFLICT (blockchain_id) DO UPDATE SET day = excluded.day, height = excluded.height`.execute(ctx.db)
}

/** What deposits of one address brought after a height, up to another. */
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
