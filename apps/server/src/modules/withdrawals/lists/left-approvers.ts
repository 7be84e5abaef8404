/** Who can still approve payouts that wait for it. */
import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import { foreseeApprovals, policyOf, type PayoutPolicy } from '../policy/service.ts'
import { isStricter, type Requirement } from '../record/rules.ts'
import type { WithdrawalRow } from '../record/tables.ts'

type Waiting = Pick<
  WithdrawalRow,
  'id' | 'status' | 'type' | 'project_id' | 'amount_usd' | 'approvals_needed' | 'four_eyes' | 'decision'
>

/**
 * What approving each of these payouts requires: what was stored, or what the policy asks for now where that is stricter, as the
 * decision itself has it. Only of those that wait for approval.
 */
export async function requirementsOf(ctx: Context, rows: readonly Waiting[]): Promise<Map<bigint, Requirement>> {
  const policies = new Map<number, PayoutPolicy>()
  const found = new Map<bigint, Requirement>()
  for (const row of rows) {
    if (row.status !== 'pending-approval') continue
    const policy = policies.get(row.project_id) ?? (await policyOf(ctx, row.project_id))
    policies.set(row.project_id, policy)
    found.set(row.id, inForce(policy, row))
  }
  return found
}

function inForce(policy: PayoutPolicy, row: Waiting): Requirement {
  const stands = { needed: row.approvals_needed, fourEyes: row.four_eyes }
  const usd = usdOf(row.decision.list?.amountInUSD ?? row.amount_usd)
  const now = foreseeApprovals(policy, { usd, alwaysByPeople: row.type === 'withdrawal' })
  return now !== null && isStricter(now, stands) ? now : stands
}

type Asked = {
  readonly fourEyes: boolean
  readonly requester: number | null
  readonly approvers: ReadonlySet<number>
  readonly given: readonly { readonly memberID: number; readonly counts: boolean }[]
}

/** How many people may approve a payout and have not: never its requester where four eyes are required. */
export function countLeft({ fourEyes, requester, approvers, given }: Asked): number {
  const counted = new Set(given.filter((one) => one.counts).map((one) => one.memberID))
  return [...approvers].filter((id) => !counted.has(id) && !(fourEyes && id === requester)).length
}
