import type { CampaignField, CampaignFields } from '@kassa/contract/referral/campaign-rules.ts'
import type { Campaign } from '@kassa/contract/referral/schemas.ts'

import type { CampaignRequest } from '../../../api/growth.ts'
import { readStored, writeStored } from '../../../lib/device/stored.ts'
import { operatorZone, wallClock } from '../../../lib/time/time-zone.ts'

/** A campaign as the form holds it. */
export type Draft = {
  readonly name: string
  readonly description: string
  readonly currencyCode: string
  readonly startDate: string
  readonly endDate: string
  readonly isDefault: boolean
  readonly eventKeys: readonly string[]
  readonly rewardType: string
  readonly rewardValue: string
  readonly rewardCap: string
  readonly inviteeRewardType: string
  readonly inviteeRewardValue: string
  readonly inviteeRewardCap: string
  readonly campaignTypePerCustomer: string
  readonly validityMonthsPerCustomer: string
  readonly maxOccurrencesPerCustomer: string
  readonly rewardCapPerCustomer: string
  readonly budget: string
}

/** What a new campaign begins with: the way that needs no code, once per person. */
export const NEW_DRAFT: Draft = {
  name: '',
  description: '',
  currencyCode: 'USD',
  startDate: '',
  endDate: '',
  isDefault: true,
  eventKeys: ['kassa_payment'],
  rewardType: 'percentage',
  rewardValue: '',
  rewardCap: '',
  inviteeRewardType: '',
  inviteeRewardValue: '',
  inviteeRewardCap: '',
  campaignTypePerCustomer: 'one_time',
  validityMonthsPerCustomer: '',
  maxOccurrencesPerCustomer: '',
  rewardCapPerCustomer: '',
  budget: '',
}

/** The fields of each step; the last one shows them all. */
export const STEP_FIELDS: readonly (readonly CampaignField[])[] = [
  ['name', 'description', 'currencyCode', 'startDate', 'endDate', 'isDefault'],
  ['eventKeys'],
  ['rewardType', 'rewardValue', 'rewardCap', 'inviteeRewardType', 'inviteeRewardValue', 'inviteeRewardCap'],
  [
    'campaignTypePerCustomer',
    'validityMonthsPerCustomer',
    'maxOccurrencesPerCustomer',
    'rewardCapPerCustomer',
    'budget',
  ],
  [],
]

/** The step that a field stands in. */
export function stepOf(field: string): number {
  return Math.max(
    0,
    STEP_FIELDS.findIndex((fields) => (fields as readonly string[]).includes(field)),
  )
}

/** A draft as the rules and the server read it; what another choice has hidden is left out. */
export function toFields(draft: Draft): CampaignFields {
  const { rewardType, inviteeRewardType, campaignTypePerCustomer: often } = draft
  const capOf = (type: string, cap: string) => (type === 'percentage' ? cap.trim() : '')
  return {
    ...draft,
    rewardValue: rewardType === '' ? '' : draft.rewardValue.trim(),
    rewardCap: capOf(rewardType, draft.rewardCap),
    inviteeRewardValue: inviteeRewardType === '' ? '' : draft.inviteeRewardValue.trim(),
    inviteeRewardCap: capOf(inviteeRewardType, draft.inviteeRewardCap),
    validityMonthsPerCustomer: often === 'months_per_customer' ? wholeOf(draft.validityMonthsPerCustomer) : null,
    maxOccurrencesPerCustomer: often === 'count_per_customer' ? wholeOf(draft.maxOccurrencesPerCustomer) : null,
    rewardCapPerCustomer: draft.rewardCapPerCustomer.trim(),
    budget: draft.budget.trim(),
  }
}

function wholeOf(text: string): number | null {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : null
}

/** Returns what is sent of a draft: all of it, or the fields that may change. */
export function toRequest(draft: Draft, only?: readonly CampaignField[]): CampaignRequest {
  const fields = { ...toFields(draft), eventKeys: [...draft.eventKeys] }
  const sent = only === undefined ? fields : Object.fromEntries(only.map((field) => [field, fields[field]]))
  return { ...sent, timezone: operatorZone() }
}

/** Which fields of a campaign were changed in the form; one that was not is somebody else's to change. */
export function changedFields(before: Draft, after: Draft): CampaignField[] {
  const [from, to] = [toFields(before), toFields(after)]
  const names = Object.keys(to) as CampaignField[]
  return names.filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
}

/** The fields that the review shows; a day that was not changed is not read anew in the time zone of whoever edits. */
export function reviewedFields(before: Draft, after: Draft): CampaignField[] {
  const changed = changedFields(before, after)
  const names = Object.keys(toFields(after)) as CampaignField[]
  return names.filter((name) => (name !== 'startDate' && name !== 'endDate') || changed.includes(name))
}

/** Returns a campaign as the form shows it. */
export function fromCampaign(campaign: Campaign): Draft {
  const day = (at: Date | null) => (at === null ? '' : wallClock(at).toISOString().slice(0, 10))
  const number = (value: number | null) => (value === null ? '' : String(value))
  return {
    name: campaign.name,
    description: campaign.description ?? '',
    currencyCode: campaign.currencyCode,
    startDate: day(campaign.startDate),
    endDate: day(campaign.endDate),
    isDefault: campaign.isDefault,
    eventKeys: campaign.events.map(({ key }) => key),
    rewardType: campaign.rewardType ?? '',
    rewardValue: campaign.rewardValue ?? '',
    rewardCap: campaign.rewardCap ?? '',
    inviteeRewardType: campaign.inviteeRewardType ?? '',
    inviteeRewardValue: campaign.inviteeRewardValue ?? '',
    inviteeRewardCap: campaign.inviteeRewardCap ?? '',
    campaignTypePerCustomer: campaign.campaignTypePerCustomer,
    validityMonthsPerCustomer: number(campaign.validityMonthsPerCustomer),
    maxOccurrencesPerCustomer: number(campaign.maxOccurrencesPerCustomer),
    rewardCapPerCustomer: campaign.rewardCapPerCustomer ?? '',
    budget: campaign.budget ?? '',
  }
}

const keyOf = (projectId: string) => `campaignDraft.${projectId}`

/** Stores an unfinished campaign of a project on this device; `undefined`, or one as new, forgets it. */
export function storeDraft(projectId: string, draft: Draft | undefined): void {
  const text = draft === undefined ? undefined : JSON.stringify(draft)
  writeStored(keyOf(projectId), text === JSON.stringify(NEW_DRAFT) ? undefined : text)
}

/** Returns the unfinished campaign of a project; of one that another version stored, what this one knows. */
export function storedDraft(projectId: string): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(projectId)) ?? 'null')
    return typeof stored === 'object' && stored !== null
      ? draftFrom(stored as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}

function draftFrom(stored: Readonly<Record<string, unknown>>): Draft {
  const known = Object.entries(NEW_DRAFT).map(([name, initial]) => {
    const value = stored[name]
    if (Array.isArray(initial)) return [name, Array.isArray(value) ? value.filter(isText) : initial]
    return [name, typeof value === typeof initial ? value : initial]
  })
  return Object.fromEntries(known) as Draft
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
