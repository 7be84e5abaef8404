import type { CampaignFields, CampaignTerms } from '@kassa/contract/referral/campaign-rules.ts'
import type { CampaignType, CampaignStatus, RewardType } from '@kassa/contract/referral/machine.ts'
import { REWARD_DECIMALS, type RewardTerms } from '@kassa/contract/referral/rewards.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

/** A campaign as the reward rule sees it; amounts are millionths of its currency. */
export type CountedCampaign = Omit<CampaignTerms, 'name' | 'description'> & {
  readonly status: CampaignStatus
  readonly considerEventsFrom: Date
  /** What its rewards amount to so far, after reversals. */
  readonly given: bigint
}

/** The columns of a campaign that decide its rewards. */
export type TermColumns = {
  readonly name: string
  readonly description: string
  readonly reward_type: RewardType | null
  readonly reward_value: string | null
  readonly reward_cap: string | null
  readonly invitee_reward_type: RewardType | null
  readonly invitee_reward_value: string | null
  readonly invitee_reward_cap: string | null
  readonly per_customer: CampaignType
  readonly months: number | null
  readonly occurrences: number | null
  readonly person_limit: string | null
  readonly budget: string | null
  readonly starts_at: Date | null
  readonly ends_at: Date | null
  readonly is_default: boolean
  readonly status: CampaignStatus
  readonly consider_events_from: Date
  readonly given: string
}

type Named = { readonly currencyCode: string; readonly eventKeys: readonly string[] }

/** A stored campaign as the reward rule takes it. */
export function countedCampaign(row: TermColumns, { currencyCode, eventKeys }: Named): CountedCampaign {
  return {
    currencyCode,
    eventKeys,
    startDate: row.starts_at,
    endDate: row.ends_at,
    isDefault: row.is_default,
    rewards: {
      referrer: termsOf(row.reward_type, row.reward_value, row.reward_cap),
      referee: termsOf(row.invitee_reward_type, row.invitee_reward_value, row.invitee_reward_cap),
    },
    type: row.per_customer,
    months: row.months,
    occurrences: row.occurrences,
    limitPerPerson: unitsOrNull(row.person_limit),
    budget: unitsOrNull(row.budget),
    status: row.status,
    considerEventsFrom: row.consider_events_from,
    given: BigInt(row.given),
  }
}

function termsOf(type: RewardType | null, value: string | null, cap: string | null): RewardTerms | null {
  return type === null || value === null ? null : { type, value: BigInt(value), cap: unitsOrNull(cap) }
}

function unitsOrNull(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

/** A stored campaign as its form would submit it. */
export function fieldsOf(row: TermColumns, { currencyCode, eventKeys }: Named): CampaignFields {
  const text = (units: string | null) => (units === null ? null : formatUnits(BigInt(units), REWARD_DECIMALS))
  return {
    name: row.name,
    description: row.description,
    currencyCode,
    startDate: row.starts_at?.toISOString() ?? null,
    endDate: row.ends_at?.toISOString() ?? null,
    isDefault: row.is_default,
    eventKeys,
    rewardType: row.reward_type,
    rewardValue: text(row.reward_value),
    rewardCap: text(row.reward_cap),
    inviteeRewardType: row.invitee_reward_type,
    inviteeRewardValue: text(row.invitee_reward_value),
    inviteeRewardCap: text(row.invitee_reward_cap),
    campaignTypePerCustomer: row.per_customer,
    validityMonthsPerCustomer: row.months,
    maxOccurrencesPerCustomer: row.occurrences,
    rewardCapPerCustomer: text(row.person_limit),
    budget: text(row.budget),
  }
}

/** Whether a campaign has begun; after that only some fields can change. */
export function isStarted({ starts_at }: Pick<TermColumns, 'starts_at'>, now: Date): boolean {
  return starts_at === null || starts_at <= now
}

/** Whether the end date of a campaign has passed. */
export function isEnded({ ends_at }: Pick<TermColumns, 'ends_at'>, now: Date): boolean {
  return ends_at !== null && ends_at < now
}

/** The names of fields of a started campaign that would change although they cannot. */
export function fixedChanges(before: CampaignTerms, after: CampaignTerms): string[] {
  const time = (date: Date | null) => date?.getTime() ?? null
  const keys = ({ eventKeys }: CampaignTerms) => eventKeys.toSorted().join(' ')
  const side = ({ rewards }: CampaignTerms, name: 'referrer' | 'referee') => {
    const terms = rewards[name]
    return terms && [terms.type, terms.value, terms.cap].join(' ')
  }
  const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
    currencyCode: [before.currencyCode, after.currencyCode],
    startDate: [time(before.startDate), time(after.startDate)],
    isDefault: [before.isDefault, after.isDefault],
    eventKeys: [keys(before), keys(after)],
    rewardValue: [side(before, 'referrer'), side(after, 'referrer')],
    inviteeRewardValue: [side(before, 'referee'), side(after, 'referee')],
    campaignTypePerCustomer: [before.type, after.type],
    validityMonthsPerCustomer: [before.months, after.months],
    maxOccurrencesPerCustomer: [before.occurrences, after.occurrences],
    rewardCapPerCustomer: [before.limitPerPerson, after.limitPerPerson],
  }
  return Object.entries(pairs).flatMap(([field, [old, now]]) => (old === now ? [] : [field]))
}
