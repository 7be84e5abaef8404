import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** What a payout takes, and from whom. */
export type ClaimRow = {
  readonly id: bigint
  readonly referrer_id: number
  readonly code: string
  readonly email: string
  readonly reward_unit_id: number
  readonly reward_units: string
  readonly reward_ready: string
}

/** What these payouts take; those that take no rewards are left out. */
export async function listClaims(ctx: Context, ids: readonly bigint[]): Promise<ClaimRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ClaimRow>`
    SELECT payout.id, payout.referrer_id, promoter.code, promoter.email, payout.reward_unit_id,
      payout.reward_units::text AS reward_units, payout.reward_ready::text AS reward_ready
    FROM withdrawals AS payout JOIN referrers AS promoter ON promoter.id = payout.referrer_id
    WHERE payout.id = ANY(${ids.map(String)}::bigint[])`.execute(ctx.db)
  return rows
}
