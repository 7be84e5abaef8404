import type { Context } from '../../../context.ts'
import { approversOf } from '../policy/service.ts'
import { listApprovals } from '../record/approval-store.ts'
import { counts } from '../record/approvals.ts'
import { type ApprovedByOwn, type Decider, listApprovedByOwn } from './waiting-store.ts'

/**
 * Finds payouts that wait for an operator once more although they approved the very bytes: enough approvals count, and one of
 * their people lets the payout go again. Counts as the decision itself does (`record/approvals.ts`).
 */
export async function waitingAgain(ctx: Context, decider: Decider): Promise<bigint[]> {
  const approved = await listApprovedByOwn(ctx, decider)
  const given = await listApprovals(
    ctx,
    approved.map(({ id }) => id),
  )
  const approvers = await approversByGroup(ctx, approved)
  return approved
    .filter((row) => {
      const people = approvers.get(groupOf(row)) ?? new Set<number>()
      const counted = given.filter((one) => one.withdrawal_id === row.id && counts(one, row, people))
      return counted.length >= row.approvals_needed
    })
    .map(({ id }) => id)
}

async function approversByGroup(ctx: Context, rows: readonly ApprovedByOwn[]) {
  const found = new Map<string, ReadonlySet<number>>()
  for (const row of rows) {
    if (found.has(groupOf(row))) continue
    const people = await approversOf(ctx, row.project_id, row.type)
    found.set(groupOf(row), new Set(people.map(({ operatorId }) => operatorId)))
  }
  return found
}

function groupOf({ project_id, type }: ApprovedByOwn): string {
  return `${project_id} ${type}`
}
