import { REWARDED_SIDES } from '@kassa/contract/referral/machine.ts'
import { rewardFor } from '@kassa/contract/referral/rewards.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { histories } from '../../../testing/referral/histories.ts'
import { play } from '../../../testing/referral/model.ts'
import {
  addMonths,
  type CountedCampaign,
  type CountedLog,
  type CountedMember,
  type History,
  leftOf,
  mayOweAgain,
  reward,
} from './rules.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const day = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const dollars = (amount: number) => BigInt(Math.round(amount * 1e6))

const campaign: CountedCampaign = {
  currencyCode: 'USD',
  eventKeys: ['order'],
  startDate: null,
  endDate: null,
  isDefault: true,
  rewards: { referrer: { type: 'flat_fee', value: dollars(10), cap: null }, referee: null },
  type: 'forever',
  months: null,
  occurrences: null,
  limitPerPerson: null,
  budget: null,
  status: 'active',
  considerEventsFrom: day(-30),
  given: 0n,
}
const order: CountedLog = { id: 7n, eventKey: 'order', amount: dollars(100), triggeredAt: NOW }
const signUp: CountedLog = { id: 3n, eventKey: 'signup', amount: null, triggeredAt: day(-1) }
const member: CountedMember = { isActive: true, referrer: { isActive: true, isAttached: false } }
const none = { count: 0, units: 0n, firstAt: null }
const nothing: History = { referrer: none, referee: none }
const past = (count: number, units: number, days = -10): History => ({
  ...nothing,
  referrer: { count, units: dollars(units), firstAt: day(days) },
})

type Case = {
  readonly campaign?: Partial<CountedCampaign>
  readonly log?: Partial<CountedLog>
  readonly member?: CountedMember
  readonly waiting?: readonly CountedLog[]
  readonly history?: History
}

function count(given: Case) {
  return reward(
    { ...campaign, ...given.campaign },
    { member: given.member ?? member, newest: { ...order, ...given.log }, waiting: given.waiting ?? [] },
    given.history ?? nothing,
  )
}

const percentage = (percent: number, cap: number | null = null) => ({
  type: 'percentage' as const,
  value: dollars(percent),
  cap: cap === null ? null : dollars(cap),
})
const both = { referrer: { type: 'flat_fee' as const, value: dollars(10), cap: null }, referee: percentage(5) }

describe('referral.reward gives', () => {
  it.each<[string, Case, readonly [string, bigint][], boolean]>([
    ['a flat reward to the promoter', {}, [['referrer', dollars(10)]], false],
    [
      'a percentage of the payment',
      { campaign: { rewards: { referrer: percentage(12.5), referee: null } } },
      [['referrer', dollars(12.5)]],
      false,
    ],
    [
      'a percentage rounded down to a millionth',
      { campaign: { rewards: { referrer: percentage(33.333333), referee: null } }, log: { amount: 10n } },
      [['referrer', 3n]],
      false,
    ],
    [
      'no more than the cap',
      { campaign: { rewards: { referrer: percentage(50, 20), referee: null } } },
      [['referrer', dollars(20)]],
      false,
    ],
    [
      'to both sides',
      { campaign: { rewards: both } },
      [
        ['referrer', dollars(10)],
        ['referee', dollars(5)],
      ],
      false,
    ],
    ['exactly up to the budget, and pauses', { campaign: { budget: dollars(10) } }, [['referrer', dollars(10)]], true],
    [
      'exactly up to the limit of a person',
      { campaign: { limitPerPerson: dollars(30) }, history: past(2, 20) },
      [['referrer', dollars(10)]],
      false,
    ],
    [
      'the last of the counted times',
      { campaign: { type: 'count_per_customer', occurrences: 3 }, history: past(2, 20) },
      [['referrer', dollars(10)]],
      false,
    ],
    [
      'a moment before the months are over',
      {
        campaign: { type: 'months_per_customer', months: 1 },
        history: { ...nothing, referrer: { count: 4, units: 1n, firstAt: new Date('2026-02-01T12:00:00.001Z') } },
      },
      [['referrer', dollars(10)]],
      false,
    ],
    [
      'to an attached promoter',
      {
        campaign: { isDefault: false },
        member: { isActive: true, referrer: { isActive: true, isAttached: true } },
      },
      [['referrer', dollars(10)]],
      false,
    ],
    [
      'the invitee, when the promoter has had theirs',
      { campaign: { rewards: both, type: 'one_time' }, history: past(1, 10) },
      [['referee', dollars(5)]],
      false,
    ],
    [
      'the promoter, when the invitee is inactive',
      { campaign: { rewards: both }, member: { ...member, isActive: false } },
      [['referrer', dollars(10)]],
      false,
    ],
    ['on the very start and end', { campaign: { startDate: NOW, endDate: NOW } }, [['referrer', dollars(10)]], false],
    [
      'for the oldest of each event',
      {
        campaign: { eventKeys: ['signup', 'order'], rewards: { referrer: percentage(10), referee: null } },
        waiting: [{ ...signUp, id: 5n }, signUp],
      },
      [['referrer', dollars(10)]],
      false,
    ],
  ])('%s', (_what, given, rewards, pauses) => {
    expect(count(given)).toMatchObject({
      kind: 'rewards',
      rewards: rewards.map(([side, units]) => ({ side, units })),
      pauses,
    })
  })

  it('uses up one log per event', () => {
    const verdict = count({
      campaign: { eventKeys: ['signup', 'order'] },
      waiting: [{ ...signUp, id: 5n }, signUp],
    })
    expect(verdict.kind === 'rewards' && verdict.set.map(({ id }) => id)).toEqual([3n, 7n])
  })
})

describe('referral.reward refuses', () => {
  it.each<[string, Case, string]>([
    ['while the campaign is paused', { campaign: { status: 'paused' } }, 'CAMPAIGN_NOT_ACTIVE'],
    ['before a future campaign begins', { campaign: { startDate: day(1), endDate: day(9) } }, 'OUTSIDE_DATES'],
    ['after the end', { campaign: { startDate: day(-9), endDate: day(-1) } }, 'OUTSIDE_DATES'],
    ['what happened before it was resumed', { campaign: { considerEventsFrom: day(1) } }, 'BEFORE_RESUMED'],
    ['without a promoter', { member: { isActive: true, referrer: null } }, 'NOT_REFERRED'],
    [
      'for an inactive promoter',
      { member: { isActive: true, referrer: { isActive: false, isAttached: true } } },
      'PROMOTER_INACTIVE',
    ],
    ['for a promoter who is not attached', { campaign: { isDefault: false } }, 'NOT_ATTACHED'],
    ['a second time', { campaign: { type: 'one_time' }, history: past(1, 10) }, 'ONE_TIME'],
    [
      'after the months',
      {
        campaign: { type: 'months_per_customer', months: 1 },
        history: { ...nothing, referrer: { count: 1, units: 1n, firstAt: new Date('2026-02-01T12:00:00Z') } },
      },
      'MONTHS_OVER',
    ],
    [
      'beyond the counted times',
      { campaign: { type: 'count_per_customer', occurrences: 3 }, history: past(3, 30) },
      'OCCURRENCES_USED',
    ],
    [
      'what would pass the limit of a person, uncut',
      { campaign: { limitPerPerson: dollars(29.999999) }, history: past(2, 20) },
      'PERSON_LIMIT',
    ],
    ['what would pass the budget, uncut', { campaign: { budget: dollars(19.999999), given: dollars(10) } }, 'BUDGET'],
    [
      'what both sides together would take beyond the budget',
      { campaign: { rewards: both, budget: dollars(14.999999) } },
      'BUDGET',
    ],
    [
      'less than a millionth',
      { campaign: { rewards: { referrer: percentage(1), referee: null } }, log: { amount: 99n } },
      'AMOUNT_TOO_SMALL',
    ],
  ])('%s', (_what, given, code) => {
    const verdict = count(given)
    expect(verdict).toMatchObject({ kind: 'refused', cause: { code } })
    expect(verdict.kind === 'refused' && verdict.pauses).toBe(code === 'BUDGET')
  })

  it('waits for the rest of a set, and says what is missing', () => {
    const verdict = count({ campaign: { eventKeys: ['signup', 'order', 'review'] }, waiting: [{ ...order, id: 2n }] })
    expect(verdict).toEqual({
      kind: 'waits',
      cause: { code: 'SET_INCOMPLETE', params: { missing: ['signup', 'review'] } },
    })
  })

  it('completes no set with a log of before the campaign was resumed', () => {
    const verdict = count({
      campaign: { eventKeys: ['signup', 'order'], considerEventsFrom: day(-0.5) },
      waiting: [signUp],
    })
    expect(verdict.kind).toBe('waits')
  })
})

describe('referral.mayOweAgain', () => {
  const ten = { units: dollars(10), left: 0n, at: NOW }

  it('lets a reward come back while its place is free', () => {
    expect(mayOweAgain({ ...campaign, type: 'one_time' }, ten, none)).toBe(true)
    expect(mayOweAgain({ ...campaign, type: 'one_time' }, ten, past(1, 10).referrer)).toBe(false)
    expect(mayOweAgain({ ...campaign, budget: dollars(19), given: dollars(10) }, ten, none)).toBe(false)
    expect(mayOweAgain({ ...campaign, limitPerPerson: dollars(19) }, ten, past(1, 10).referrer)).toBe(false)
  })

  it('asks only limits of amounts where a part of the reward is left', () => {
    const part = { ...ten, left: dollars(5) }
    expect(mayOweAgain({ ...campaign, type: 'one_time' }, part, past(1, 5).referrer)).toBe(true)
    expect(mayOweAgain({ ...campaign, limitPerPerson: dollars(14) }, part, past(1, 5).referrer)).toBe(false)
  })
})

describe('referral.leftOf', () => {
  it('rounds against the reward, and follows the worst of several payments', () => {
    expect(leftOf(10n, [{ basis: 3n, now: 2n }])).toBe(6n)
    expect(leftOf(10n, [{ basis: 3n, now: 9n }])).toBe(10n)
    expect(
      leftOf(10n, [
        { basis: 100n, now: 50n },
        { basis: 100n, now: 0n },
      ]),
    ).toBe(0n)
    expect(leftOf(10n, [])).toBe(10n)
  })

  it('of three partial refunds equals that of one refund of their sum', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 12n),
        fc.bigInt(3n, 10n ** 12n),
        fc.bigInt(0n, 10n ** 12n),
        (units, basis, now) => {
          const left = leftOf(units, [{ basis, now }])
          expect(left).toBeLessThanOrEqual(units)
          expect(left * basis <= units * now || now >= basis).toBe(true)
        },
      ),
    )
  })
})

describe('referral.addMonths', () => {
  it('ends on the last day of a month that is too short', () => {
    expect(addMonths(new Date('2026-01-31T09:30:00Z'), 1)).toEqual(new Date('2026-02-28T09:30:00Z'))
    expect(addMonths(new Date('2027-11-30T09:30:00Z'), 3)).toEqual(new Date('2028-02-29T09:30:00Z'))
    expect(addMonths(new Date('2026-03-15T00:00:00Z'), 12)).toEqual(new Date('2027-03-15T00:00:00Z'))
  })
})

/** As many histories as `KASSA_REFERRAL_HISTORIES` says; some thousands in `npm test`. */
const RUNS = Number(process.env.KASSA_REFERRAL_HISTORIES ?? 3_000)

describe('referral.reward over generated histories', () => {
  it(
    'keeps every limit, uses each log once, and pauses exactly when the budget is reached',
    { timeout: 600_000 },
    () => {
      fc.assert(
        fc.property(histories, (history) => {
          const { rewards, campaigns } = play(history)
          for (const { terms, given } of campaigns) {
            const own = rewards.filter((one) => one.campaign === terms.id)
            expect(given).toBe(own.reduce((sum, { units }) => sum + units, 0n))
            if (terms.budget !== null) expect(given).toBeLessThanOrEqual(terms.budget)
            const sets = new Map(own.map((one) => [one.set.join(), one.set]))
            const used = [...sets.values()].flat()
            expect(new Set(used).size).toBe(used.length)
            for (const set of sets.values()) expect(set).toHaveLength(terms.eventKeys.length)
            for (const side of REWARDED_SIDES) {
              for (const mine of Map.groupBy(
                own.filter((one) => one.side === side),
                ({ person }) => person,
              ).values()) {
                if (terms.type === 'one_time') expect(mine).toHaveLength(1)
                if (terms.occurrences !== null) expect(mine.length).toBeLessThanOrEqual(terms.occurrences)
                const units = mine.reduce((sum, one) => sum + one.units, 0n)
                if (terms.limitPerPerson !== null) expect(units).toBeLessThanOrEqual(terms.limitPerPerson)
                const most = terms.rewards[side]
                for (const one of mine) expect(one.units).toBe(most && rewardFor(most, one.amount))
              }
            }
          }
        }),
        { numRuns: RUNS },
      )
    },
  )

  it('gives the same rewards when the same history is played again', () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(play(history)).toEqual(play(history))
      }),
      { numRuns: 100 },
    )
  })
})
