import type { Campaign, ReferralEvent } from '@kassa/contract/referral/schemas.ts'

import { currencyOf } from '../rewards/currencies.ts'
import { amountText } from '../rewards/view.ts'
import { isEnded, isStarted } from './rules.ts'
import type { FoundCampaign } from './store.ts'

const amountOrNull = (text: string | null) => (text === null ? null : amountText(text))

/** A campaign as the contract shows it. */
export function campaignView(row: FoundCampaign, events: ReferralEvent[], now: Date): Campaign {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    project: row.project_name,
    externalPlatformID: row.project_id,
    name: row.name,
    currencyCode: currencyOf(row.unit_id),
    rewardType: row.reward_type,
    rewardValue: amountOrNull(row.reward_value),
    rewardCap: amountOrNull(row.reward_cap),
    inviteeRewardType: row.invitee_reward_type,
    inviteeRewardValue: amountOrNull(row.invitee_reward_value),
    inviteeRewardCap: amountOrNull(row.invitee_reward_cap),
    budget: amountOrNull(row.budget),
    description: row.description || null,
    startDate: row.starts_at,
    endDate: row.ends_at,
    status: row.status,
    pausedBecause: row.paused_because,
    isDefault: row.is_default,
    campaignTypePerCustomer: row.per_customer,
    maxOccurrencesPerCustomer: row.occurrences,
    validityMonthsPerCustomer: row.months,
    rewardCapPerCustomer: amountOrNull(row.person_limit),
    considerEventsFrom: row.consider_events_from,
    events,
    totalRewards: amountText(row.given),
    rewardCount: row.reward_count,
    budgetLeft: budgetLeft(row),
    started: isStarted(row, now),
    ended: isEnded(row, now),
  }
}

/** What of the budget of a campaign is left; null where it has none. */
export function budgetLeft({ budget, given }: Pick<FoundCampaign, 'budget' | 'given'>): string | null {
  return budget === null ? null : amountText(BigInt(budget) - BigInt(given))
}
