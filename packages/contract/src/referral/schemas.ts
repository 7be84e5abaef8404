/** What Kassa answers about the referral programme (api.md 4.1). */
import * as z from 'zod/mini'

import { dec, id, int, ts, usd, uuid } from '../kit/codecs.ts'
import { page } from '../kit/paging.ts'
import { reasonShape } from '../kit/reason-shape.ts'
import { Withdrawal } from '../withdrawals/schemas.ts'
import { withdrawalMachine } from '../withdrawals/machine.ts'
import {
  CAMPAIGN_TYPES,
  campaignMachine,
  EVENT_TYPES,
  eventLogMachine,
  PAUSE_CAUSES,
  promoterMachine,
  REWARD_TYPES,
  REWARDED_SIDES,
  rewardMachine,
} from './machine.ts'
import type { EVENT_LOG_FAILURES, REWARD_REFUSALS, REWARD_REVERSALS } from './reasons.ts'

const text = z.string()
const textOrNull = z.nullable(text)
const decOrNull = z.nullable(dec)

const row = { id, createdAt: ts, updatedAt: ts, /** Name of the project. */ project: text }

export const ReferralEvent = z.object({
  ...row,
  externalPlatformID: id,
  key: text,
  name: text,
  eventType: z.enum(EVENT_TYPES),
  description: textOrNull,
  /** False of the event that Kassa logs itself. */
  isEditable: z.boolean(),
  campaignCount: int,
})
export type ReferralEvent = z.output<typeof ReferralEvent>

const CampaignName = z.object({ id, name: text })

export const ReferralEventDetail = z.extend(ReferralEvent, { campaigns: z.array(CampaignName) })

export const Campaign = z.object({
  ...row,
  externalPlatformID: id,
  name: text,
  currencyCode: text,
  rewardType: z.nullable(z.enum(REWARD_TYPES)),
  rewardValue: decOrNull,
  rewardCap: decOrNull,
  inviteeRewardType: z.nullable(z.enum(REWARD_TYPES)),
  inviteeRewardValue: decOrNull,
  inviteeRewardCap: decOrNull,
  budget: decOrNull,
  description: textOrNull,
  startDate: z.nullable(ts),
  endDate: z.nullable(ts),
  status: z.enum(campaignMachine.states),
  pausedBecause: z.nullable(z.enum(PAUSE_CAUSES)),
  isDefault: z.boolean(),
  campaignTypePerCustomer: z.enum(CAMPAIGN_TYPES),
  maxOccurrencesPerCustomer: z.nullable(int),
  validityMonthsPerCustomer: z.nullable(int),
  rewardCapPerCustomer: decOrNull,
  /** What happened before does not count. */
  considerEventsFrom: ts,
  events: z.array(ReferralEvent),
  /** Given and not taken back. */
  totalRewards: dec,
  rewardCount: int,
  budgetLeft: decOrNull,
  /** Whether its start has passed: from then on only some fields change. */
  started: z.boolean(),
  ended: z.boolean(),
})
export type Campaign = z.output<typeof Campaign>

export const CampaignRewardsTotal = z.object({
  campaignID: id,
  currencyCode: text,
  total: dec,
  referrerTotal: dec,
  refereeTotal: dec,
  rewardCount: int,
  budgetLeft: decOrNull,
})

const CampaignOfPromoter = z.object({
  id,
  name: text,
  status: z.enum(campaignMachine.states),
  isDefault: z.boolean(),
})

const profile = {
  ...row,
  referenceId: text,
  email: text,
  code: text,
  status: z.enum(promoterMachine.states),
  referredByMemberID: z.nullable(id),
  referredByMemberReferenceID: textOrNull,
}

/** A person of the programme, who brings customers or was brought; existing clients call both a referrer. */
export const Referrer = z.object({
  ...profile,
  /** Of R2, G13 and G18: who brought them. */
  referredByMember: z.optional(z.nullable(z.object(profile))),
  /** Those that are attached (G19), beside those for all promoters. */
  campaigns: z.nullable(z.array(CampaignOfPromoter)),
})
export type Referrer = z.output<typeof Referrer>

/** Rewards by the state of the books, in one currency. */
const balance = {
  currencyCode: text,
  /** Ever given and not taken back. */
  earned: dec,
  /** Can be withdrawn. */
  available: dec,
  /** Withdrawals under way. */
  held: dec,
  paid: dec,
  /** Paid for sales that were reversed later: the next rewards settle it. */
  owed: dec,
}

export const RewardBalance = z.object(balance)
export type RewardBalance = z.output<typeof RewardBalance>

/** Sums over currencies are in US dollars, each of which counts 1 : 1. */
const promoterFigures = { refereeCount: int, totalRewards: usd }

export const ReferrerSummary = z.extend(Referrer, { ...promoterFigures, available: usd })

export const PromoterDetail = z.extend(Referrer, {
  ...promoterFigures,
  paid: usd,
  available: usd,
  held: usd,
  owed: usd,
  balances: z.array(RewardBalance),
})
export type PromoterDetail = z.output<typeof PromoterDetail>

export const PromoterRow = z.object({
  ...row,
  externalPlatformID: id,
  email: text,
  referenceID: text,
  code: text,
  ...promoterFigures,
  isReferred: z.boolean(),
  status: z.enum(promoterMachine.states),
})
export type PromoterRow = z.output<typeof PromoterRow>

export const PromoterPageOfRows = page(PromoterRow)

export const EventLog = z.object({
  ...row,
  eventKey: text,
  memberID: z.nullable(id),
  memberReferenceID: textOrNull,
  amount: decOrNull,
  triggeredAt: ts,
  data: z.nullable(z.record(text, z.unknown())),
  status: z.enum(eventLogMachine.states),
  /** The English text of `failure`. */
  failureReason: textOrNull,
  failure: z.nullable(reasonShape<typeof EVENT_LOG_FAILURES>()),
  member: z.optional(z.nullable(Referrer)),
  externalID: textOrNull,
  referenceOfPayment: z.nullable(uuid),
})
export type EventLog = z.output<typeof EventLog>

/** The result of one campaign for a log. */
export const EventLogUse = z.object({
  campaignID: id,
  name: text,
  currencyCode: text,
  /** Given for the set the log belongs to; null where nothing was. */
  rewarded: decOrNull,
  refusal: z.nullable(reasonShape<typeof REWARD_REFUSALS>()),
})

export type EventLogUse = z.output<typeof EventLogUse>

export const EventLogRow = z.extend(EventLog, {
  memberEmail: textOrNull,
  uses: z.array(EventLogUse),
})
export type EventLogRow = z.output<typeof EventLogRow>

export const EventLogPage = page(EventLogRow)

export const Reward = z.object({
  ...row,
  campaignId: id,
  campaignName: text,
  currencyCode: text,
  rewardedMemberID: id,
  rewardedMemberReferenceID: text,
  rewardedMemberEmail: text,
  relatedMemberID: id,
  relatedMemberReferenceID: text,
  relatedMemberEmail: text,
  memberType: z.enum(REWARDED_SIDES),
  /** What is left of it after reversals. */
  amount: dec,
  /** What it was when it was given. */
  givenAmount: dec,
  paidAmount: dec,
  status: z.enum(rewardMachine.states),
  /** The English text of `reversal`. */
  reason: textOrNull,
  /** Why it became smaller or was taken back; the newest reason. */
  reversal: z.nullable(reasonShape<typeof REWARD_REVERSALS>()),
  referenceOfPayment: z.nullable(uuid),
})
export type Reward = z.output<typeof Reward>

export const RewardPage = page(Reward)

/** Rewards of one span: daily to 33 days, weekly to 190, then monthly. */
export const RewardSeriesPoint = z.object({
  /** The beginning of the span; `until` is not in it any more. */
  date: ts,
  until: ts,
  totalRewards: usd,
  uniqueReferrers: int,
})
export type RewardSeriesPoint = z.output<typeof RewardSeriesPoint>

/** The answer is a page, or with `view=series` the series. */
export const RewardsAnswer = z.union([RewardPage, z.array(RewardSeriesPoint)])

export const RewardsTotal = z.object({
  total: dec,
  currencyCode: text,
  pending: dec,
  held: dec,
  processed: dec,
  reversed: dec,
})

export const ReferralPayout = z.extend(Withdrawal, {
  referrer: z.object({ id, code: text, email: text }),
  /** What is withdrawn, in the currency of the rewards. */
  rewardAmount: dec,
  rewardCurrencyCode: text,
  /** What the promoter could withdraw before this was asked for. */
  availableBefore: dec,
  /** Whether money for a payment came from the address that is to be paid. */
  isPayerWallet: z.boolean(),
})
export type ReferralPayout = z.output<typeof ReferralPayout>

export const ReferralPayoutPage = page(ReferralPayout)

export const ReferralPayoutMetrics = z.object({
  /** Those that have not been sent. */
  waiting: int,
  processed30d: usd,
  failed30d: int,
})

/** What a reward is, for pages in languages of their own. */
const RewardTerms = z.object({ type: z.enum(REWARD_TYPES), value: dec, cap: decOrNull })

export const PromoterPage = z.object({
  /** `email` is masked. */
  referrer: z.object({ code: text, email: text, status: z.enum(promoterMachine.states), link: text }),
  project: z.object({ name: text, logoPath: text, brandColor: text }),
  campaigns: z.array(
    z.object({
      id,
      name: text,
      description: textOrNull,
      /** English. */
      rewardText: textOrNull,
      inviteeRewardText: textOrNull,
      reward: z.nullable(RewardTerms),
      inviteeReward: z.nullable(RewardTerms),
      currencyCode: text,
      /** How often it rewards one person. */
      campaignTypePerCustomer: z.enum(CAMPAIGN_TYPES),
      maxOccurrencesPerCustomer: z.nullable(int),
      validityMonthsPerCustomer: z.nullable(int),
      endDate: z.nullable(ts),
    }),
  ),
  /** In the currency of which most is ready. */
  totals: z.omit(RewardBalance, { owed: true }),
  balances: z.array(RewardBalance),
  refereeCount: int,
  minWithdrawal: usd,
  /** In what rewards can be paid. */
  payableIn: z.array(z.object({ currencyCode: text, blockchainCode: text, blockchainName: text, decimals: int })),
})
export type PromoterPage = z.output<typeof PromoterPage>

export const OwnReward = z.object({
  id,
  createdAt: ts,
  amount: dec,
  currencyCode: text,
  status: z.enum(rewardMachine.states),
  campaign: text,
  /** Masked e-mail of the customer who was brought, or of the promoter who brought. */
  referee: text,
})
export type OwnReward = z.output<typeof OwnReward>

export const OwnRewardPage = page(OwnReward)

export const OwnWithdrawalRow = z.object({
  id,
  createdAt: ts,
  rewardAmount: dec,
  rewardCurrencyCode: text,
  /** In the coin that is sent; null until the approval converts it. */
  amount: decOrNull,
  currencyCode: text,
  blockchainCode: text,
  toAddress: text,
  status: z.enum(withdrawalMachine.states),
  txHash: textOrNull,
  explorerTransaction: textOrNull,
  /** Why it was rejected or failed. */
  reason: textOrNull,
})
export type OwnWithdrawalRow = z.output<typeof OwnWithdrawalRow>

export const OwnWithdrawalPage = page(OwnWithdrawalRow)

/** What a campaign may pay in. */
export const RewardCurrency = z.object({
  id: int,
  code: text,
  name: text,
  walletPrecision: int,
  blockchains: z.array(text),
})
