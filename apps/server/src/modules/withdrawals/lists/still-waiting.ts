import type { Context } from '../../../context.ts'
import { approversOf } from '../policy/service.ts'
import { listApprovals } from '../record/approval-store.ts'
import { counts } from '../record/approvals.ts'
import type { ApprovalRow, WithdrawalRow } from '../record/tables.ts'
import { withCurrentPolicy } from './current-policy.ts'
import { type Decider, listInvolved } from './waiting-store.ts'

/**
 * Finds payouts that wait for an operator although they requested them or have approved their bytes. It decides as the decision
 * itself does, by the policy as it is now: under four eyes the requester gives no approval, and nobody gives two over the same
 * bytes, unless enough of them count and one of their people lets the payout go again.
 */
export async function stillWaiting(ctx: Context, decider: Decider): Promise<bigint[]> {
  const involved = await withCurrentPolicy(ctx, await listInvolved(ctx, decider))
  const given = Map.groupBy(
    await listApprovals(
      ctx,
      involved.map(({ id }) => id),
    ),
    (one) => one.withdrawal_id,
  )
  const approvers = await approversByGroup(ctx, involved)
  return involved
    .filter((row) => {
      const people = approvers.get(groupOf(row)) ?? new Set<number>()
      return isWaiting(row, given.get(row.id) ?? [], { people, operatorId: decider.operatorId })
    })
    .map(({ id }) => id)
}

type Asked = { readonly people: ReadonlySet<number>; readonly operatorId: number | null }

function isWaiting(row: WithdrawalRow, given: readonly ApprovalRow[], { people, operatorId }: Asked): boolean {
  if (row.four_eyes && row.created_by_operator === operatorId) return false
  const isGiven = given.some((one) => one.operator_id === operatorId && one.digest.equals(row.digest))
  return !isGiven || given.filter((one) => counts(one, row, people)).length >= row.approvals_needed
}

async function approversByGroup(ctx: Context, rows: readonly WithdrawalRow[]) {
  const found = new Map<string, ReadonlySet<number>>()
  for (const row of rows) {
    if (found.has(groupOf(row))) continue
    const people = await approversOf(ctx, row.project_id, row.type)
    found.set(groupOf(row), new Set(people.map(({ operatorId }) => operatorId)))
  }
  return found
}

function groupOf({ project_id, type }: WithdrawalRow): string {
  return `${project_id} ${type}`
}
