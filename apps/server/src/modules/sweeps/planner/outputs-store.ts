import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** A transfer that brought money to a deposit address in one output. */
export type BroughtRow = {
  readonly address_id: bigint
  readonly tx_id: string
  readonly leg: string
  readonly units: string
}

/** Lists the booked transfers that brought deposit addresses what the ledger says they hold or held. */
export async function listBrought(
  ctx: Context,
  { assetId, addressIds }: { readonly assetId: number; readonly addressIds: readonly bigint[] },
): Promise<BroughtRow[]> {
  const ids = addressIds.map(String)
  const { rows } = await sql<BroughtRow>`
    SELECT address_id, tx_id, leg, units::text AS units FROM deposits
    WHERE asset_id = ${assetId} AND address_id = ANY(${ids}::bigint[]) AND status IN ('applied', 'unapplied', 'ignored')
    UNION ALL
    SELECT to_address_id, tx_id, leg, (units - fee_units)::text FROM movements
    WHERE asset_id = ${assetId} AND to_address_id = ANY(${ids}::bigint[]) AND status = 'final'`.execute(ctx.db)
  return rows
}
