/** What callers send about the referral programme. */
import type { Machine } from '@kassa/primitives/machine.ts'
import * as z from 'zod/mini'

import { clearableText, email, oneOf, text, withoutLeadingZeros } from '../kit/fields.ts'
import { alternatives, pageInput, spanInput } from '../kit/paging.ts'
import { campaignMachine, EVENT_TYPES, eventLogMachine, promoterMachine, rewardMachine } from './machine.ts'

/** One of the states of a machine. */
function oneStatus<State extends string>({ states }: Machine<State, string>) {
  return z.enum(states, { error: `Status must be one of: ${states.join(', ')}` })
}

const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const referenceID = text('Reference ID', { max: 100 })

export const PromoterSignIn = z.object({ email: email(), referenceID })
export type PromoterSignIn = z.output<typeof PromoterSignIn>

export const RefereeLink = z.object({ email: email(), referrerCode: text('Referrer code', { max: 32 }), referenceID })
export type RefereeLink = z.output<typeof RefereeLink>

/** What a shop may hang on an event log, as JSON text. */
const DATA_MAX_BYTES = 4096

/** Millionths of a dollar are the finest that is counted, and a trillion dollars more than anybody pays. */
const eventAmount = z.string({ error: 'Amount must be a decimal number' }).check(
  z.trim(),
  z.regex(/^-?\d+(\.\d+)?$/, { error: 'Amount must be a decimal number', abort: true }),
  withoutLeadingZeros,
  z.refine((value) => /[1-9]/.test(value) && !value.startsWith('-'), {
    error: 'Amount must be greater than 0',
    abort: true,
  }),
  z.regex(/^\d{1,12}(\.\d{1,6}0*)?$/, { error: 'Amount must have at most 12 digits and 6 decimals' }),
)

export const NewEventLog = z.object({
  eventKey: text('Event key', { max: 100 }),
  referenceID,
  /** Of a payment event, in the currency of the campaign; a JSON number arrives as its digits. */
  amount: optional(eventAmount),
  data: optional(
    z.record(z.string(), z.unknown(), { error: 'Data must be an object' }).check(
      z.refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= DATA_MAX_BYTES, {
        error: 'Data must be at most 4 KiB of JSON',
      }),
    ),
  ),
  /** What the shop calls it; one log per project has it. */
  externalID: clearableText('External ID'),
  /** The reward waits until this payment is final, and is reversed with it. */
  referenceOfPayment: clearableText('Reference of payment', { max: 36 }),
})
export type NewEventLog = z.output<typeof NewEventLog>

export const PromoterByReference = z.object({ referenceID })

/** Decimal text, whatever it says: the rules of campaigns read it (campaign-rules.ts). A JSON number arrives as its digits. */
const typed = (label: string) => optional(z.string({ error: `${label} must be a decimal number` }))
const words = (label: string) => optional(z.string({ error: `${label} must be text` }))
const whole = (label: string) => optional(z.int({ error: `${label} must be a whole number` }))

/** More events than a campaign may count; its rule says how many that is. */
const MOST_KEYS = 100

/** What is absent stays as it is, null and empty text clear; a new campaign has nothing that could stay. */
export const CampaignBody = z.object({
  name: words('Name'),
  description: words('Description'),
  currencyCode: words('Currency'),
  startDate: words('Start'),
  endDate: words('End'),
  /** In which days and local times are read. */
  timezone: z.optional(z.string()),
  isDefault: z.optional(z.nullable(z.boolean({ error: 'For all promoters must be true or false' }))),
  eventKeys: optional(
    z
      .array(z.string({ error: 'Events must be keys' }), { error: 'Events must be a list' })
      .check(z.maxLength(MOST_KEYS, { error: `At most ${MOST_KEYS} can be listed` })),
  ),
  rewardType: words('Promoter reward'),
  rewardValue: typed('Promoter reward'),
  rewardCap: typed('Promoter reward cap'),
  inviteeRewardType: words('Invitee reward'),
  inviteeRewardValue: typed('Invitee reward'),
  inviteeRewardCap: typed('Invitee reward cap'),
  campaignTypePerCustomer: words('How often'),
  validityMonthsPerCustomer: whole('Number of months'),
  maxOccurrencesPerCustomer: whole('Number of times'),
  rewardCapPerCustomer: typed('Per-person limit'),
  budget: typed('Budget'),
})
export type CampaignBody = z.output<typeof CampaignBody>

export const CampaignStatusBody = z.object({ status: oneStatus(campaignMachine) })

export const CAMPAIGN_SORTS = ['created_at', 'name', 'start_date', 'end_date'] as const

export const CampaignFilters = z.object({
  ...pageInput,
  timezone: spanInput.timezone,
  /** Part of the name. */
  name: z.optional(z.string()),
  currencyCode: z.optional(z.string()),
  status: alternatives(oneStatus(campaignMachine)),
  isDefault: z.optional(z.boolean()),
  startDateMin: z.optional(z.string()),
  startDateMax: z.optional(z.string()),
  endDateMin: z.optional(z.string()),
  endDateMax: z.optional(z.string()),
})
export type CampaignFilters = z.output<typeof CampaignFilters>

const eventName = text('Name')
const description = clearableText('Description', { max: 500 })

export const NewReferralEvent = z.object({
  key: text('Key', { max: 100 }).check(
    z.regex(/^[A-Za-z0-9_-]+$/, { error: 'Key may have letters, digits, - and _ only' }),
  ),
  name: eventName,
  eventType: oneOf('Type', EVENT_TYPES),
  description,
})
export type NewReferralEvent = z.output<typeof NewReferralEvent>

/** Key and type may be sent as they are; others are refused, because they never change. */
export const ReferralEventChange = z.object({
  key: z.optional(z.string()),
  eventType: z.optional(z.string()),
  name: z.optional(eventName),
  description,
})
export type ReferralEventChange = z.output<typeof ReferralEventChange>

export const ReferralEventFilters = z.object({
  ...pageInput,
  key: z.optional(z.string()),
  /** Part of the name. */
  name: z.optional(z.string()),
  eventType: z.optional(oneOf('Type', EVENT_TYPES)),
})
export type ReferralEventFilters = z.output<typeof ReferralEventFilters>

export const EventLogFilters = z.object({
  ...pageInput,
  ...spanInput,
  eventKey: z.optional(z.string()),
  referenceID: z.optional(z.string()),
  status: alternatives(oneStatus(eventLogMachine)),
  /** Those that count for this campaign. */
  campaignID: z.optional(z.int()),
})
export type EventLogFilters = z.output<typeof EventLogFilters>

export const PROMOTER_SORTS = ['created_at', 'email', 'referee_count', 'total_rewards'] as const

export const PromoterFilters = z.object({
  ...pageInput,
  /** The start of an e-mail or of a reference, or a code. */
  query: z.optional(z.string()),
  code: z.optional(z.string()),
  status: alternatives(oneStatus(promoterMachine)),
  /** Whether a promoter referred them. */
  isReferred: z.optional(z.boolean()),
  /** People who were not referred, or who referred others: an invitee alone is no promoter yet. */
  isPromoter: z.optional(z.boolean()),
  /** Those whom one of these campaigns reaches. */
  campaignIDs: alternatives(z.int({ error: 'Campaigns must be ids' })),
})
export type PromoterFilters = z.output<typeof PromoterFilters>

export const PromoterStatusBody = z.object({ status: oneStatus(promoterMachine) })

/** More campaigns than a project runs at once. */
const MOST_CAMPAIGNS = 200

/** All campaigns that are attached from now on. */
export const PromoterCampaigns = z.object({
  campaignIDs: z
    .array(z.int({ error: 'Campaigns must be ids' }), { error: 'Campaigns must be a list' })
    .check(z.maxLength(MOST_CAMPAIGNS, { error: `At most ${MOST_CAMPAIGNS} can be listed` })),
})

export const Span = z.object(spanInput)
export const RewardTotalFilters = z.object({ ...spanInput, currencyCode: z.optional(z.string()) })

const REWARD_VIEWS = ['list', 'series'] as const

const rewardFilters = { ...pageInput, ...spanInput, status: alternatives(oneStatus(rewardMachine)) }

export const RewardFilters = z.object({
  ...rewardFilters,
  campaignIDs: alternatives(z.int({ error: 'Campaigns must be ids' })),
  view: z.optional(oneOf('View', REWARD_VIEWS)),
})
export type RewardFilters = z.output<typeof RewardFilters>

export const CampaignRewardFilters = z.object(rewardFilters)
export type CampaignRewardFilters = z.output<typeof CampaignRewardFilters>

export const OwnPage = z.object(pageInput)

export const OwnWithdrawal = z.object({
  /** In the currency of the rewards, not in the coin that is sent. */
  amount: text('Amount', { max: 100 }).check(
    z.regex(/^\d+(\.\d+)?$/, { error: 'Amount must be a decimal number', abort: true }),
    withoutLeadingZeros,
    z.refine((value) => /[1-9]/.test(value), { error: 'Amount must be greater than 0', abort: true }),
    z.regex(/^\d{1,12}(\.\d{1,6}0*)?$/, { error: 'Amount must have at most 12 digits and 6 decimals' }),
  ),
  /** Whose rewards are withdrawn; absent: those in the currency of which most is ready. */
  rewardCurrencyCode: clearableText('Reward currency', { max: 50 }),
  /** The coin and network to be paid in. */
  currencyCode: text('Currency', { max: 50 }),
  blockchainCode: text('Network', { max: 50 }),
  toAddress: text('Address', { max: 128 }),
  otpCode: text('Code', { max: 16 }).check(z.regex(/^\d{6}$/, { error: 'The code has 6 digits' })),
})
export type OwnWithdrawal = z.output<typeof OwnWithdrawal>
