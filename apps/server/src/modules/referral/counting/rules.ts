import { REWARDED_SIDES, type RewardedSide } from '@kassa/contract/referral/machine.ts'
import type { RewardRefusals } from '@kassa/contract/referral/reasons.ts'
import { REWARD_DECIMALS, rewardFor } from '@kassa/contract/referral/rewards.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { CountedCampaign } from '../campaigns/rules.ts'

export type { CountedCampaign } from '../campaigns/rules.ts'

export type CountedLog = {
  readonly id: bigint
  readonly eventKey: string
  /** The amount of a payment event; null for other events. */
  readonly amount: bigint | null
  readonly triggeredAt: Date
}

/** Whose logs are counted, and who brought them. */
export type CountedMember = {
  readonly isActive: boolean
  readonly referrer: {
    readonly isActive: boolean
    /** Whether this promoter is attached to the campaign; asked only when it is not for all. */
    readonly isAttached: boolean
  } | null
}

/** What a campaign gave one person on one side so far; a completely reversed reward does not count. */
export type Past = { readonly count: number; readonly units: bigint; readonly firstAt: Date | null }

/** By side: the promoter's past as promoter, and the invitee's as invitee. */
export type History = Readonly<Record<RewardedSide, Past>>

export type RewardCause = Cause<RewardRefusals>

/** The result of one campaign for the newest log of a member. */
export type Verdict =
  | {
      readonly kind: 'rewards'
      readonly set: readonly CountedLog[]
      readonly rewards: readonly Given[]
      readonly pauses: boolean
    }
  /** Where there is a set, it is used up: it is judged only once. */
  | {
      readonly kind: 'refused'
      readonly cause: RewardCause
      readonly set: readonly CountedLog[]
      readonly pauses: boolean
    }
  | { readonly kind: 'waits'; readonly cause: RewardCause }

export type Given = { readonly side: RewardedSide; readonly units: bigint }

/** The logs of one member that this campaign may count: the newest, and those that wait for the rest of their set. */
export type MemberLogs = {
  readonly member: CountedMember
  readonly newest: CountedLog
  readonly waiting: readonly CountedLog[]
}

/**
 * The reward rule (money.md 4.8): what a campaign gives for the newest log of a member, or why it gives nothing. It knows no
 * clock, so that counting the same logs again gives the same rewards.
 */
export function reward(campaign: CountedCampaign, { member, newest, waiting }: MemberLogs, history: History): Verdict {
  const uncounted = whyUncounted(campaign, newest) ?? whyNoReward(campaign, member)
  if (uncounted) return { kind: 'refused', cause: uncounted, set: [], pauses: false }
  const set = completeSet(campaign, [...waiting.filter((log) => whyUncounted(campaign, log) === null), newest])
  if ('missing' in set) return { kind: 'waits', cause: { code: 'SET_INCOMPLETE', params: { missing: set.missing } } }
  return rewardSet(campaign, set.logs, member, history)
}

function rewardSet(
  campaign: CountedCampaign,
  set: readonly CountedLog[],
  member: CountedMember,
  history: History,
): Verdict {
  const amount = set.find((log) => log.amount !== null)?.amount ?? null
  const at = timeOf(set)
  const sides = REWARDED_SIDES.flatMap((side): { given: Given; cause: RewardCause | null }[] => {
    const terms = campaign.rewards[side]
    if (terms === null) return []
    const units = rewardFor(terms, amount)
    const isInactive = side === 'referee' && !member.isActive
    const cause: RewardCause | null = isInactive
      ? { code: 'PROMOTER_INACTIVE', params: {} }
      : whyLimited(campaign, units, at, history[side])
    return [{ given: { side, units }, cause }]
  })
  const rewards = sides.flatMap(({ given, cause }) => (cause === null ? [given] : []))
  const total = rewards.reduce((sum, { units }) => sum + units, 0n)
  const [first] = sides
  if (rewards.length === 0) return { kind: 'refused', cause: first?.cause ?? NOTHING, set, pauses: false }
  const beyond = whyBeyondBudget(campaign, total)
  if (beyond) return { kind: 'refused', cause: beyond, set, pauses: true }
  return { kind: 'rewards', set, rewards, pauses: reachesBudget(campaign, total) }
}

const NOTHING: RewardCause = { code: 'AMOUNT_TOO_SMALL', params: {} }

/** Why a log does not count for a campaign, for any member. */
function whyUncounted(campaign: CountedCampaign, { triggeredAt }: CountedLog): RewardCause | null {
  const { status, startDate, endDate, considerEventsFrom } = campaign
  if (status !== 'active') return { code: 'CAMPAIGN_NOT_ACTIVE', params: {} }
  const isOutside = (startDate !== null && triggeredAt < startDate) || (endDate !== null && triggeredAt > endDate)
  if (isOutside) return { code: 'OUTSIDE_DATES', params: {} }
  return triggeredAt < considerEventsFrom ? { code: 'BEFORE_RESUMED', params: {} } : null
}

/** Why logs of this member lead to no reward. */
function whyNoReward({ isDefault }: CountedCampaign, { referrer }: CountedMember): RewardCause | null {
  if (referrer === null) return { code: 'NOT_REFERRED', params: {} }
  if (!referrer.isActive) return { code: 'PROMOTER_INACTIVE', params: {} }
  return isDefault || referrer.isAttached ? null : { code: 'NOT_ATTACHED', params: {} }
}

/** The oldest log of each event of the campaign, or which events are missing. */
function completeSet(
  { eventKeys }: CountedCampaign,
  logs: readonly CountedLog[],
): { readonly logs: readonly CountedLog[] } | { readonly missing: string[] } {
  const oldest = logs.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const found = eventKeys.flatMap((key) => oldest.find((log) => log.eventKey === key) ?? [])
  const missing = eventKeys.filter((key) => !found.some((log) => log.eventKey === key))
  return missing.length > 0 ? { missing } : { logs: found }
}

/** When a set was complete. */
export function timeOf(set: readonly CountedLog[]): Date {
  return new Date(Math.max(...set.map(({ triggeredAt }) => triggeredAt.getTime())))
}

/** Whether a campaign limits what one person gets; only then their past matters. */
export function isLimited({ type, limitPerPerson }: CountedCampaign): boolean {
  return type !== 'forever' || limitPerPerson !== null
}

/** Which personal limit a reward would exceed; such a reward is refused, not reduced. */
function whyLimited(campaign: CountedCampaign, units: bigint, at: Date, past: Past): RewardCause | null {
  const { type, months, occurrences, limitPerPerson, currencyCode } = campaign
  if (units === 0n) return NOTHING
  if (type === 'one_time' && past.count > 0) return { code: 'ONE_TIME', params: {} }
  if (months !== null && past.firstAt !== null && at >= addMonths(past.firstAt, months)) {
    return { code: 'MONTHS_OVER', params: { months } }
  }
  if (occurrences !== null && past.count >= occurrences) {
    return { code: 'OCCURRENCES_USED', params: { times: occurrences } }
  }
  if (limitPerPerson !== null && past.units + units > limitPerPerson) {
    return {
      code: 'PERSON_LIMIT',
      params: { limit: formatUnits(limitPerPerson, REWARD_DECIMALS), currency: currencyCode },
    }
  }
  return null
}

function whyBeyondBudget({ budget, given, currencyCode }: CountedCampaign, units: bigint): RewardCause | null {
  if (budget === null || given + units <= budget) return null
  return { code: 'BUDGET', params: { budget: formatUnits(budget, REWARD_DECIMALS), currency: currencyCode } }
}

function reachesBudget({ budget, given }: CountedCampaign, units: bigint): boolean {
  return budget !== null && given + units >= budget
}

/**
 * Whether units of a reversed reward may be owed again, because its payment is filled again; meanwhile other rewards may have
 * used the limit. `past` leaves the reward out when nothing of it was left, else counts what is left of it.
 */
export function mayOweAgain(
  campaign: CountedCampaign,
  { units, left, at }: { readonly units: bigint; readonly left: bigint; readonly at: Date },
  past: Past,
): boolean {
  if (whyBeyondBudget(campaign, units)) return false
  if (left === 0n) return whyLimited(campaign, units, at, past) === null
  return campaign.limitPerPerson === null || past.units + units <= campaign.limitPerPerson
}

/** What is left of a reward whose payments lost a part of what they had brought; rounded down. */
export function leftOf(units: bigint, payments: readonly { readonly basis: bigint; readonly now: bigint }[]): bigint {
  return payments.reduce((least, { basis, now }) => {
    const left = now >= basis ? units : (units * now) / basis
    return left < least ? left : least
  }, units)
}

/** The same time of day some calendar months later, in UTC; in a shorter month its last day. */
export function addMonths(from: Date, months: number): Date {
  const moved = new Date(from)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(from.getUTCDate(), last))
  return moved
}
