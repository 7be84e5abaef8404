import type { PolicyDecision } from '../policy/service.ts'
import type { ApprovalRow, WithdrawalRow } from './tables.ts'

/** What a decision asks for: how many people, and whether whoever asked is none of them. */
export type Asked = { readonly needed: number; readonly fourEyes: boolean }

/** What a decision asks for that is no refusal. */
export function askedBy(decision: Exclude<PolicyDecision, { kind: 'block' }>): Asked {
  return decision.kind === 'auto'
    ? { needed: 0, fourEyes: false }
    : { needed: decision.needed, fourEyes: decision.fourEyes }
}

/** Whether a newer decision asks for more than the one that stands. */
export function isStricter(now: Asked, stands: Asked): boolean {
  return now.needed > stands.needed || (now.fourEyes && !stands.fourEyes && stands.needed > 0)
}

type Approved = Pick<WithdrawalRow, 'digest' | 'four_eyes' | 'created_by_operator'>

/**
 * Whether an approval counts: it is over exactly these bytes, its operator may still approve, and is not who asked where
 * four eyes are needed.
 */
export function counts(approval: ApprovalRow, row: Approved, approvers: ReadonlySet<number>): boolean {
  const isSame = approval.digest.equals(row.digest)
  const isOwn = row.four_eyes && approval.operator_id === row.created_by_operator
  return isSame && !isOwn && approvers.has(approval.operator_id)
}
