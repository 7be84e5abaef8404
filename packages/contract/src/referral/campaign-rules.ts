/** What makes a campaign valid (api.md G), with the text of each rule: the server refuses by it, the wizard shows it while typing. */
import { parseUnits } from '@kassa/primitives/money/units.ts'

import { cleanText } from '../kit/email.ts'
import { readMoment } from '../kit/moments.ts'
import {
  CAMPAIGN_TYPES,
  type CampaignType,
  REWARD_TYPES,
  type ReferralEventType,
  type RewardedSide,
  type RewardType,
} from './machine.ts'
import { REWARD_DECIMALS, type RewardTerms, WHOLE } from './rewards.ts'

type Text = string | null | undefined
type Whole = number | null | undefined

/** A campaign as it is typed or sent; empty, null and absent mean the same. */
export type CampaignFields = {
  readonly name?: Text
  readonly description?: Text
  readonly currencyCode?: Text
  /** A day, a local time or RFC 3339, in `timezone`. */
  readonly startDate?: Text
  readonly endDate?: Text
  readonly isDefault?: boolean | null | undefined
  readonly eventKeys?: readonly string[] | null | undefined
  readonly rewardType?: Text
  readonly rewardValue?: Text
  readonly rewardCap?: Text
  readonly inviteeRewardType?: Text
  readonly inviteeRewardValue?: Text
  readonly inviteeRewardCap?: Text
  readonly campaignTypePerCustomer?: Text
  readonly validityMonthsPerCustomer?: Whole
  readonly maxOccurrencesPerCustomer?: Whole
  readonly rewardCapPerCustomer?: Text
  readonly budget?: Text
}

export type CampaignField = keyof CampaignFields

/** What can change once a campaign has begun. */
export const RUNNING_FIELDS = ['name', 'budget', 'description', 'endDate'] as const satisfies readonly CampaignField[]

/** What the rules ask of the project and the clock. */
export type CampaignFacts = {
  readonly now: Date
  /** IANA name in which days and local times are read; UTC when absent. */
  readonly timezone?: string | undefined
  /** What a campaign may pay in (B13). */
  readonly currencies: readonly string[]
  /** The events of the project by key, that of Kassa included. */
  readonly events: ReadonlyMap<string, ReferralEventType>
}

/** A valid campaign; amounts are millionths of its currency. */
export type CampaignTerms = {
  readonly name: string
  readonly description: string | null
  readonly currencyCode: string
  readonly startDate: Date | null
  readonly endDate: Date | null
  readonly isDefault: boolean
  readonly eventKeys: readonly string[]
  /** What each side gets; null: nothing. */
  readonly rewards: Readonly<Record<RewardedSide, RewardTerms | null>>
  readonly type: CampaignType
  readonly months: number | null
  readonly occurrences: number | null
  readonly limitPerPerson: bigint | null
  readonly budget: bigint | null
}

export type CampaignFaults = Partial<Record<CampaignField, string>>

const LONGEST_NAME = 255
const LONGEST_DESCRIPTION = 2_000
const MOST_EVENTS = 20
const MOST_MONTHS = 120
const MOST_OCCURRENCES = 10_000

/** Reads a campaign, or says per field what is wrong with it; the first text is that of the first field in the order of the steps. */
export function readCampaign(
  fields: CampaignFields,
  facts: CampaignFacts,
): { terms: CampaignTerms } | { faults: CampaignFaults } {
  const faults: CampaignFaults = {}
  const fault = (field: CampaignField, text: string): null => {
    faults[field] ??= text
    return null
  }

  const name = readName(fields.name, fault)
  const description = readDescription(fields.description, fault)
  const currencyCode = readCurrency(fields.currencyCode, facts, fault)
  const dates = readDates(fields, facts, fault)
  const eventKeys = readEvents(fields.eventKeys, facts, fault)
  const rewards = readRewards(fields, eventKeys, facts, fault)
  const often = readOften(fields, fault)
  const limits = readLimits(fields, rewards, fault)
  if (Object.keys(faults).length > 0) return { faults }
  return {
    terms: {
      name,
      description,
      currencyCode,
      ...dates,
      isDefault: fields.isDefault ?? true,
      eventKeys,
      rewards,
      ...often,
      ...limits,
    },
  }
}

type Fault = (field: CampaignField, text: string) => null

function readName(given: Text, fault: Fault): string {
  const name = cleanText(given ?? '')
  if (name === '') fault('name', 'Name is required')
  if (name.length > LONGEST_NAME) fault('name', `Name must be at most ${LONGEST_NAME} characters long`)
  return name
}

function readDescription(given: Text, fault: Fault): string | null {
  const description = cleanText(given ?? '')
  if (description.length > LONGEST_DESCRIPTION) {
    fault('description', `Description must be at most ${LONGEST_DESCRIPTION} characters long`)
  }
  return description || null
}

function readCurrency(given: Text, { currencies }: CampaignFacts, fault: Fault): string {
  const code = (given ?? '').trim().toUpperCase()
  if (code === '') fault('currencyCode', 'Currency is required')
  else if (!currencies.includes(code)) fault('currencyCode', `Currency must be one of: ${currencies.join(', ')}`)
  return code
}

type Dates = Pick<CampaignTerms, 'startDate' | 'endDate'>

function readDates(
  { startDate, endDate }: CampaignFields,
  { now, timezone = 'UTC' }: CampaignFacts,
  fault: Fault,
): Dates {
  const start = startDate ? readMoment(startDate, { timezone }) : null
  const end = endDate ? readMoment(endDate, { timezone, isEnd: true }) : null
  if (startDate && start === null) fault('startDate', 'Start must be a date')
  if (endDate && end === null) fault('endDate', 'End must be a date')
  if (Boolean(startDate) !== Boolean(endDate)) fault(startDate ? 'endDate' : 'startDate', 'Set both dates or none')
  if (start !== null && end !== null && end < start) fault('endDate', 'The end date must not be before the start date')
  if (end !== null && end < now) fault('endDate', 'The end date must not be in the past')
  return { startDate: start, endDate: end }
}

function readEvents(given: CampaignFields['eventKeys'], { events }: CampaignFacts, fault: Fault): readonly string[] {
  const keys = [...new Set(given ?? [])]
  const unknown = keys.find((key) => !events.has(key))
  if (keys.length === 0) fault('eventKeys', 'Choose at least one event')
  if (keys.length > MOST_EVENTS) fault('eventKeys', `Choose at most ${MOST_EVENTS} events`)
  if (unknown !== undefined) fault('eventKeys', `Unknown event ${unknown}`)
  if (keys.filter((key) => events.get(key) === 'payment').length > 1) {
    fault('eventKeys', 'Only one payment event can be part of a campaign')
  }
  return keys
}

/** The fields of one side, and what they are called. */
const SIDES = [
  { side: 'referrer', type: 'rewardType', value: 'rewardValue', cap: 'rewardCap', label: 'Promoter reward' },
  {
    side: 'referee',
    type: 'inviteeRewardType',
    value: 'inviteeRewardValue',
    cap: 'inviteeRewardCap',
    label: 'Invitee reward',
  },
] as const

type Side = (typeof SIDES)[number]

function readRewards(
  fields: CampaignFields,
  keys: readonly string[],
  { events }: CampaignFacts,
  fault: Fault,
): CampaignTerms['rewards'] {
  // Where no event is chosen yet, that is said of the events alone.
  const isPaid = keys.length === 0 || keys.some((key) => events.get(key) === 'payment')
  const [promoter, invitee] = SIDES.map((side) => readReward(fields, side, isPaid, fault))
  if (SIDES.every(({ type, value }) => !fields[type] && !fields[value])) {
    fault('rewardType', 'Reward someone: promoter, invitee or both')
  }
  return { referrer: promoter ?? null, referee: invitee ?? null }
}

function readReward(
  fields: CampaignFields,
  { type, value, cap, label }: Side,
  isPaid: boolean,
  fault: Fault,
): RewardTerms | null {
  const chosen = fields[type] || null
  if (chosen === null && fields[value]) return fault(type, `${label} must be one of: ${REWARD_TYPES.join(', ')}`)
  if (chosen === null) return fields[cap] ? fault(cap, 'A cap only works with a percentage') : null
  if (!isRewardType(chosen)) return fault(type, `${label} must be one of: ${REWARD_TYPES.join(', ')}`)
  if (!fields[value]) return fault(value, `${label} is required`)
  const amount = readAmount(value, fields[value], label, fault)
  const isPercentage = chosen === 'percentage'
  if (isPercentage && amount !== null && amount > WHOLE) fault(value, 'At most 100%')
  if (isPercentage && !isPaid) fault(type, 'A percentage needs the payment event')
  if (!isPercentage && fields[cap]) fault(cap, 'A cap only works with a percentage')
  const most = fields[cap] ? readAmount(cap, fields[cap], `${label} cap`, fault) : null
  return amount === null ? null : { type: chosen, value: amount, cap: most }
}

function isRewardType(text: string): text is RewardType {
  return (REWARD_TYPES as readonly string[]).includes(text)
}

function readOften(fields: CampaignFields, fault: Fault): Pick<CampaignTerms, 'type' | 'months' | 'occurrences'> {
  const chosen = CAMPAIGN_TYPES.find((type) => type === fields.campaignTypePerCustomer)
  if (!fields.campaignTypePerCustomer) fault('campaignTypePerCustomer', 'How often is required')
  else if (!chosen) fault('campaignTypePerCustomer', `How often must be one of: ${CAMPAIGN_TYPES.join(', ')}`)
  const count = (
    field: 'validityMonthsPerCustomer' | 'maxOccurrencesPerCustomer',
    isWanted: boolean,
    label: string,
    most: number,
  ) => {
    const given = fields[field] ?? null
    if (!isWanted) return given === null ? null : fault(field, `${label} does not go with this choice`)
    if (given === null) return fault(field, `${label} is required`)
    const isWithin = Number.isInteger(given) && given >= 1 && given <= most
    return isWithin ? given : fault(field, `${label} must be between 1 and ${most}`)
  }
  const months = count('validityMonthsPerCustomer', chosen === 'months_per_customer', 'Number of months', MOST_MONTHS)
  const isCounted = chosen === 'count_per_customer'
  const occurrences = count('maxOccurrencesPerCustomer', isCounted, 'Number of times', MOST_OCCURRENCES)
  return { type: chosen ?? 'one_time', months, occurrences }
}

const ORDER = 'Cap ≤ per-person limit ≤ budget'

function readLimits(
  fields: CampaignFields,
  rewards: CampaignTerms['rewards'],
  fault: Fault,
): Pick<CampaignTerms, 'limitPerPerson' | 'budget'> {
  const read = (field: 'rewardCapPerCustomer' | 'budget', label: string) =>
    fields[field] ? readAmount(field, fields[field], label, fault) : null
  const limitPerPerson = read('rewardCapPerCustomer', 'Per-person limit')
  const budget = read('budget', 'Budget')
  if (limitPerPerson !== null && budget !== null && limitPerPerson > budget) fault('budget', ORDER)
  const least = limitPerPerson ?? budget
  const bound = limitPerPerson === null ? 'budget' : 'rewardCapPerCustomer'
  for (const { side } of SIDES) {
    const terms = rewards[side]
    if (terms === null || least === null) continue
    if (terms.cap !== null && terms.cap > least) fault(bound, ORDER)
    if (terms.type === 'flat_fee' && terms.value > least) {
      fault(bound, 'A flat reward above this would never be given')
    }
  }
  return { limitPerPerson, budget }
}

/** An amount above zero in millionths; null with a fault where it is none. */
function readAmount(field: CampaignField, given: string, label: string, fault: Fault): bigint | null {
  const text = given.trim().replace(/^(-?)0+(?=\d)/, '$1')
  if (!/^-?\d+(\.\d+)?$/.test(text)) return fault(field, `${label} must be a decimal number`)
  if (text.startsWith('-') || !/[1-9]/.test(text)) return fault(field, `${label} must be greater than 0`)
  if (!/^\d{1,12}(\.\d{1,6}0*)?$/.test(text)) return fault(field, `${label} must have at most 12 digits and 6 decimals`)
  const [whole = '', fraction = ''] = text.split('.')
  return parseUnits(fraction === '' ? whole : `${whole}.${fraction.slice(0, REWARD_DECIMALS)}`, REWARD_DECIMALS)
}
