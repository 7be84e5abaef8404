/** What the policy of a project decides of a payout (money.md 7.2): ordered rules, the first that matches decides. */
import type { PolicyBlock, PolicyRule } from '@kassa/contract/payout-policy/reasons.ts'
import type { FOUR_EYES } from '@kassa/contract/payout-policy/schemas.ts'
import { type Usd, USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

/** The rules in force, amounts in micro-dollars. */
export type PayoutPolicy = {
  readonly projectId: number
  /** Counts changes: part of what people approve. */
  readonly version: number
  readonly autoApproveLimit: Usd
  readonly hourlyLimit: Usd
  readonly dailyLimit: Usd
  readonly quorum: number
  /** More approvals above an amount. */
  readonly steps: readonly { readonly above: Usd; readonly approvals: number }[]
  readonly fourEyes: (typeof FOUR_EYES)[number]
  /** As their families spell them; empty: any address. */
  readonly allowList: ReadonlySet<string>
  readonly recipientDelayHours: number
  readonly paused: boolean
  /** People who may approve payouts of the project. */
  readonly approvers: number
}

/** What the project paid or decided to pay before this payout, at the prices of the decisions. */
export type PayoutHistory = { readonly lastHour: Usd; readonly lastDay: Usd }

/** What is known of a payout when it is decided about. */
export type PolicyQuestion = {
  /** Micro-dollars at the price of the decision; null without a price. */
  readonly usd: Usd | null
  /** In the one spelling of its family. */
  readonly address: string
  readonly addressProblem: 'address_invalid' | 'address_is_ours' | 'address_blocked' | null
  /** Since when the project knows the address: verified as a recipient, or paid before; null: never until now. */
  readonly knownSince: Date | null
  readonly asset: {
    readonly isPayable: boolean
    readonly decimals: number
    /** Bounds of one payout; null: none. */
    readonly minUnits: bigint | null
    readonly maxUnits: bigint | null
  }
  readonly units: bigint
  /** Referral payouts and the like: never without a person. */
  readonly alwaysByPeople: boolean
  /** False: more than the project has earned, where it may pay out no more than that. */
  readonly isEarned?: boolean
}

export type PolicyDecision =
  | { readonly kind: 'auto'; readonly rule: PolicyRule }
  /** `fourEyes`: whoever asked for the payout is none of those who approve it. */
  | { readonly kind: 'approvals'; readonly needed: number; readonly fourEyes: boolean; readonly rule: PolicyRule }
  /** `until`: when it ends by itself. */
  | ({ readonly kind: 'block'; readonly until?: Date } & PolicyBlock)

const HOUR_MS = 3_600_000

/**
 * Decides about a payout: it goes, it needs so many people, or it may not go. Pure and total. A policy that is stricter in
 * whatever respect never gives a milder answer.
 */
export function decide(
  policy: PayoutPolicy,
  history: PayoutHistory,
  payout: PolicyQuestion,
  now: Date,
): PolicyDecision {
  return blockOf(policy, payout, now) ?? approvalOf(policy, history, payout)
}

function blockOf(policy: PayoutPolicy, payout: PolicyQuestion, now: Date): PolicyDecision | null {
  if (policy.paused) return { kind: 'block', code: 'payouts_paused', params: {} }
  if (payout.addressProblem !== null) return { kind: 'block', code: payout.addressProblem, params: {} }
  if (policy.allowList.size > 0 && !policy.allowList.has(payout.address)) {
    return { kind: 'block', code: 'not_on_allow_list', params: {} }
  }
  const { isPayable, decimals, minUnits, maxUnits } = payout.asset
  if (!isPayable) return { kind: 'block', code: 'asset_not_payable', params: {} }
  const isBelow = minUnits !== null && payout.units < minUnits
  if (isBelow || (maxUnits !== null && payout.units > maxUnits)) {
    const text = (units: bigint | null) => (units === null ? null : formatUnits(units, decimals))
    return { kind: 'block', code: 'amount_out_of_range', params: { min: text(minUnits), max: text(maxUnits) } }
  }
  // Last: what ends by itself must not hide what does not.
  const hours = policy.recipientDelayHours
  const until = payableFrom(payout.knownSince ?? now, hours)
  // Without a delay nothing waits, not even what a process asked for whose clock is ahead of the sender's.
  if (hours > 0 && until > now) {
    return { kind: 'block', code: 'recipient_too_new', params: { until: until.toISOString(), hours }, until }
  }
  return null
}

function approvalOf(policy: PayoutPolicy, history: PayoutHistory, payout: PolicyQuestion): PolicyDecision {
  const rule = ruleOf(policy, history, payout)
  if (rule.code === 'within_auto_limit') return { kind: 'auto', rule }
  const needed = approvalsFor(policy, payout.usd)
  return { kind: 'approvals', needed, fourEyes: needsOther(policy, needed), rule }
}

/** The rule that asks for people; the steepest first, so that it names what matters most. */
function ruleOf(policy: PayoutPolicy, history: PayoutHistory, payout: PolicyQuestion): PolicyRule {
  const { usd, isEarned = true } = payout
  if (payout.alwaysByPeople) return { code: 'always_by_people', params: {} }
  if (!isEarned) return { code: 'not_earned', params: {} }
  if (usd === null) return { code: 'no_price', params: {} }
  const { hourlyLimit, dailyLimit, autoApproveLimit } = policy
  if (history.lastHour + usd > hourlyLimit) return { code: 'over_hourly_limit', params: limit(hourlyLimit) }
  if (history.lastDay + usd > dailyLimit) return { code: 'over_daily_limit', params: limit(dailyLimit) }
  // A limit of 0 is none: what is worth less than a millionth of a dollar still leaves unseen by nobody.
  if (autoApproveLimit > 0n && usd <= autoApproveLimit) {
    return { code: 'within_auto_limit', params: limit(autoApproveLimit) }
  }
  const step = policy.steps
    .filter(({ above }) => usd > above)
    .toSorted((one, other) => other.approvals - one.approvals)
    .find(({ approvals }) => approvals > policy.quorum)
  if (step) return { code: 'over_step', params: { aboveUSD: usdText(step.above), approvals: step.approvals } }
  return { code: 'over_auto_limit', params: limit(autoApproveLimit) }
}

function limit(usd: Usd) {
  return { limitInUSD: usdText(usd) }
}

/** People who must approve an amount; without a price, as many as for the largest. */
export function approvalsFor({ quorum, steps }: Pick<PayoutPolicy, 'quorum' | 'steps'>, usd: Usd | null): number {
  const reached = steps.filter(({ above }) => usd === null || usd > above)
  return Math.max(quorum, ...reached.map(({ approvals }) => approvals))
}

/**
 * Whether whoever asks for a payout is none of those who approve it. `auto`: where there is somebody else for each approval,
 * so that it never leaves a payout without approvers.
 */
export function needsOther({ fourEyes, approvers }: Pick<PayoutPolicy, 'fourEyes' | 'approvers'>, needed: number) {
  return fourEyes === 'always' || (fourEyes === 'auto' && approvers > needed)
}

/** Somebody who may approve payouts of the project, and whether they may ask for one as well. */
export type Approver = { readonly operatorId: number; readonly mayCreate: boolean }

/** How many people the rules need; more than there are cannot be met, and money would be stuck. */
export function peopleNeeded(
  policy: Pick<PayoutPolicy, 'quorum' | 'steps' | 'fourEyes'>,
  approvers: readonly Approver[],
): number {
  const needed = approvalsFor(policy, null)
  const isOwnExcluded = policy.fourEyes === 'always' && approvers.some(({ mayCreate }) => mayCreate)
  return isOwnExcluded ? needed + 1 : needed
}

/** When an address can be paid that is known since then. */
export function payableFrom(knownSince: Date, delayHours: number): Date {
  return new Date(knownSince.getTime() + delayHours * HOUR_MS)
}

/** Reads decimal text in US dollars as micro-dollars; further decimals must be zeros. */
export function microDollars(amount: string): Usd {
  const [whole = '0', fraction = ''] = amount.split('.')
  return parseUnits(`${whole}.${fraction.slice(0, USD_DECIMALS) || '0'}`, USD_DECIMALS)
}

/** Prints micro-dollars as decimal text. */
export function usdText(usd: Usd): string {
  return formatUnits(usd, USD_DECIMALS)
}
