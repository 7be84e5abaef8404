import { textOf } from '@kassa/contract/kit/reason.ts'
import { POLICY_RULES } from '@kassa/contract/payout-policy/reasons.ts'
import type { WithdrawalDetail } from '@kassa/contract/withdrawals/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { entriesOf, rowsOfEntry } from '../../ledger/service.ts'
import { deliveriesOfPayout } from '../../webhooks/deliveries/service.ts'
import { sourcesOfPayout } from '../record/service.ts'
import { withCurrentPolicy } from './current-policy.ts'
import { getFound, withdrawalShapes } from './service.ts'
import { type FoundPayout, listSteps } from './store.ts'

/** One payout with its history, the rule that decided about it, its ledger and its messages. @throws WITHDRAWAL_NOT_FOUND */
export async function payoutDetail(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  id: string,
): Promise<WithdrawalDetail> {
  const [found] = await withCurrentPolicy(ctx, [await getFound(ctx, { projectIds, id })])
  const [shape] = found ? await withdrawalShapes(ctx, [found]) : []
  if (!found || !shape) return fail('WITHDRAWAL_NOT_FOUND')
  const { decision } = found
  const reason = reasonOf(decision)
  const { list } = decision
  return {
    ...shape,
    timeline: await listSteps(ctx, found.id),
    policyDecision: {
      rule: decision.rule,
      reason,
      approvalsNeeded: found.approvals_needed,
      policyVersion: found.policy_version,
      hourUsed: decision.hourUsed,
      dayUsed: decision.dayUsed,
      hourLimit: decision.hourLimit,
      limitUsed: decision.dayUsed,
      limit: decision.dayLimit,
      fourEyes: found.four_eyes,
      list: list ? { payouts: list.payouts, amountInUSD: list.amountInUSD } : null,
    },
    sentence: reason.text,
    deliveries: await deliveriesOfPayout(ctx, found.id),
    journal: (await entriesOf(ctx, sourcesOfPayout(found))).flatMap(rowsOfEntry),
  }
}

/** The rule with its English text; a rule of an older version is its own text. */
function reasonOf({ rule, params }: FoundPayout['decision']): WithdrawalDetail['policyDecision']['reason'] {
  const cause = { code: rule, params } as Parameters<typeof textOf<typeof POLICY_RULES>>[1]
  return { ...cause, text: rule in POLICY_RULES ? textOf(POLICY_RULES, cause) : rule }
}
