/** What addresses must hold by the rows that the chain made: deposits, movements, and what operators booked (money.md 4.6). */
import type { BlockRef } from '@kassa/chains/adapter.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'

/** An address that is compared: a customer's, or one of a hot or cold wallet. */
export type Place =
  | { readonly role: 'deposit'; readonly addressId: bigint; readonly ownAddressId: null }
  | { readonly role: 'hot' | 'cold'; readonly addressId: null; readonly ownAddressId: bigint }

/** An address with the units it must hold by asset, at a block. */
export type Expected = {
  readonly place: Place
  readonly address: string
  readonly units: ReadonlyMap<number, bigint>
  /** What sends in no known block may have cost; a balance that is lower by up to this is not a difference yet. */
  readonly pending: ReadonlyMap<number, bigint>
}

export type ExpectedPage = {
  readonly block: BlockRef
  readonly expected: readonly Expected[]
  /** The last address of the page; null when there was none left. */
  readonly lastId: bigint | null
}

/** Which addresses: all, by id, or those with an open discrepancy or a drawn deposit that is not booked. */
export type Scope = { readonly only: 'all' | 'found'; readonly afterId: bigint; readonly limit: number }

type Chain = { readonly blockchainId: number; readonly familyId: number; readonly assetIds: readonly number[] }

/** A drawn deposit is a difference until an operator books it; one that returned to its own address changed nothing. */
const IS_EXPLAINED = sql`(movement.kind <> 'deposit-drawn' OR movement.booked_at IS NOT NULL
  OR movement.from_address IS NOT DISTINCT FROM movement.to_address)`

/** The rows of one customer's address, above a height and up to another. */
function rowsOfDeposit(blockchainId: number, address: RawBuilder<unknown>, above: number, upTo: RawBuilder<unknown>) {
  const span = (row: string) => sql`${sql.ref(row)}.height > ${above} AND ${sql.ref(row)}.height <= ${upTo}`
  return sql`
    SELECT deposit.asset_id, deposit.units FROM deposits AS deposit
    WHERE deposit.address_id = ${address} AND deposit.customer_id = (SELECT customer_id FROM addresses WHERE id = ${address})
      AND deposit.blockchain_id = ${blockchainId} AND deposit.status <> 'reverted' AND ${span('deposit')}
    UNION ALL
    SELECT discrepancy.asset_id, discrepancy.units FROM discrepancies AS discrepancy
    WHERE discrepancy.address_id = ${address} AND discrepancy.blockchain_id = ${blockchainId}
      AND discrepancy.state = 'booked' AND discrepancy.units > 0 AND ${span('discrepancy')}
    UNION ALL
    SELECT movement.asset_id, movement.units - movement.fee_units AS units FROM movements AS movement
    WHERE movement.to_address_id = ${address} AND movement.blockchain_id = ${blockchainId}
      AND movement.status <> 'reverted' AND ${span('movement')}
    UNION ALL
    SELECT movement.asset_id, -movement.units FROM movements AS movement
    WHERE movement.from_address_id = ${address} AND movement.blockchain_id = ${blockchainId}
      AND movement.status <> 'reverted' AND ${IS_EXPLAINED} AND ${span('movement')}
    UNION ALL
    SELECT coin.id, -permission.fee_units FROM sweep_permissions AS permission
    JOIN assets AS coin ON coin.blockchain_id = permission.blockchain_id AND coin.standard = 'native'
    WHERE permission.address_id = ${address} AND permission.blockchain_id = ${blockchainId} AND permission.fee_units > 0
      AND ${span('permission')}`
}

/**
 * What transactions signed by a customer's address may have cost or spent, while no block of them is known. A node calls an
 * output spent as soon as a waiting transaction spends it, and a device that signed a batch may have broadcast it without us.
 */
function pendingOfDeposit(blockchainId: number, address: RawBuilder<unknown>) {
  return sql`
    SELECT coin.id AS asset_id, permission.max_fee AS units FROM sweep_permissions AS permission
    JOIN assets AS coin ON coin.blockchain_id = permission.blockchain_id AND coin.standard = 'native'
    WHERE permission.address_id = ${address} AND permission.blockchain_id = ${blockchainId} AND permission.state = 'broadcast'
    UNION ALL
    SELECT coin.id, input.units FROM sweep_inputs AS input
    JOIN assets AS coin ON coin.blockchain_id = input.blockchain_id AND coin.standard = 'native'
    WHERE input.address_id = ${address} AND input.blockchain_id = ${blockchainId} AND input.released_at IS NULL
      AND NOT EXISTS (
        SELECT FROM movements AS movement JOIN sweep_psbts AS psbt USING (tx_id)
        WHERE psbt.sweep_id = input.sweep_id AND movement.from_address_id = ${address} AND movement.status <> 'reverted')`
}

/** The same rows of one own address. */
function rowsOfOwn(own: RawBuilder<unknown>, above: number, upTo: RawBuilder<unknown>) {
  const span = sql`movement.status <> 'reverted' AND movement.height > ${above} AND movement.height <= ${upTo}`
  return sql`
    SELECT movement.asset_id, movement.units - movement.fee_units AS units FROM own_addresses AS own JOIN movements AS movement
      ON movement.to_wallet_id = own.wallet_id AND movement.blockchain_id = own.blockchain_id AND movement.to_address = own.address
    WHERE own.id = ${own} AND ${span}
    UNION ALL
    SELECT movement.asset_id, -movement.units FROM own_addresses AS own JOIN movements AS movement
      ON movement.from_wallet_id = own.wallet_id AND movement.blockchain_id = own.blockchain_id AND movement.from_address = own.address
    WHERE own.id = ${own} AND ${span}
    UNION ALL
    SELECT send.fee_asset_id, -attempt.fee_units FROM own_addresses AS own
    JOIN sends AS send ON send.wallet_id = own.wallet_id AND send.blockchain_id = own.blockchain_id AND send.from_address = own.address
    JOIN send_attempts AS attempt ON attempt.send_id = send.id
    WHERE own.id = ${own} AND attempt.fee_units > 0 AND attempt.height > ${above} AND attempt.height <= ${upTo}`
}

const sumsOf = (rows: RawBuilder<unknown>) => sql`(
  SELECT json_object_agg(asset_id, units) FROM (
    SELECT asset_id, sum(units)::text AS units FROM (${rows}) AS row GROUP BY asset_id) AS sums)`

/** Amounts and fee ceilings of the undecided sends of an own address that may be in a block up to a height. */
function pendingOf(own: RawBuilder<unknown>, upTo: RawBuilder<unknown>) {
  return sql`
    SELECT line.asset_id, line.units FROM own_addresses AS own
    JOIN sends AS send ON send.wallet_id = own.wallet_id AND send.blockchain_id = own.blockchain_id AND send.from_address = own.address
    CROSS JOIN LATERAL (VALUES (send.asset_id, send.units), (send.fee_asset_id, send.fee_ceiling)) AS line (asset_id, units)
    WHERE own.id = ${own} AND send.state IN ('initiated', 'sent') AND send.planned_height <= ${upTo} AND line.asset_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM send_attempts AS attempt WHERE attempt.send_id = send.id AND attempt.height IS NOT NULL)`
}

/**
 * Computes what customers' addresses must hold, in one statement and so at one moment: as of the newest block that was read, or
 * of an earlier one.
 */
export async function expectOfDeposits(
  ctx: Context,
  { blockchainId, familyId }: Chain,
  { only, afterId, limit, upTo }: UpTo & Scope,
): Promise<ExpectedPage | undefined> {
  const isFound = sql`(
    EXISTS (SELECT FROM discrepancies AS discrepancy WHERE discrepancy.address_id = address.id
      AND discrepancy.blockchain_id = ${blockchainId} AND discrepancy.state = 'open')
    OR EXISTS (SELECT FROM movements AS movement WHERE movement.from_address_id = address.id
      AND movement.blockchain_id = ${blockchainId} AND movement.status <> 'reverted' AND NOT ${IS_EXPLAINED}))`
  const { rows } = await sql<PageRow>`
    SELECT block.height, block.hash, block.parent_hash, block.mined_at, page.id, page.address, 'deposit' AS role,
      ${sumsOf(pendingOfDeposit(blockchainId, sql`page.id`))} AS pending,
      ${sumsOf(rowsOfDeposit(blockchainId, sql`page.id`, -1, sql`block.height`))} AS units
    FROM ${newestBlock(blockchainId, upTo)} AS block
    LEFT JOIN LATERAL (
      SELECT address.id, address.address FROM addresses AS address
      WHERE address.family_id = ${familyId} AND address.status = 'assigned' AND address.id > ${afterId}
        AND ${only === 'all' ? sql`true` : isFound}
      ORDER BY address.id LIMIT ${limit}
    ) AS page ON true`.execute(ctx.db)
  return pageOf(rows)
}

/**
 * Computes what hot and cold wallets must hold, as of the newest block of this depth: by then the server's own spends are
 * known, and nodes still have the state. `upTo` asks for a block of any depth; what may have been spent then is pending.
 */
export async function expectOfWallets(
  ctx: Context,
  { blockchainId }: Chain,
  { afterId, limit, depth, upTo }: UpTo & Omit<Scope, 'only'> & { readonly depth: number },
): Promise<ExpectedPage | undefined> {
  const deepBlock = sql`(
      SELECT block.* FROM chain_cursors AS cursor JOIN chain_blocks AS block USING (blockchain_id)
      WHERE cursor.blockchain_id = ${blockchainId}
        AND block.height <= greatest(cursor.finalized_height, cursor.height - ${depth}::bigint + 1)
      ORDER BY block.height DESC LIMIT 1
    )`
  const { rows } = await sql<PageRow>`
    SELECT block.height, block.hash, block.parent_hash, block.mined_at, page.id, page.address, page.role,
      ${sumsOf(rowsOfOwn(sql`page.id`, -1, sql`block.height`))} AS units, ${sumsOf(pendingOf(sql`page.id`, sql`block.height`))} AS pending
    FROM ${upTo === undefined ? deepBlock : newestBlock(blockchainId, upTo)} AS block
    LEFT JOIN LATERAL (
      SELECT own.id, own.address, own.role FROM own_addresses AS own
      WHERE own.blockchain_id = ${blockchainId} AND own.role IN ('hot', 'cold') AND own.id > ${afterId}
      ORDER BY own.id LIMIT ${limit}
    ) AS page ON true`.execute(ctx.db)
  return pageOf(rows)
}

/** A block that our rows have passed; without it, the newest one that was read. */
type UpTo = { readonly upTo?: number }

/** The block of the cursor, or an older one. Its hash is always the cursor's, because callers with `upTo` use only the height. */
function newestBlock(blockchainId: number, upTo: number | undefined): RawBuilder<unknown> {
  return sql`(
      SELECT ${upTo === undefined ? sql`cursor.height` : sql`least(cursor.height, ${upTo}::bigint)`} AS height,
        cursor.hash, cursor.parent_hash, cursor.block_time AS mined_at
      FROM chain_cursors AS cursor WHERE cursor.blockchain_id = ${blockchainId}
    )`
}

type PageRow = {
  height: bigint
  hash: string
  parent_hash: string
  mined_at: Date
  id: bigint | null
  address: string | null
  role: Place['role'] | null
  units: Record<string, string> | null
  pending: Record<string, string> | null
}

function pageOf(rows: readonly PageRow[]): ExpectedPage | undefined {
  const [first] = rows
  if (!first) return undefined
  const { height, hash, parent_hash: parentHash, mined_at: minedAt } = first
  const expected = rows.flatMap(({ id, address, role, units, pending }): Expected[] => {
    if (id === null || address === null || role === null) return []
    return [{ place: placeOf(role, id), address, units: sumsIn(units), pending: sumsIn(pending) }]
  })
  return { block: { height: Number(height), hash, parentHash, minedAt }, expected, lastId: rows.at(-1)?.id ?? null }
}

function sumsIn(sums: Record<string, string> | null): ReadonlyMap<number, bigint> {
  return new Map(Object.entries(sums ?? {}).map(([assetId, text]) => [Number(assetId), BigInt(text)]))
}

/** The place of an id in the table of its role. */
export function placeOf(role: Place['role'], id: bigint): Place {
  return role === 'deposit' ? { role, addressId: id, ownAddressId: null } : { role, addressId: null, ownAddressId: id }
}

/** Units of an asset that a place must have gained above a height, up to another. */
export async function gainedBetween(
  ctx: Context,
  { blockchainId, assetId, place }: { readonly blockchainId: number; readonly assetId: number; readonly place: Place },
  above: number,
  upTo: number,
): Promise<bigint> {
  const end = sql`${upTo}::bigint`
  const rows =
    place.role === 'deposit'
      ? rowsOfDeposit(blockchainId, sql`${place.addressId}::bigint`, above, end)
      : rowsOfOwn(sql`${place.ownAddressId}::bigint`, above, end)
  const found = await sql<{ units: string }>`
    SELECT coalesce(sum(units), 0)::text AS units FROM (${rows}) AS row WHERE asset_id = ${assetId}`.execute(ctx.db)
  return BigInt(found.rows[0]?.units ?? 0)
}

/** A transfer that brought coins to a customer's address, in one output. */
export type Brought = {
  readonly address_id: bigint
  readonly asset_id: number
  readonly tx_id: string
  readonly leg: string
  readonly units: string
}

/** Lists what brought customers' addresses their coins, final or not. */
export async function listBrought(
  ctx: Context,
  { addressIds, assetIds }: { readonly addressIds: readonly bigint[]; readonly assetIds: readonly number[] },
): Promise<Brought[]> {
  const ids = addressIds.map(String)
  const { rows } = await sql<Brought>`
    SELECT address_id, asset_id, tx_id, leg, units::text AS units FROM deposits
    WHERE address_id = ANY(${ids}::bigint[]) AND asset_id = ANY(${assetIds}::int[]) AND status <> 'reverted'
    UNION ALL
    SELECT to_address_id, asset_id, tx_id, leg, (units - fee_units)::text FROM movements
    WHERE to_address_id = ANY(${ids}::bigint[]) AND asset_id = ANY(${assetIds}::int[]) AND status <> 'reverted'`.execute(
    ctx.db,
  )
  return rows
}
