/** Which payouts wait for a decision of one operator: the list, its count and the badge of the menu ask the same. */
import { type RawBuilder, sql } from 'kysely'

import type { ProjectScope } from '../../../context.ts'

export type Decider = {
  /** Null for whoever is no operator: nothing waits for them. */
  readonly operatorId: number | null
  /** The projects whose payouts they decide about, and those whose withdrawals of promoters. */
  readonly mayApprove: ProjectScope['projectIds']
  readonly mayApproveRewards: ProjectScope['projectIds']
}

/**
 * A condition on `payout`: it waits for an approval that this operator may give. Whoever asked under four eyes gives none, and
 * nobody gives two over the same bytes; one that came back with all it needs waits for any of its people to say so once more.
 */
export function waitsFor({ operatorId, mayApprove, mayApproveRewards }: Decider): RawBuilder<unknown> {
  if (operatorId === null) return sql`false`
  const given = sql`FROM withdrawal_approvals AS given WHERE given.withdrawal_id = payout.id AND given.digest = payout.digest
    AND NOT (payout.four_eyes AND given.operator_id IS NOT DISTINCT FROM payout.created_by_operator)`
  return sql`(payout.status = 'pending-approval'
    AND CASE payout.type WHEN 'withdrawal' THEN ${inProjects(mayApproveRewards)} ELSE ${inProjects(mayApprove)} END
    AND NOT (payout.four_eyes AND payout.created_by_operator IS NOT DISTINCT FROM ${operatorId})
    AND (NOT EXISTS (SELECT ${given} AND given.operator_id = ${operatorId})
      OR (SELECT count(DISTINCT given.operator_id) ${given}) >= payout.approvals_needed))`
}

function inProjects(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every' ? sql`true` : sql`payout.project_id = ANY(${[...projectIds]}::int[])`
}
