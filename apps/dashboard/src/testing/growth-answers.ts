/** The referral programme as the server answers it. */
import { AT } from './answers.ts'

const row = { createdAt: AT, updatedAt: AT, project: 'Acme' }

/** The event that Kassa logs itself. */
export const WIRE_KASSA_EVENT = {
  ...row,
  id: 1,
  externalPlatformID: 7,
  key: 'kassa_payment',
  name: 'Payment through Kassa',
  eventType: 'payment',
  description: null,
  isEditable: false,
  campaignCount: 1,
}

/** Ten percent to the promoter, once, of a budget of which a quarter is given. */
export function wireCampaign(more: object = {}) {
  return {
    ...row,
    id: 5,
    externalPlatformID: 7,
    name: 'Spring',
    currencyCode: 'USD',
    rewardType: 'percentage',
    rewardValue: '10',
    rewardCap: null,
    inviteeRewardType: null,
    inviteeRewardValue: null,
    inviteeRewardCap: null,
    budget: '100',
    description: null,
    startDate: null,
    endDate: null,
    status: 'active',
    pausedBecause: null,
    isDefault: true,
    campaignTypePerCustomer: 'one_time',
    maxOccurrencesPerCustomer: null,
    validityMonthsPerCustomer: null,
    rewardCapPerCustomer: null,
    considerEventsFrom: AT,
    events: [WIRE_KASSA_EVENT],
    totalRewards: '25',
    rewardCount: 3,
    budgetLeft: '75',
    started: true,
    ended: false,
    ...more,
  }
}

const profile = {
  ...row,
  id: 9,
  email: 'ann@example.com',
  code: 'K7Q2M9A',
  status: 'active',
}

/** A promoter in a list. */
export function wirePromoterRow(more: object = {}) {
  return {
    ...profile,
    externalPlatformID: 7,
    referenceID: 'customer-1',
    refereeCount: 2,
    totalRewards: '25',
    isReferred: false,
    ...more,
  }
}

/** The same promoter on their own page. */
export function wirePromoter(more: object = {}) {
  return {
    ...profile,
    referenceId: 'customer-1',
    referredByMemberID: null,
    referredByMemberReferenceID: null,
    referredByMember: null,
    campaigns: [],
    refereeCount: 2,
    totalRewards: '25',
    paid: '5',
    available: '20',
    held: '0',
    owed: '0',
    balances: [],
    ...more,
  }
}

/** A reward of $12.50, of which half was taken back with its payment. */
export const WIRE_REWARD = {
  ...row,
  id: 31,
  campaignId: 5,
  campaignName: 'Spring',
  currencyCode: 'USD',
  rewardedMemberID: 9,
  rewardedMemberReferenceID: 'customer-1',
  rewardedMemberEmail: 'ann@example.com',
  relatedMemberID: 10,
  relatedMemberReferenceID: 'customer-2',
  relatedMemberEmail: 'bob@example.com',
  memberType: 'referrer',
  amount: '6.25',
  givenAmount: '12.5',
  paidAmount: '0',
  status: 'pending',
  reason: 'The payment was refunded, whole or in part.',
  reversal: { code: 'PAYMENT_REFUNDED', params: {}, text: 'The payment was refunded, whole or in part.' },
  referenceOfPayment: null,
}

/** A page of a list. */
export function wirePage(data: readonly object[]) {
  return { data, total: data.length, limit: 50, offset: 0, nextCursor: null }
}

/** One number of the growth dashboard. */
export function wireFigure(id: number, text: string) {
  return {
    id,
    type: 'number_graph',
    data: [{ label: '', text, subtext: '', value: '1' }],
    attributes: null,
    asOf: AT,
    countedPercent: null,
    span: null,
    previous: null,
  }
}

/** Rewards of two days. */
export const WIRE_SERIES = {
  id: 8,
  type: 'bar_graph',
  data: [
    {
      ...{
        Timestamp: 'Nov 11',
        Extras: 'Wednesday',
        at: '2026-11-11T00:00:00.000Z',
        until: '2026-11-12T00:00:00.000Z',
      },
      ...{ Promoters: '20.00', PromotersColor: '#84cc16', Invitees: '5.00', InviteesColor: '#3b82f6' },
    },
    {
      ...{ Timestamp: 'Nov 12', Extras: 'Thursday', at: '2026-11-12T00:00:00.000Z', until: '2026-11-13T00:00:00.000Z' },
      ...{ Promoters: '0.00', PromotersColor: '#84cc16', Invitees: '0.00', InviteesColor: '#3b82f6' },
    },
  ],
  attributes: { axisBottom: 'Date', axisLeft: 'USD' },
  asOf: AT,
  countedPercent: null,
  span: { from: '2026-11-11T00:00:00.000Z', until: '2026-11-13T00:00:00.000Z', timezone: 'UTC', bucket: 'day' },
  previous: null,
}
