/** What the policy of a project decides about a payout (money.md 7.2): ordered rules; the first that matches decides. */
import type { PolicyBlock, PolicyRule } from '@kassa/contract/payout-policy/reasons.ts'
import type { FOUR_EYES } from '@kassa/contract/payout-policy/schemas.ts'
import { type Usd, USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

/** The rules in force, amounts in micro-dollars. */
export type PayoutPolicy = {
  readonly projectId: number
  /** Counts changes of the policy; people approve a payout under one version. */
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

/** Everything that the decision depends on. */
export type PolicyQuestion = {
  /** Micro-dollars at the price of the decision; null without a price. */
  readonly usd: Usd | null
  /** In its family's spelling. */
  readonly address: string
  readonly addressProblem: 'address_invalid' | 'address_is_ours' | 'address_blocked' | null
  /** Since when the project knows the address: verified as a recipient, or paid before; null for a new one. */
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
  /** False when it exceeds what the project has earned and the policy limits it to that. */
  readonly isEarned?: boolean
}

export type PolicyDecision =
  | { readonly kind: 'auto'; readonly rule: PolicyRule }
  /** `fourEyes`: the requester of the payout cannot be one of its approvers. */
  | { readonly kind: 'approvals'; readonly needed: number; readonly fourEyes: boolean; readonly rule: PolicyRule }
  /** `until`: when the block ends without a person. */
  | ({ readonly kind: 'block'; readonly until?: Date } & PolicyBlock)

const HOUR_MS = 3_600_000

/**
 * Decides about a payout: it is allowed, needs approvals, or is blocked. Pure and total. A policy that is stricter in any
 * respect never gives a milder answer.
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
  // Checked last: a block that ends in time must not hide one that does not.
  const hours = policy.recipientDelayHours
  const until = payableFrom(payout.knownSince ?? now, hours)
  // Without a delay no payout waits, even when the process that took the request has a clock ahead of the sender's.
  if (hours > 0 && until > now) {
    return { kind: 'block', code: 'recipient_too_new', params: { until: until.toISOString(), hours }, until }
  }
  return null
}

/** What the policy decides about a payout that nothing blocks. */
export function approvalOf(
  policy: PayoutPolicy,
  history: PayoutHistory,
  payout: ValuedPayout,
): Exclude<PolicyDecision, { readonly kind: 'block' }> {
  const rule = ruleOf(policy, history, payout)
  return rule.code === 'within_auto_limit'
    ? { kind: 'auto', rule }
    : { kind: 'approvals', ...approvalsNeeded(policy, payout.usd), rule }
}

/** What decides how many people must agree, apart from the windows. */
type ValuedPayout = Pick<PolicyQuestion, 'usd' | 'alwaysByPeople' | 'isEarned'>

/** The rule that asks for approvals; the one that asks for most comes first, because it is the reason that matters. */
function ruleOf(policy: PayoutPolicy, history: PayoutHistory, payout: ValuedPayout): PolicyRule {
  const { usd, isEarned = true } = payout
  if (payout.alwaysByPeople) return { code: 'always_by_people', params: {} }
  if (!isEarned) return { code: 'not_earned', params: {} }
  if (usd === null) return { code: 'no_price', params: {} }
  const { hourlyLimit, dailyLimit, autoApproveLimit } = policy
  if (history.lastHour + usd > hourlyLimit) return { code: 'over_hourly_limit', params: limit(hourlyLimit) }
  if (history.lastDay + usd > dailyLimit) return { code: 'over_daily_limit', params: limit(dailyLimit) }
  // A limit of 0 allows nothing without approval, not even what is worth less than a millionth of a dollar.
  const isWithin = autoApproveLimit > 0n && usd <= autoApproveLimit
  const [step] = policy.steps
    .filter(({ above }) => usd > above)
    .toSorted((one, other) => other.approvals - one.approvals)
  // Who sets a step below the limit asks for people there: the stricter of two rules that contradict each other counts.
  if (isWithin && step === undefined) return { code: 'within_auto_limit', params: limit(autoApproveLimit) }
  if (step === undefined || (step.approvals <= policy.quorum && !isWithin)) {
    return { code: 'over_auto_limit', params: limit(autoApproveLimit) }
  }
  const approvals = Math.max(step.approvals, policy.quorum)
  return { code: 'over_step', params: { aboveUSD: usdText(step.above), approvals } }
}

/** How many people must approve an amount that needs people, and whether the requester cannot be one of them. */
export function approvalsNeeded(
  policy: PayoutPolicy,
  usd: Usd | null,
): { readonly needed: number; readonly fourEyes: boolean } {
  const needed = approvalsFor(policy, usd)
  return { needed, fourEyes: needsOther(policy, needed) }
}

function limit(usd: Usd) {
  return { limitInUSD: usdText(usd) }
}

/** Approvals that an amount needs; without a price, as many as the largest amount needs. */
function approvalsFor({ quorum, steps }: Pick<PayoutPolicy, 'quorum' | 'steps'>, usd: Usd | null): number {
  const reached = steps.filter(({ above }) => usd === null || usd > above)
  return Math.max(quorum, ...reached.map(({ approvals }) => approvals))
}

/**
 * Whether the requester cannot approve. `auto`: yes where another member is there for each approval, so that a payout always has
 * enough approvers.
 */
export function needsOther({ fourEyes, approvers }: Pick<PayoutPolicy, 'fourEyes' | 'approvers'>, needed: number) {
  return fourEyes === 'always' || (fourEyes === 'auto' && approvers > needed)
}

/** A member who may approve payouts of the project, and whether they may also request one. */
export type Approver = { readonly operatorId: number; readonly mayCreate: boolean }

/** How many people the rules need; more than there are could never agree, and money would be stuck. */
export function peopleNeeded(
  policy: Pick<PayoutPolicy, 'quorum' | 'steps' | 'fourEyes'>,
  approvers: readonly Approver[],
): number {
  const needed = approvalsFor(policy, null)
  const isOwnExcluded = policy.fourEyes === 'always' && approvers.some(({ mayCreate }) => mayCreate)
  return isOwnExcluded ? needed + 1 : needed
}

/** From when an address that is known since then can be paid. */
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
