import type { PolicyDecision } from '../policy/service.ts'
import { covers } from './list-rules.ts'
import type { ApprovalRow, WithdrawalRow } from './tables.ts'

/** What a decision requires: how many approvals, and whether the requester cannot approve. */
export type Requirement = { readonly needed: number; readonly fourEyes: boolean }

/** What a decision requires, when it does not block. */
export function requirementOf(decision: Exclude<PolicyDecision, { kind: 'block' }>): Requirement {
  return decision.kind === 'auto'
    ? { needed: 0, fourEyes: false }
    : { needed: decision.needed, fourEyes: decision.fourEyes }
}

/** Whether a newer decision requires more than the stored one. */
export function isStricter(now: Requirement, stands: Requirement): boolean {
  return now.needed > stands.needed || (now.fourEyes && !stands.fourEyes && stands.needed > 0)
}

type Approved = Pick<WithdrawalRow, 'digest' | 'four_eyes' | 'created_by_operator'>

/**
 * Whether an approval counts: it is over exactly these bytes, alone or in a list that contains them, its operator may still
 * approve, and is not the requester where four eyes are required.
 */
export function counts(approval: ApprovalRow, row: Approved, approvers: ReadonlySet<number>): boolean {
  const isListed = approval.list === null ? approval.list_id === null : covers(approval.list, row.digest)
  const isSame = approval.digest.equals(row.digest) && isListed
  const isOwn = row.four_eyes && approval.operator_id === row.created_by_operator
  return isSame && !isOwn && approvers.has(approval.operator_id)
}
