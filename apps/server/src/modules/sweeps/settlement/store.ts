import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { ItemRow, SweepRow } from '../record/tables.ts'

type Above = { readonly blockchainId: number; readonly toHeight: number }

/** Lists the addresses of a sweep that have a transfer which was not reverted. */
export async function listAddressesMoving(ctx: Context, sweepId: bigint): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT from_address_id AS id FROM movements
    WHERE sweep_id = ${sweepId} AND status <> 'reverted' AND from_address_id IS NOT NULL`.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether the block of a sweep shows everything that it moved: only traces show what contracts forward of a native coin. */
export async function isSightComplete(ctx: Context, sweep: SweepRow): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    SELECT asset.standard <> 'native' OR ${sweep.final_height} > cursor.untraced_to AS complete
    FROM chain_cursors AS cursor JOIN assets AS asset ON asset.id = ${sweep.asset_id}
    WHERE cursor.blockchain_id = ${sweep.blockchain_id}`.execute(ctx.db)
  return rows[0]?.complete ?? false
}

/** Lists items that transfers of blocks above a height settled. */
export async function listSettledAbove(ctx: Context, { blockchainId, toHeight }: Above): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    SELECT item.* FROM movements AS movement JOIN sweep_items AS item ON item.movement_id = movement.id
    JOIN sweeps AS sweep ON sweep.id = item.sweep_id
    WHERE movement.blockchain_id = ${blockchainId} AND movement.height > ${toHeight} AND movement.status <> 'reverted'
      AND sweep.sent_by <> 'stranger'
    ORDER BY item.sweep_id, item.address_id`.execute(ctx.db)
  return rows
}

/** Lists sweeps that a block above a height decided. */
export async function listFinalAbove(ctx: Context, { blockchainId, toHeight }: Above): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM sweeps WHERE blockchain_id = ${blockchainId} AND final_height > ${toHeight}
      AND sent_by <> 'stranger'`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/**
 * Lists open items of addresses that lose final money of the same asset when the chain returns to a height: deposits, and what
 * we sent there.
 */
export async function listItemsOfUndone(ctx: Context, { blockchainId, toHeight }: Above): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    SELECT item.* FROM sweep_items AS item JOIN sweeps AS sweep ON sweep.id = item.sweep_id
    WHERE sweep.blockchain_id = ${blockchainId} AND sweep.status IN ('sweep-initiated', 'broadcast') AND item.state = 'open'
      AND (
        EXISTS (SELECT FROM deposits AS deposit WHERE deposit.address_id = item.address_id AND deposit.asset_id = item.asset_id
          AND deposit.blockchain_id = ${blockchainId} AND deposit.height > ${toHeight}
          AND deposit.status IN ('applied', 'unapplied', 'ignored', 'quarantined'))
        OR EXISTS (SELECT FROM movements AS movement WHERE movement.to_address_id = item.address_id
          AND movement.asset_id = item.asset_id AND movement.blockchain_id = ${blockchainId}
          AND movement.height > ${toHeight} AND movement.status = 'final')
      )
    ORDER BY item.sweep_id, item.address_id`.execute(ctx.db)
  return rows
}

/** Deletes sweeps that strangers made in blocks above a height. */
export async function deleteForeignAbove(ctx: Context, { blockchainId, toHeight }: Above): Promise<void> {
  const gone = sql`
    SELECT id FROM sweeps WHERE blockchain_id = ${blockchainId} AND sent_by = 'stranger' AND final_height > ${toHeight}`
  await sql`DELETE FROM sweep_items WHERE sweep_id IN (${gone})`.execute(ctx.db)
  await sql`DELETE FROM sweeps WHERE id IN (${gone})`.execute(ctx.db)
}

/**
 * Lists transactions in which every transfer of our deposit addresses was handed out to an operator's wallet in one sweep of
 * which nothing has moved yet, each with the newest such sweep.
 */
export async function listAdoptable(ctx: Context, blockchainId: number): Promise<{ sweepId: bigint; txId: string }[]> {
  const { rows } = await sql<{ sweepId: bigint; txId: string }>`
    WITH foreign_moves AS (
      SELECT tx_id, asset_id, from_address_id, units FROM movements
      WHERE blockchain_id = ${blockchainId} AND status = 'seen' AND kind = 'foreign-sweep'
    ), matched AS (
      SELECT move.tx_id, sweep.id, count(*) AS matches
      FROM foreign_moves AS move
      JOIN sweep_items AS item ON item.address_id = move.from_address_id AND item.asset_id = move.asset_id AND item.units = move.units
      JOIN sweeps AS sweep ON sweep.id = item.sweep_id
      WHERE sweep.sent_by = 'own-wallet' AND sweep.status IN ('sweep-initiated', 'broadcast', 'sweep-cancelled')
        AND sweep.tx_id IS DISTINCT FROM move.tx_id AND sweep.final_height IS NULL
        AND NOT EXISTS (SELECT FROM movements AS own WHERE own.sweep_id = sweep.id AND own.status <> 'reverted')
      GROUP BY move.tx_id, sweep.id
    )
    SELECT DISTINCT ON (matched.tx_id) matched.tx_id AS "txId", matched.id AS "sweepId"
    FROM matched
    WHERE matched.matches = (SELECT count(*) FROM foreign_moves AS move WHERE move.tx_id = matched.tx_id)
    ORDER BY matched.tx_id, matched.id DESC`.execute(ctx.db)
  return rows
}

/** Lists transactions that were handed out to devices and are in a block, but whose sweep does not say so yet. */
export async function listSeenOfDevices(
  ctx: Context,
  blockchainId: number,
): Promise<{ sweepId: bigint; txId: string }[]> {
  const { rows } = await sql<{ sweepId: bigint; txId: string }>`
    SELECT DISTINCT sweep.id AS "sweepId", move.tx_id AS "txId"
    FROM movements AS move JOIN sweeps AS sweep ON sweep.id = move.sweep_id
    WHERE move.blockchain_id = ${blockchainId} AND move.status = 'seen' AND move.kind = 'sweep' AND sweep.sent_by = 'device'
      AND (sweep.status IN ('planned', 'sweep-initiated', 'sweep-cancelled') OR sweep.tx_id IS DISTINCT FROM move.tx_id)
    ORDER BY 1`.execute(ctx.db)
  return rows
}

/** Stores a transaction that an operator's wallet sent for a sweep. */
export async function insertTransaction(
  ctx: Context,
  { id, blockchain_id }: Pick<SweepRow, 'id' | 'blockchain_id'>,
  txId: string,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO sweep_transactions (sweep_id, blockchain_id, tx_id, state, recorded_at)
    VALUES (${id}, ${blockchain_id}, ${txId}, 'sent', ${ctx.now()}) ON CONFLICT DO NOTHING`.execute(ctx.db)
  return numAffectedRows === 1n
}

/** Records that one transaction replaced the others of a sweep. */
export async function updateReplaced(ctx: Context, sweepId: bigint, txId: string): Promise<void> {
  await sql`
    UPDATE sweep_transactions SET state = 'replaced' WHERE sweep_id = ${sweepId} AND tx_id <> ${txId} AND state = 'sent'`.execute(
    ctx.db,
  )
}
