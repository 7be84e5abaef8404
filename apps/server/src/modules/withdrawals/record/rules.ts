import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'

import type { PolicyDecision } from '../policy/service.ts'

const HOUR_MS = 3_600_000

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

/** Why rewards wait after a change of their promoter's e-mail address; null once the promoter has had it for these hours. */
export function emailWait(
  changedAt: Date | null,
  { hours, now }: { readonly hours: number; readonly now: Date },
): Cause<PayoutWaits> | null {
  if (changedAt === null || hours === 0) return null
  const until = new Date(changedAt.getTime() + hours * HOUR_MS)
  return until <= now ? null : { code: 'EMAIL_CHANGED', params: { until: until.toISOString() } }
}
