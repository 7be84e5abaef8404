/** Which payouts wait for a decision of one operator: the list, its count and the badge of the menu ask the same. */
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import type { WithdrawalRow } from '../record/tables.ts'

export type Decider = {
  /** Null for whoever is no operator: nothing waits for them. */
  readonly operatorId: number | null
  /** The projects whose payouts they decide about, and those whose withdrawals of promoters. */
  readonly mayApprove: ProjectScope['projectIds']
  readonly mayApproveRewards: ProjectScope['projectIds']
}

/** Lists payouts that wait for approval and that this operator requested, or whose stored bytes they have approved. */
export async function listInvolved(ctx: Context, decider: Decider): Promise<WithdrawalRow[]> {
  const { rows } = await sql<WithdrawalRow>`
    SELECT payout.* FROM withdrawals AS payout WHERE ${mayDecide(decider)} AND ${isInvolved(decider)}
    ORDER BY payout.id`.execute(ctx.db)
  return rows
}

/**
 * A condition on `payout`: it waits for an approval that this operator may give. Of those that they requested or approved, only
 * `involved` (`stillWaiting`).
 */
export function waitsFor(decider: Decider, involved: readonly bigint[]): RawBuilder<unknown> {
  return sql`(${mayDecide(decider)}
    AND (NOT ${isInvolved(decider)} OR payout.id = ANY(${involved.map(String)}::bigint[])))`
}

function mayDecide({ operatorId, mayApprove, mayApproveRewards }: Decider): RawBuilder<unknown> {
  if (operatorId === null) return sql`false`
  return sql`(payout.status = 'pending-approval'
    AND CASE payout.type WHEN 'withdrawal' THEN ${inProjects(mayApproveRewards)} ELSE ${inProjects(mayApprove)} END)`
}

function isInvolved({ operatorId }: Decider): RawBuilder<unknown> {
  return sql`(payout.created_by_operator IS NOT DISTINCT FROM ${operatorId}::int
    OR EXISTS (SELECT FROM withdrawal_approvals AS given WHERE given.withdrawal_id = payout.id
      AND given.digest = payout.digest AND given.operator_id = ${operatorId}))`
}

function inProjects(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every' ? sql`true` : sql`payout.project_id = ANY(${[...projectIds]}::int[])`
}
