import { textOf } from '@kassa/contract/kit/reason.ts'
import { POLICY_RULES } from '@kassa/contract/payout-policy/reasons.ts'
import type { WithdrawalDetail } from '@kassa/contract/withdrawals/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { entriesOf, type StoredEntry } from '../../ledger/service.ts'
import { deliveriesOfPayout } from '../../webhooks/deliveries/service.ts'
import { sourcesOfPayout } from '../record/service.ts'
import { getFound, withdrawalShapes } from './service.ts'
import { type FoundPayout, listSteps } from './store.ts'

/** One payout with its history, the rule that decided about it, its ledger and its messages. @throws WITHDRAWAL_NOT_FOUND */
export async function payoutDetail(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  id: string,
): Promise<WithdrawalDetail> {
  const found = await getFound(ctx, { projectIds, id })
  const [shape] = await withdrawalShapes(ctx, [found])
  if (!shape) return fail('WITHDRAWAL_NOT_FOUND')
  const { decision } = found
  return {
    ...shape,
    timeline: await listSteps(ctx, found.id),
    policyDecision: {
      rule: decision.rule,
      approvalsNeeded: found.approvals_needed,
      policyVersion: found.policy_version,
      hourUsed: decision.hourUsed,
      dayUsed: decision.dayUsed,
      hourLimit: decision.hourLimit,
      limitUsed: decision.dayUsed,
      limit: decision.dayLimit,
      fourEyes: found.four_eyes,
    },
    sentence: sentenceOf(found),
    deliveries: await deliveriesOfPayout(ctx, found.id),
    journal: (await entriesOf(ctx, sourcesOfPayout(found))).flatMap(journalRows),
  }
}

function sentenceOf({ decision }: FoundPayout): string {
  const cause = { code: decision.rule, params: decision.params } as Parameters<typeof textOf<typeof POLICY_RULES>>[1]
  return decision.rule in POLICY_RULES ? textOf(POLICY_RULES, cause) : decision.rule
}

/** A journal entry as two rows per line: what was debited, then what was credited. */
function journalRows({ id, postedAt, posting, lines }: StoredEntry): WithdrawalDetail['journal'] {
  return lines.flatMap(({ debit, credit, units, unit }) => {
    const amount = formatUnits(units, unit.decimals)
    const row = { id: Number(id), at: postedAt, posting, asset: unit.currencyCode }
    return [
      { ...row, account: debit.kind, debit: amount, credit: null },
      { ...row, account: credit.kind, debit: null, credit: amount },
    ]
  })
}
