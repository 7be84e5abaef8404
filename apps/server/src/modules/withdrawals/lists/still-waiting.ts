import type { Context } from '../../../context.ts'
import { listApprovals } from '../record/approval-store.ts'
import { counts } from '../record/approvals.ts'
import type { ApprovalRow, WithdrawalRow } from '../record/tables.ts'
import { withCurrentPolicy } from './current-policy.ts'
import { approversFor } from './decider.ts'
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
  const approvers = await approversFor(ctx, involved)
  return involved
    .filter((row) =>
      isWaiting(row, given.get(row.id) ?? [], { people: approvers(row), operatorId: decider.operatorId }),
    )
    .map(({ id }) => id)
}

type Asked = { readonly people: ReadonlySet<number>; readonly operatorId: number | null }

function isWaiting(row: WithdrawalRow, given: readonly ApprovalRow[], { people, operatorId }: Asked): boolean {
  if (row.four_eyes && row.created_by_operator === operatorId) return false
  const isGiven = given.some((one) => one.operator_id === operatorId && one.digest.equals(row.digest))
  return !isGiven || given.filter((one) => counts(one, row, people)).length >= row.approvals_needed
}
