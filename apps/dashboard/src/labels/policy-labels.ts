/** Which rule of the payout policy decided, in words. */
import { POLICY_RULES } from '@kassa/contract/payout-policy/reasons.ts'
import type { PayoutQuote } from '@kassa/contract/withdrawals/batch.ts'
import type { WithdrawalDetail } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { usd } from '../lib/text/format.ts'
import { reasonText, type Words } from './reason-text.ts'

function over(limit: string): string {
  return Number(limit) === 0 ? t`for every amount` : t`over ${usd(limit)}`
}

const RULES: Words<typeof POLICY_RULES> = {
  within_auto_limit: ({ limitInUSD }) => t`up to ${usd(limitInUSD)}`,
  over_auto_limit: ({ limitInUSD }) => over(limitInUSD),
  over_step: ({ aboveUSD }) => over(aboveUSD),
  over_hourly_limit: ({ limitInUSD }) => t`over ${usd(limitInUSD)} within an hour`,
  over_daily_limit: ({ limitInUSD }) => t`over ${usd(limitInUSD)} within a day`,
  no_price: () => t`there is no price`,
  not_earned: () => t`more than the project has earned`,
  always_by_people: () => t`every payout needs approval`,
}

type Limits = {
  readonly autoApproveLimitInUSD: string
  readonly quorumRules: readonly { readonly aboveUSD: string }[]
}

/** Up to which amount nobody is asked: the limit without approval, or the lowest step below it. Unfinished amounts are left out. */
export function unaskedUpTo({ autoApproveLimitInUSD: limit, quorumRules }: Limits): string {
  const steps = quorumRules.map(({ aboveUSD }) => aboveUSD).filter((above) => /^\d+(\.\d+)?$/.test(above))
  return [limit, ...steps].toSorted((one, other) => Number(one) - Number(other))[0] ?? limit
}

type Decided = Pick<WithdrawalDetail['policyDecision'], 'reason' | 'approvalsNeeded' | 'fourEyes'>

/** Returns how many approvals the policy asks for, by which rule, and whether the requester can give one: to the requester. */
export function quotedText({ rule, approvalsNeeded, fourEyes }: PayoutQuote['policy']): string {
  return decisionText({ reason: rule, approvalsNeeded, fourEyes }, (people, why) => t`${people}, not yours: ${why}`)
}

/** Returns the same about a requested payout, to whoever looks at it. */
export function decidedText(decided: Decided): string {
  return decisionText(decided, (people, why) => t`${people}, not by the one who requested it: ${why}`)
}

function decisionText(
  { reason, approvalsNeeded, fourEyes }: Decided,
  byOthers: (people: string, why: string) => string,
): string {
  const why = reasonText(POLICY_RULES, RULES, reason)
  if (approvalsNeeded === 0) return t`No approval needed: ${why}`
  const people = plural(approvalsNeeded, { one: '# approval', other: '# approvals' })
  return fourEyes ? byOthers(people, why) : t`${people}: ${why}`
}
