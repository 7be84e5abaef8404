import type { PolicyDecision } from '../policy/service.ts'

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
