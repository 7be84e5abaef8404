/** What the referral programme is called on screen: states, rewards in sentences, and why something earned nothing. */
import type { CampaignStatus, CampaignType, PromoterStatus, RewardType } from '@kassa/contract/referral/machine.ts'
import {
  EVENT_LOG_FAILURES,
  type EventLogFailures,
  REWARD_REFUSALS,
  REWARD_REVERSALS,
  type RewardRefusals,
  type RewardReversals,
} from '@kassa/contract/referral/reasons.ts'
import type { Campaign, EventLogRow, EventLogUse, Reward } from '@kassa/contract/referral/schemas.ts'
import { msg, plural, t } from '@lingui/core/macro'

import { assetAmount, usd } from '../lib/text/format.ts'
import { listText } from '../lib/text/list-text.ts'
import { type Badge, type Look, badgeOf } from './payment-labels.ts'
import { reasonText, type Words } from './reason-text.ts'

/** Returns an amount in a currency of the programme: US dollars as such, coins with their code. */
export function rewardMoney(amount: string, currencyCode: string): string {
  return currencyCode === 'USD' ? usd(amount) : assetAmount(amount, currencyCode)
}

const CAMPAIGN: Readonly<Record<CampaignStatus, Look>> = {
  active: { tone: 'success', word: msg({ message: 'Active', context: 'a campaign' }) },
  paused: { tone: 'warning', word: msg({ message: 'Paused', context: 'a campaign' }) },
  archived: { tone: 'neutral', word: msg({ message: 'Archived', context: 'a campaign' }) },
}

/** Returns the badge of a campaign; one that is active says when it is not yet, or not any more. */
export function campaignBadge({ status, pausedBecause, started, ended }: Campaign): Badge {
  if (status === 'paused' && pausedBecause === 'budget') {
    return { tone: 'warning', word: t`Paused: budget reached`, wire: status }
  }
  if (status === 'active' && ended)
    return { tone: 'neutral', word: t({ id: 'spec.ended', message: 'Ended' }), wire: status }
  if (status === 'active' && !started) return { tone: 'info', word: t`Not begun`, wire: status }
  return badgeOf(CAMPAIGN[status], status)
}

/** The states a list of campaigns may be narrowed to. */
export const CAMPAIGN_STATES = CAMPAIGN

const PROMOTER: Readonly<Record<PromoterStatus, Look>> = {
  active: { tone: 'success', word: msg({ message: 'Active', context: 'a promoter' }) },
  inactive: { tone: 'neutral', word: msg({ message: 'Inactive', context: 'a promoter' }) },
}

/** Returns the badge of a promoter. */
export function promoterBadge(status: PromoterStatus): Badge {
  return badgeOf(PROMOTER[status], status)
}

const REFUSALS: Words<RewardRefusals> = {
  CAMPAIGN_NOT_ACTIVE: () => t`The campaign was not active`,
  OUTSIDE_DATES: () => t`Outside the dates of the campaign`,
  BEFORE_RESUMED: () => t`Before the campaign was started or resumed`,
  NOT_REFERRED: () => t`Nobody brought this customer`,
  PROMOTER_INACTIVE: () => t`The promoter is inactive`,
  NOT_ATTACHED: () => t`The promoter is not among those chosen`,
  SET_INCOMPLETE: ({ missing }) => t`Still missing: ${listText(missing)}`,
  AMOUNT_TOO_SMALL: () => t`Less than a millionth`,
  ONE_TIME: () => t`Rewarded already: once per person`,
  MONTHS_OVER: ({ months }) => plural(months, { one: 'Over: # month per person', other: 'Over: # months per person' }),
  OCCURRENCES_USED: ({ times }) => plural(times, { one: 'Rewarded # time already', other: 'Rewarded # times already' }),
  PERSON_LIMIT: ({ limit, currency }) => t`Above the limit of ${rewardMoney(limit, currency)} per person`,
  BUDGET: ({ budget, currency }) => t`Above the budget of ${rewardMoney(budget, currency)}`,
}

/** Returns what a campaign made of an event: what it gave, else why it gave nothing. */
export function outcomeText({ rewarded, refusal, currencyCode }: EventLogUse): string {
  if (rewarded !== null) return t`gave ${rewardMoney(rewarded, currencyCode)}`
  return refusal === null ? t`counts it` : reasonText(REWARD_REFUSALS, REFUSALS, refusal)
}

const FAILURES: Words<EventLogFailures> = {
  NOT_REFERRED: () => t`Nobody brought this customer`,
  AMOUNT_ABOVE_PAYMENT: ({ amount, filled }) => t`It says ${usd(amount)}, the payment brought ${usd(filled)}`,
}

/** Returns why an event counts for nothing; undefined for one that counts. */
export function failureText({ failure }: Pick<EventLogRow, 'failure'>): string | undefined {
  return failure === null ? undefined : reasonText(EVENT_LOG_FAILURES, FAILURES, failure)
}

const REVERSALS: Words<RewardReversals> = {
  PAYMENT_REFUNDED: () => t`The payment was refunded`,
  PAYMENT_REOPENED: () => t`Money of the payment was removed`,
}

/** Returns why a reward became smaller; undefined for one that is whole. */
export function reversalText({ reversal }: Pick<Reward, 'reversal'>): string | undefined {
  return reversal === null ? undefined : reasonText(REWARD_REVERSALS, REVERSALS, reversal)
}

/** What one side gets, in the words of a list: "10%, at most $20.00". */
export function rewardText(terms: {
  readonly type: RewardType | null
  readonly value: string | null
  readonly cap: string | null
  readonly currencyCode: string
}): string | undefined {
  const { type, value, cap, currencyCode } = terms
  if (type === null || value === null) return undefined
  if (type === 'flat_fee') return rewardMoney(value, currencyCode)
  const share = `${value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')}%`
  return cap === null ? share : t`${share}, at most ${rewardMoney(cap, currencyCode)}`
}

type Rewards = Pick<
  Campaign,
  | 'rewardType'
  | 'rewardValue'
  | 'rewardCap'
  | 'inviteeRewardType'
  | 'inviteeRewardValue'
  | 'inviteeRewardCap'
  | 'currencyCode'
>

/** What both sides of a campaign get: "10% to promoter · $5.00 to invitee". */
export function rewardsText(campaign: Rewards): string {
  const { currencyCode } = campaign
  const promoter = rewardText({
    type: campaign.rewardType,
    value: campaign.rewardValue,
    cap: campaign.rewardCap,
    currencyCode,
  })
  const invitee = rewardText({
    type: campaign.inviteeRewardType,
    value: campaign.inviteeRewardValue,
    cap: campaign.inviteeRewardCap,
    currencyCode,
  })
  const parts = [promoter && t`${promoter} to promoter`, invitee && t`${invitee} to invitee`]
  return parts.filter((part) => part !== undefined).join(' · ')
}

type HowOften = {
  readonly campaignTypePerCustomer: CampaignType
  readonly validityMonthsPerCustomer: number | null
  readonly maxOccurrencesPerCustomer: number | null
}

/** How often a campaign rewards one person. */
export function howOften(campaign: HowOften): string {
  const { campaignTypePerCustomer: type } = campaign
  if (type === 'one_time') return t`Once`
  if (type === 'forever') return t`Always`
  if (type === 'months_per_customer') {
    return plural(campaign.validityMonthsPerCustomer ?? 0, { one: 'For # month', other: 'For # months' })
  }
  return plural(campaign.maxOccurrencesPerCustomer ?? 0, { one: '# time', other: '# times' })
}
