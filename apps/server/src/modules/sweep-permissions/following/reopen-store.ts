import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** Records that no block holds the transaction of a permission any more. */
export async function updateUnmined(ctx: Context, id: bigint): Promise<void> {
  await sql`
    UPDATE sweep_permissions SET height = NULL, fee_units = NULL, approved_at = NULL WHERE id = ${id}`.execute(ctx.db)
}

/** Expires what an address has signed in place of a permission; false when an older one has that sequence. */
export async function expireNewer(ctx: Context, id: bigint): Promise<boolean> {
  const isInItsPlace = sql`
    own.id = ${id} AND other.address_id = own.address_id AND other.blockchain_id = own.blockchain_id
      AND other.asset_id IS NOT DISTINCT FROM own.asset_id AND other.kind = own.kind
      AND other.kind <> 'transfer_tx' AND other.state <> 'stale'`
  await sql`
    UPDATE sweep_permissions AS other SET state = 'stale' FROM sweep_permissions AS own
    WHERE ${isInItsPlace} AND other.id > own.id`.execute(ctx.db)
  const { rows } = await sql`
    SELECT FROM sweep_permissions AS other, sweep_permissions AS own
    WHERE ${isInItsPlace} AND other.id < own.id`.execute(ctx.db)
  return rows.length === 0
}
