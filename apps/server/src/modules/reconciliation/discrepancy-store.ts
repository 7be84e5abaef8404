import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { type Place, placeOf } from './facts-store.ts'

/** A difference between what an address holds and what is booked on it. */
export type Discrepancy = {
  readonly id: number
  readonly blockchainId: number
  readonly assetId: number
  readonly place: Place
  readonly address: string
  /** Null on an address that no customer has. */
  readonly projectId: number | null
  /** The wallet of its address; of a deposit address, the wallet it is derived from. */
  readonly walletId: number
  readonly units: bigint
  readonly height: number
  /** What our rows up to that height said that the address holds; null in what an older version found. */
  readonly expected: bigint | null
  /** State of the rescan that searches for it; null while there was none. */
  readonly rescan: 'open' | 'done' | 'failed' | null
}

/** Opens a discrepancy, or updates the open one. */
export async function upsertDiscrepancy(
  ctx: Context,
  found: { blockchainId: number; assetId: number; place: Place; units: bigint; expected: bigint; height: number },
): Promise<void> {
  const { addressId, ownAddressId } = found.place
  const where = addressId === null ? sql.ref('own_address_id') : sql.ref('address_id')
  await sql`
    INSERT INTO discrepancies (blockchain_id, asset_id, address_id, own_address_id, units, expected_units, height, found_at)
    VALUES (${found.blockchainId}, ${found.assetId}, ${addressId}, ${ownAddressId}, ${String(found.units)},
      ${String(found.expected)}, ${found.height}, ${ctx.now()})
    ON CONFLICT (blockchain_id, asset_id, ${where}) WHERE state = 'open'
    DO UPDATE SET units = excluded.units, expected_units = excluded.expected_units, height = excluded.height,
      rescan_id = CASE WHEN discrepancies.units = excluded.units THEN discrepancies.rescan_id END`.execute(ctx.db)
}

/** Lists the open discrepancies of a blockchain, or those that were booked; oldest first. */
export async function listDiscrepancies(
  ctx: Context,
  blockchainId: number,
  state: 'open' | 'booked' = 'open',
): Promise<Discrepancy[]> {
  const { rows } = await sql<FindingRow>`
    SELECT discrepancy.*, discrepancy.units::text AS units, discrepancy.expected_units::text AS expected_units,
      coalesce(address.address, own.address) AS address,
      coalesce(own.role, 'deposit') AS role, coalesce(own.wallet_id, address.wallet_id) AS wallet_id, address.project_id,
      rescan.state AS rescan_state
    FROM discrepancies AS discrepancy
    LEFT JOIN addresses AS address ON address.id = discrepancy.address_id
    LEFT JOIN own_addresses AS own ON own.id = discrepancy.own_address_id
    LEFT JOIN rescans AS rescan ON rescan.id = discrepancy.rescan_id
    WHERE discrepancy.blockchain_id = ${blockchainId} AND discrepancy.state = ${state} ORDER BY discrepancy.id`.execute(
    ctx.db,
  )
  return rows.map((row) => ({
    id: row.id,
    blockchainId: row.blockchain_id,
    assetId: row.asset_id,
    place: placeOf(row.role, row.address_id ?? row.own_address_id ?? 0n),
    address: row.address,
    projectId: row.project_id,
    walletId: row.wallet_id,
    units: BigInt(row.units),
    expected: row.expected_units === null ? null : BigInt(row.expected_units),
    height: Number(row.height),
    rescan: row.rescan_state,
  }))
}

type FindingRow = {
  id: number
  blockchain_id: number
  asset_id: number
  address_id: bigint | null
  own_address_id: bigint | null
  role: Place['role']
  wallet_id: number
  units: string
  expected_units: string | null
  height: bigint
  address: string
  project_id: number | null
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

/** Closes a discrepancy that was booked; false when another process did. */
export async function closeBooked(ctx: Context, id: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE discrepancies SET state = 'closed', ended_at = ${ctx.now()} WHERE id = ${id} AND state = 'booked'`.execute(
    ctx.db,
  )
  return numAffectedRows === 1n
}

/** When every address of a blockchain was last compared. */
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
