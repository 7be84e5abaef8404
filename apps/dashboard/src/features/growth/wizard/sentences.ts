/** A campaign in sentences: what it gives, to whom, how often, and what it can cost at most. */
import type { CampaignTerms } from '@kassa/contract/referral/campaign-rules.ts'
import type { RewardedSide } from '@kassa/contract/referral/machine.ts'
import { REWARD_DECIMALS, type RewardTerms, rewardFor } from '@kassa/contract/referral/rewards.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { plural, t } from '@lingui/core/macro'

import { rewardMoney, rewardText } from '../../../labels/growth-labels.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { dayAndMinute } from '../../../lib/time/time.ts'

const money = (units: bigint, currencyCode: string) => rewardMoney(formatUnits(units, REWARD_DECIMALS), currencyCode)

/** What a side gets, in words; undefined where it gets nothing. */
function termsText(terms: RewardTerms | null, currencyCode: string): string | undefined {
  if (terms === null) return undefined
  const { type, value, cap } = terms
  return rewardText({
    type,
    value: formatUnits(value, REWARD_DECIMALS),
    cap: cap === null ? null : formatUnits(cap, REWARD_DECIMALS),
    currencyCode,
  })
}

/** Returns a campaign as sentences, in the order of the steps. */
export function campaignSentences(terms: CampaignTerms, eventNames: readonly string[]): string[] {
  const { currencyCode, startDate, endDate, isDefault, rewards } = terms
  const [promoter, invitee] = [termsText(rewards.referrer, currencyCode), termsText(rewards.referee, currencyCode)]
  const events = listText(eventNames, 'conjunction')
  const [from, to] = [startDate && dayAndMinute(startDate), endDate && dayAndMinute(endDate)]
  return [
    from === null || to === null ? t`It counts from now on, without an end.` : t`It counts from ${from} to ${to}.`,
    isDefault ? t`It is for all promoters.` : t`It is for the promoters whom you attach to it afterwards.`,
    eventNames.length > 1 ? t`It counts one of each: ${events}.` : t`It counts: ${events}.`,
    ...(promoter === undefined ? [] : [t`The promoter gets ${promoter}.`]),
    ...(invitee === undefined ? [] : [t`The invitee gets ${invitee}.`]),
    oftenText(terms),
    ...(terms.limitPerPerson === null
      ? []
      : [t`Nobody gets more than ${money(terms.limitPerPerson, currencyCode)} of it in all.`]),
    ...(terms.budget === null
      ? []
      : [
          t`It pauses when it has given ${money(terms.budget, currencyCode)}; a reward that would exceed it is not given.`,
        ]),
  ]
}

/** The count is per rewarded person: promoter and invitee each for their own side. */
function oftenText({ type, months, occurrences }: CampaignTerms): string {
  if (type === 'one_time') return t`Each person is rewarded once: a promoter once, an invitee once.`
  if (type === 'forever') return t`Each person is rewarded every time.`
  if (type === 'months_per_customer') {
    return plural(months ?? 0, {
      one: 'Each person is rewarded for # month from their first reward on.',
      other: 'Each person is rewarded for # months from their first reward on.',
    })
  }
  return plural(occurrences ?? 0, {
    one: 'Each person is rewarded # time.',
    other: 'Each person is rewarded # times.',
  })
}

/** Purchases that a worked example shows, in millionths of a dollar. */
export const EXAMPLE_PURCHASES = [20_000_000n, 200_000_000n, 2_000_000_000n] as const

/** The one in the middle stands beside the form. */
const EXAMPLE_PURCHASE = EXAMPLE_PURCHASES[1]

/** What one side gets for a purchase; nothing where it would pass a limit. */
export function exampleReward(terms: CampaignTerms, side: RewardedSide, purchase: bigint): bigint {
  const given = terms.rewards[side]
  if (given === null) return 0n
  const reward = rewardFor(given, purchase)
  const most = [terms.limitPerPerson, terms.budget].filter((limit) => limit !== null)
  return most.some((limit) => reward > limit) ? 0n : reward
}

/** Returns the worked example beside the form: "Friend pays $200.00. Promoter gets $20.00." */
export function exampleSentences(terms: CampaignTerms): string[] {
  const { currencyCode, rewards } = terms
  const purchase = money(EXAMPLE_PURCHASE, 'USD')
  const gets = (side: RewardedSide) => money(exampleReward(terms, side, EXAMPLE_PURCHASE), currencyCode)
  return [
    t`A promoter brings a friend.`,
    t`The friend pays ${purchase}.`,
    ...(rewards.referrer === null ? [] : [t`The promoter gets ${gets('referrer')}.`]),
    ...(rewards.referee === null ? [] : [t`The friend gets ${gets('referee')}.`]),
  ]
}

/** The most that one person can get of a side; null without a bound. */
function mostPerPerson({ type, occurrences, limitPerPerson }: CampaignTerms, side: RewardTerms): bigint | null {
  const single = side.type === 'flat_fee' ? side.value : side.cap
  const times = type === 'one_time' ? 1n : type === 'count_per_customer' ? BigInt(occurrences ?? 0) : null
  const most = single === null || times === null ? null : single * times
  if (most === null) return limitPerPerson
  return limitPerPerson !== null && limitPerPerson < most ? limitPerPerson : most
}

/** Returns what a campaign can cost at most, in one sentence. */
export function worstCase(terms: CampaignTerms): string {
  const { budget, currencyCode, rewards } = terms
  if (budget !== null) return t`At most ${money(budget, currencyCode)}: its budget.`
  const [promoter, invitee] = [rewards.referrer, rewards.referee].map((side) =>
    side === null ? undefined : mostPerPerson(terms, side),
  )
  if (promoter === null || invitee === null) return t`There is no limit: set a budget, or a limit per person.`
  const parts = [
    promoter === undefined ? undefined : t`${money(promoter, currencyCode)} per promoter`,
    invitee === undefined ? undefined : t`${money(invitee, currencyCode)} per invitee`,
  ].filter((part) => part !== undefined)
  const each = listText(parts, 'conjunction')
  return t`At most ${each}, however many they are: it has no budget.`
}

/** Returns an amount of an example in the currency of the campaign. */
export function exampleMoney(units: bigint, currencyCode: string): string {
  return money(units, currencyCode)
}
