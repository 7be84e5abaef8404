import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type CampaignField, type CampaignFields, readCampaign, type CampaignTerms } from './campaign-rules.ts'
import { rewardFor } from './rewards.ts'

const facts = {
  now: new Date('2026-03-01T12:00:00Z'),
  currencies: ['USD', 'USDC'],
  events: new Map([
    ['kassa_payment', 'payment'],
    ['order', 'payment'],
    ['signup', 'simple'],
  ] as const),
}

const valid: CampaignFields = {
  name: 'Spring',
  currencyCode: 'USD',
  eventKeys: ['kassa_payment'],
  rewardType: 'percentage',
  rewardValue: '10',
  campaignTypePerCustomer: 'one_time',
}

const faultsOf = (change: CampaignFields) => {
  const read = readCampaign({ ...valid, ...change }, facts)
  return 'faults' in read ? read.faults : {}
}
const termsOf = (change: CampaignFields = {}): CampaignTerms => {
  const read = readCampaign({ ...valid, ...change }, facts)
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  return read.terms
}

describe('referral.readCampaign', () => {
  it('reads a campaign, amounts in millionths, and everybody as its promoters unless it says otherwise', () => {
    expect(termsOf()).toEqual({
      name: 'Spring',
      description: null,
      currencyCode: 'USD',
      startDate: null,
      endDate: null,
      isDefault: true,
      eventKeys: ['kassa_payment'],
      rewards: { referrer: { type: 'percentage', value: 10_000_000n, cap: null }, referee: null },
      type: 'one_time',
      months: null,
      occurrences: null,
      limitPerPerson: null,
      budget: null,
    })
  })

  it('reads days in the zone of the caller, the last one to its end', () => {
    const read = readCampaign(
      { ...valid, startDate: '2026-03-01', endDate: '2026-03-31' },
      { ...facts, timezone: 'Europe/Berlin' },
    )
    expect(read).toMatchObject({
      terms: { startDate: new Date('2026-02-28T23:00:00Z'), endDate: new Date('2026-03-31T21:59:59.999Z') },
    })
  })

  const rules: readonly [string, CampaignFields, CampaignField, string][] = [
    ['no name', { name: ' ' }, 'name', 'Name is required'],
    ['a long name', { name: 'x'.repeat(256) }, 'name', 'Name must be at most 255 characters long'],
    [
      'a long description',
      { description: 'x'.repeat(2001) },
      'description',
      'Description must be at most 2000 characters long',
    ],
    ['no currency', { currencyCode: '' }, 'currencyCode', 'Currency is required'],
    ['another currency', { currencyCode: 'ETH' }, 'currencyCode', 'Currency must be one of: USD, USDC'],
    ['no end', { startDate: '2026-04-01' }, 'endDate', 'Set both dates or none'],
    ['no start', { endDate: '2026-04-01' }, 'startDate', 'Set both dates or none'],
    [
      'an end before the start',
      { startDate: '2026-04-02', endDate: '2026-04-01' },
      'endDate',
      'The end date must not be before the start date',
    ],
    [
      'an end in the past',
      { startDate: '2026-02-01', endDate: '2026-02-28' },
      'endDate',
      'The end date must not be in the past',
    ],
    ['no day', { startDate: '2026-02-30', endDate: '2026-04-01' }, 'startDate', 'Start must be a date'],
    ['no last day', { startDate: '2026-04-01', endDate: 'soon' }, 'endDate', 'End must be a date'],
    ['no event', { eventKeys: [] }, 'eventKeys', 'Choose at least one event'],
    ['an unknown event', { eventKeys: ['kassa_payment', 'x'] }, 'eventKeys', 'Unknown event x'],
    [
      'two payment events',
      { eventKeys: ['kassa_payment', 'order'] },
      'eventKeys',
      'Only one payment event can be part of a campaign',
    ],
    [
      'nobody who is rewarded',
      { rewardType: null, rewardValue: null },
      'rewardType',
      'Reward someone: promoter, invitee or both',
    ],
    ['a reward without a value', { rewardValue: null }, 'rewardValue', 'Promoter reward is required'],
    [
      'a value without a kind of reward',
      { inviteeRewardValue: '5' },
      'inviteeRewardType',
      'Invitee reward must be one of: flat_fee, percentage',
    ],
    [
      'another kind of reward',
      { rewardType: 'points' },
      'rewardType',
      'Promoter reward must be one of: flat_fee, percentage',
    ],
    ['a reward of nothing', { rewardValue: '0.00' }, 'rewardValue', 'Promoter reward must be greater than 0'],
    ['a negative reward', { rewardValue: '-1' }, 'rewardValue', 'Promoter reward must be greater than 0'],
    ['an exponent', { rewardValue: '1e3' }, 'rewardValue', 'Promoter reward must be a decimal number'],
    [
      'seven decimals',
      { rewardValue: '0.0000001' },
      'rewardValue',
      'Promoter reward must have at most 12 digits and 6 decimals',
    ],
    ['more than all of it', { rewardValue: '100.000001' }, 'rewardValue', 'At most 100%'],
    ['a percentage of nothing', { eventKeys: ['signup'] }, 'rewardType', 'A percentage needs the payment event'],
    [
      'a cap of a flat reward',
      { rewardType: 'flat_fee', rewardCap: '5' },
      'rewardCap',
      'A cap only works with a percentage',
    ],
    ['a cap of no reward', { inviteeRewardCap: '5' }, 'inviteeRewardCap', 'A cap only works with a percentage'],
    ['a cap of nothing', { rewardCap: '0' }, 'rewardCap', 'Promoter reward cap must be greater than 0'],
    ['a budget of nothing', { budget: '0' }, 'budget', 'Budget must be greater than 0'],
    [
      'a limit of nothing',
      { rewardCapPerCustomer: '0' },
      'rewardCapPerCustomer',
      'Per-person limit must be greater than 0',
    ],
    [
      'a cap above the limit',
      { rewardCap: '20', rewardCapPerCustomer: '10' },
      'rewardCapPerCustomer',
      'Cap ≤ per-person limit ≤ budget',
    ],
    ['a cap above the budget', { rewardCap: '20', budget: '10' }, 'budget', 'Cap ≤ per-person limit ≤ budget'],
    [
      'a limit above the budget',
      { rewardCapPerCustomer: '20', budget: '10' },
      'budget',
      'Cap ≤ per-person limit ≤ budget',
    ],
    [
      'a flat reward above the limit',
      { inviteeRewardType: 'flat_fee', inviteeRewardValue: '20', rewardCapPerCustomer: '10' },
      'rewardCapPerCustomer',
      'A flat reward above this would never be given',
    ],
    ['no word on how often', { campaignTypePerCustomer: '' }, 'campaignTypePerCustomer', 'How often is required'],
    [
      'another way of how often',
      { campaignTypePerCustomer: 'twice' },
      'campaignTypePerCustomer',
      'How often must be one of: one_time, forever, months_per_customer, count_per_customer',
    ],
    [
      'months without their number',
      { campaignTypePerCustomer: 'months_per_customer' },
      'validityMonthsPerCustomer',
      'Number of months is required',
    ],
    [
      'no month',
      { campaignTypePerCustomer: 'months_per_customer', validityMonthsPerCustomer: 0 },
      'validityMonthsPerCustomer',
      'Number of months must be between 1 and 120',
    ],
    [
      'months of a campaign that counts once',
      { validityMonthsPerCustomer: 6 },
      'validityMonthsPerCustomer',
      'Number of months does not go with this choice',
    ],
    [
      'times without their number',
      { campaignTypePerCustomer: 'count_per_customer' },
      'maxOccurrencesPerCustomer',
      'Number of times is required',
    ],
    [
      'times of a campaign for ever',
      { campaignTypePerCustomer: 'forever', maxOccurrencesPerCustomer: 3 },
      'maxOccurrencesPerCustomer',
      'Number of times does not go with this choice',
    ],
  ]

  it.each(rules)('refuses %s', (_what, change, field, text) => {
    expect(faultsOf(change)).toEqual({ [field]: text })
  })

  it('names every field that breaks a rule, in the order of the form', () => {
    expect(Object.keys(faultsOf({ name: '', eventKeys: ['signup'], budget: '-1' }))).toEqual([
      'name',
      'rewardType',
      'budget',
    ])
  })

  it('takes the same amount at each end of cap, limit and budget', () => {
    expect(termsOf({ rewardCap: '10', rewardCapPerCustomer: '10.00', budget: '010' })).toMatchObject({
      rewards: { referrer: { cap: 10_000_000n } },
      limitPerPerson: 10_000_000n,
      budget: 10_000_000n,
    })
  })
})

describe('referral.rewardFor', () => {
  const millionths = fc.bigInt({ min: 1n, max: 10n ** 18n })

  it('rounds a share down to a millionth, and never gives more than the cap or the whole', () => {
    const caps = fc.option(millionths, { nil: null })
    fc.assert(
      fc.property(millionths, fc.bigInt({ min: 1n, max: 100_000_000n }), caps, (amount, value, cap) => {
        const reward = rewardFor({ type: 'percentage', value, cap }, amount)
        const full = amount * value
        expect(reward * 100_000_000n).toBeLessThanOrEqual(full)
        if (cap === null) expect((reward + 1n) * 100_000_000n).toBeGreaterThan(full)
        else expect(reward).toBeLessThanOrEqual(cap)
      }),
    )
  })

  it('gives a flat reward whatever was paid', () => {
    expect(rewardFor({ type: 'flat_fee', value: 5_000_000n, cap: null }, null)).toBe(5_000_000n)
    expect(rewardFor({ type: 'flat_fee', value: 5_000_000n, cap: null }, 1n)).toBe(5_000_000n)
  })
})
