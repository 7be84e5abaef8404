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

/** A payout that an operator has approved, as it is now, and that waits for approval all the same. */
export type ApprovedByOwn = Pick<
  WithdrawalRow,
  'id' | 'project_id' | 'type' | 'digest' | 'four_eyes' | 'created_by_operator' | 'approvals_needed'
>

/** Lists payouts that wait for approval although this operator has approved the same bytes. */
export async function listApprovedByOwn(ctx: Context, decider: Decider): Promise<ApprovedByOwn[]> {
  const { rows } = await sql<ApprovedByOwn>`
    SELECT payout.id, payout.project_id, payout.type, payout.digest, payout.four_eyes, payout.created_by_operator,
      payout.approvals_needed
    FROM withdrawals AS payout WHERE ${mayDecide(decider)} AND ${hasApproved(decider)} ORDER BY payout.id`.execute(
    ctx.db,
  )
  return rows
}

/**
 * A condition on `payout`: it waits for an approval that this operator may give. Whoever asked under four eyes gives none, and
 * nobody gives two over the same bytes, except over those of `again` (`waitingAgain`).
 */
export function waitsFor(decider: Decider, again: readonly bigint[]): RawBuilder<unknown> {
  return sql`(${mayDecide(decider)}
    AND (NOT ${hasApproved(decider)} OR payout.id = ANY(${again.map(String)}::bigint[])))`
}

function mayDecide({ operatorId, mayApprove, mayApproveRewards }: Decider): RawBuilder<unknown> {
  if (operatorId === null) return sql`false`
  return sql`(payout.status = 'pending-approval'
    AND CASE payout.type WHEN 'withdrawal' THEN ${inProjects(mayApproveRewards)} ELSE ${inProjects(mayApprove)} END
    AND NOT (payout.four_eyes AND payout.created_by_operator IS NOT DISTINCT FROM ${operatorId}))`
}

function hasApproved({ operatorId }: Decider): RawBuilder<unknown> {
  return sql`EXISTS (SELECT FROM withdrawal_approvals AS given WHERE given.withdrawal_id = payout.id
    AND given.digest = payout.digest AND given.operator_id = ${operatorId})`
}

function inProjects(projectIds: ProjectScope['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every' ? sql`true` : sql`payout.project_id = ANY(${[...projectIds]}::int[])`
}
