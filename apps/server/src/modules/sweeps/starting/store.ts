import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { textOf } from '../../../db/recordset.ts'
import type { SweepMethod } from '../record/tables.ts'

/** One transaction of a stored plan. */
export type StoredBatch = {
  readonly walletId: number
  readonly method: SweepMethod
  readonly vault: string
  readonly collector: string
  /** US dollars as decimal text. */
  readonly usd: string
  readonly maxFee: string
  readonly items: readonly {
    readonly addressId: string
    readonly projectId: number | null
    readonly itemId: string
    readonly units: string
    /** The outputs to spend, where the money lies in outputs. */
    readonly outputs?: readonly { readonly tx_id: string; readonly vout: number; readonly units: string }[]
  }[]
}

type StoredPlan = { readonly id: string; readonly assetId: number; readonly batches: readonly StoredBatch[] }

/** Stores a plan until it expires. */
export async function insertPlan(
  ctx: Context,
  plan: StoredPlan & { readonly createdBy: number | null; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    INSERT INTO sweep_plans (id, asset_id, batches, created_by, created_at, expires_at)
    VALUES (${plan.id}, ${plan.assetId}, ${textOf(plan.batches)}::jsonb, ${plan.createdBy}, ${ctx.now()}, ${plan.expiresAt})`.execute(
    ctx.db,
  )
}

/** Finds a plan that is neither expired nor started. */
export async function findPlan(ctx: Context, id: string): Promise<StoredPlan | undefined> {
  const { rows } = await sql<StoredPlan>`
    SELECT id::text AS id, asset_id AS "assetId", batches FROM sweep_plans
    WHERE id::text = ${id} AND used_at IS NULL AND expires_at > ${ctx.now()}`.execute(ctx.db)
  return rows[0]
}

/** Takes a plan that is neither expired nor started; of any number of callers exactly one gets it. */
export async function takePlan(ctx: Context, id: string): Promise<StoredPlan | undefined> {
  const { rows } = await sql<StoredPlan>`
    UPDATE sweep_plans SET used_at = ${ctx.now()}
    WHERE id::text = ${id} AND used_at IS NULL AND expires_at > ${ctx.now()}
    RETURNING id::text AS id, asset_id AS "assetId", batches`.execute(ctx.db)
  return rows[0]
}

/** Deletes plans that can no longer be started. */
export async function deleteOldPlans(ctx: Context, before: Date): Promise<void> {
  await sql`DELETE FROM sweep_plans WHERE expires_at < ${before}`.execute(ctx.db)
}

type StuckSend = { readonly feeAssetId: number; readonly feeCeiling: bigint }

/** A send that no block takes although its fee reached the ceiling. */
export async function findStuckSend(ctx: Context, sendId: bigint): Promise<StuckSend | undefined> {
  const { rows } = await sql<{ fee_asset_id: number; fee_ceiling: string }>`
    SELECT fee_asset_id, fee_ceiling::text AS fee_ceiling FROM sends WHERE id = ${sendId} AND stuck_at IS NOT NULL`.execute(
    ctx.db,
  )
  return rows[0] && { feeAssetId: rows[0].fee_asset_id, feeCeiling: BigInt(rows[0].fee_ceiling) }
}
