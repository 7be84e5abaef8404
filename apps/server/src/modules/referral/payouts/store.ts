import { sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'

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

/** Lists what these payouts take; payouts that take no rewards are absent. */
export async function listClaims(ctx: Context, ids: readonly bigint[]): Promise<ClaimRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ClaimRow>`
    SELECT payout.id, payout.referrer_id, promoter.code, promoter.email, payout.reward_unit_id,
      payout.reward_units::text AS reward_units, payout.reward_ready::text AS reward_ready
    FROM withdrawals AS payout JOIN referrers AS promoter ON promoter.id = payout.referrer_id
    WHERE payout.id = ANY(${ids.map(String)}::bigint[])`.execute(ctx.db)
  return rows
}

export type ClaimMetrics = { readonly waiting: number; readonly processed_usd: string; readonly failed: number }

/** Counts the withdrawals of rewards that have not been sent, and those that ended since a time. */
export async function findClaimMetrics(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  since: Date,
): Promise<ClaimMetrics> {
  const { rows } = await sql<ClaimMetrics>`
    SELECT count(*) FILTER (WHERE status IN ('pending-approval', 'pending'))::int AS waiting,
      coalesce(sum(amount_usd) FILTER (WHERE status = 'processed' AND ended_at > ${since}), 0)::text AS processed_usd,
      count(*) FILTER (WHERE status = 'failed' AND ended_at > ${since})::int AS failed
    FROM withdrawals
    WHERE ${projectIds === 'every' ? sql`true` : sql`project_id = ANY(${[...projectIds]}::int[])`} AND type = 'withdrawal'
      AND (status IN ('pending-approval', 'pending') OR ended_at > ${since})`.execute(ctx.db)
  return rows[0] ?? { waiting: 0, processed_usd: '0', failed: 0 }
}
