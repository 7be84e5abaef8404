import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  decide,
  approvalsNeeded,
  type PayoutHistory,
  type PayoutPolicy,
  peopleNeeded,
  type PolicyDecision,
  type PolicyQuestion,
} from './rules.ts'

const NOW = new Date('2026-01-31T09:00:00.000Z')
const HOUR = 3_600_000
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6))

const DEFAULTS: PayoutPolicy = {
  projectId: 1,
  version: 1,
  autoApproveLimit: 0n,
  hourlyLimit: usd(5000),
  dailyLimit: usd(10_000),
  quorum: 1,
  steps: [],
  fourEyes: 'auto',
  allowList: new Set(),
  recipientDelayHours: 0,
  paused: false,
  approvers: 2,
}
const NOTHING: PayoutHistory = { lastHour: 0n, lastDay: 0n }
const PAYOUT: PolicyQuestion = {
  usd: usd(100),
  address: 'one',
  addressProblem: null,
  knownSince: NOW,
  asset: { isPayable: true, decimals: 6, minUnits: null, maxUnits: null },
  units: 100_000_000n,
  alwaysByPeople: false,
}
const decided = (
  policy: Partial<PayoutPolicy>,
  payout: Partial<PolicyQuestion> = {},
  history: Partial<PayoutHistory> = {},
) => decide({ ...DEFAULTS, ...policy }, { ...NOTHING, ...history }, { ...PAYOUT, ...payout }, NOW)

describe('policy.decide', () => {
  it('requires approval for every payout by default', () => {
    expect(decided({}, { usd: 1n })).toMatchObject({ kind: 'approvals', needed: 1, fourEyes: true })
    expect(decided({}, { usd: 0n })).toMatchObject({ kind: 'approvals' })
  })

  it('allows amounts within the limits, to the last millionth', () => {
    const policy = { autoApproveLimit: usd(100) }
    expect(decided(policy).kind).toBe('auto')
    expect(decided(policy, { usd: usd(100) + 1n })).toMatchObject({ rule: { code: 'over_auto_limit' } })
    expect(decided(policy, {}, { lastHour: usd(4900), lastDay: usd(4900) }).kind).toBe('auto')
    expect(decided(policy, {}, { lastHour: usd(4900) + 1n })).toMatchObject({
      kind: 'approvals',
      rule: { code: 'over_hourly_limit', params: { limitInUSD: '5000' } },
    })
    expect(decided(policy, {}, { lastDay: usd(9900) + 1n })).toMatchObject({ rule: { code: 'over_daily_limit' } })
    expect(decided(policy, { usd: null })).toMatchObject({ kind: 'approvals', rule: { code: 'no_price' } })
    expect(decided(policy, { alwaysByPeople: true })).toMatchObject({ rule: { code: 'always_by_people' } })
  })

  it('asks more people above each step, and all of them where there is no price', () => {
    const policy = {
      approvers: 5,
      steps: [
        { above: usd(500), approvals: 2 },
        { above: usd(5000), approvals: 3 },
      ],
    }
    const needed = (dollars: number | null) => {
      const answer = decided(policy, { usd: dollars === null ? null : usd(dollars) })
      return answer.kind === 'approvals' ? answer.needed : answer.kind
    }
    expect([500, 501, 5000, 5001, null].map(needed)).toEqual([1, 2, 2, 3, 3])
    expect(decided(policy, { usd: usd(501) })).toMatchObject({ rule: { code: 'over_step', params: { approvals: 2 } } })
  })

  it('asks people above a step, also below the limit without approval', () => {
    const policy = { autoApproveLimit: usd(150), quorum: 1, steps: [{ above: usd(100), approvals: 2 }], approvers: 5 }
    expect(decided(policy, { usd: usd(100) })).toMatchObject({ kind: 'auto' })
    const rule = { code: 'over_step', params: { aboveUSD: '100', approvals: 2 } }
    expect(decided(policy, { usd: usd(101) })).toMatchObject({ kind: 'approvals', needed: 2, rule })
    // A higher quorum makes nothing milder.
    const more = { code: 'over_step', params: { aboveUSD: '100', approvals: 3 } }
    expect(decided({ ...policy, quorum: 3 }, { usd: usd(101) })).toMatchObject({ needed: 3, rule: more })
    expect(decided({ ...policy, quorum: 3 }, { usd: usd(151) })).toMatchObject({ rule: { code: 'over_auto_limit' } })
  })

  it('blocks in the order of the rules, and says until when', () => {
    const young = { knownSince: new Date(NOW.getTime() - HOUR) }
    const all = { paused: true, allowList: new Set(['other']), recipientDelayHours: 2 }
    const code = (answer: PolicyDecision) => (answer.kind === 'block' ? answer.code : answer.kind)
    const bad = {
      ...young,
      addressProblem: 'address_is_ours',
      asset: { ...PAYOUT.asset, isPayable: false, minUnits: 200_000_000n },
    } as const
    expect(code(decided(all, bad))).toBe('payouts_paused')
    expect(code(decided({ ...all, paused: false }, bad))).toBe('address_is_ours')
    expect(code(decided({ ...all, paused: false }, { ...bad, addressProblem: null }))).toBe('not_on_allow_list')
    const listed = { allowList: new Set(['one']), recipientDelayHours: 2 }
    expect(code(decided(listed, { ...bad, addressProblem: null }))).toBe('asset_not_payable')
    const small = { ...PAYOUT.asset, minUnits: 200_000_000n }
    expect(decided(listed, { ...young, asset: small })).toMatchObject({
      code: 'amount_out_of_range',
      params: { min: '200', max: null },
    })
    expect(decided(listed, young)).toMatchObject({
      code: 'recipient_too_new',
      params: { hours: 2 },
      until: new Date(NOW.getTime() + HOUR),
    })
    expect(decided(listed, { knownSince: null })).toMatchObject({ until: new Date(NOW.getTime() + 2 * HOUR) })
  })

  it('blocks no recipient without a delay, for any clock of the requesting process', () => {
    const ahead = { knownSince: new Date(NOW.getTime() + HOUR) }
    expect(decided({}, ahead).kind).not.toBe('block')
    expect(decided({ recipientDelayHours: 1 }, ahead)).toMatchObject({ code: 'recipient_too_new' })
  })

  it('refuses the requester as approver where there is another member for each approval', () => {
    const eyes = (policy: Partial<PayoutPolicy>) => {
      const answer = decided(policy)
      return answer.kind === 'approvals' && answer.fourEyes
    }
    expect(eyes({ approvers: 1 })).toBe(false)
    expect(eyes({ approvers: 2 })).toBe(true)
    expect(eyes({ approvers: 2, quorum: 2 })).toBe(false)
    expect(eyes({ approvers: 1, fourEyes: 'always' })).toBe(true)
    expect(eyes({ approvers: 9, fourEyes: 'off' })).toBe(false)
  })

  it('counts the people that the rules need', () => {
    const rules = { quorum: 1, steps: [{ above: 0n, approvals: 3 }], fourEyes: 'auto' } as const
    const both = [{ operatorId: 1, mayCreate: true }]
    expect(peopleNeeded(rules, both)).toBe(3)
    expect(peopleNeeded({ ...rules, fourEyes: 'always' }, both)).toBe(4)
    expect(peopleNeeded({ ...rules, fourEyes: 'always' }, [{ operatorId: 1, mayCreate: false }])).toBe(3)
  })
})

const amount = fc.bigInt({ min: 0n, max: usd(20_000) })
const policies: fc.Arbitrary<PayoutPolicy> = fc.record({
  projectId: fc.constant(1),
  version: fc.constant(1),
  autoApproveLimit: amount,
  hourlyLimit: amount,
  dailyLimit: amount,
  quorum: fc.integer({ min: 1, max: 5 }),
  steps: fc.array(fc.record({ above: amount, approvals: fc.integer({ min: 1, max: 5 }) }), { maxLength: 4 }),
  fourEyes: fc.constantFrom('always', 'auto', 'off'),
  allowList: fc.array(fc.constantFrom('one', 'two', 'three')).map((list) => new Set(list)),
  recipientDelayHours: fc.integer({ min: 0, max: 48 }),
  paused: fc.boolean(),
  approvers: fc.integer({ min: 0, max: 6 }),
})
const histories = fc.record({ lastHour: amount, lastDay: amount })
const payouts: fc.Arbitrary<PolicyQuestion> = fc.record({
  usd: fc.option(amount),
  address: fc.constantFrom('one', 'two'),
  addressProblem: fc.option(fc.constantFrom('address_is_ours', 'address_blocked'), { freq: 9 }),
  knownSince: fc.option(fc.integer({ min: 0, max: 60 }).map((hours) => new Date(NOW.getTime() - hours * HOUR))),
  asset: fc.record({
    isPayable: fc.boolean(),
    decimals: fc.constant(6),
    minUnits: fc.option(fc.constant(10n)),
    maxUnits: fc.option(fc.constant(1000n)),
  }),
  units: fc.bigInt({ min: 1n, max: 1100n }),
  alwaysByPeople: fc.boolean(),
})

const steps = fc.array(fc.record({ above: amount, approvals: fc.integer({ min: 1, max: 5 }) }), { maxLength: 3 })
const less = (value: bigint, by: number) => (value * BigInt(100 - by)) / 100n

/** Two policies of which the second is as strict or stricter in every respect. */
const pairs = fc
  .tuple(policies, fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 4 }), steps, fc.boolean())
  .map(([policy, by, more, further, isMore]) => {
    const [auto, always] = ['auto', 'always'] as const
    const eyes = policy.fourEyes === 'off' ? auto : always
    const stricter: PayoutPolicy = {
      ...policy,
      autoApproveLimit: less(policy.autoApproveLimit, by),
      hourlyLimit: less(policy.hourlyLimit, by),
      dailyLimit: less(policy.dailyLimit, by),
      quorum: Math.min(5, policy.quorum + more),
      steps: [...policy.steps.map((step) => ({ ...step, above: less(step.above, by) })), ...further],
      fourEyes: isMore ? eyes : policy.fourEyes,
      allowList: policy.allowList.size === 0 && isMore ? new Set(['three', 'one']) : narrowed(policy.allowList, isMore),
      recipientDelayHours: policy.recipientDelayHours + by,
      paused: policy.paused || by === 50,
    }
    return [policy, stricter] as const
  })

/** A list with one address less; the last one stays, because an empty list lets every address through. */
function narrowed(list: ReadonlySet<string>, isMore: boolean): ReadonlySet<string> {
  return isMore && list.size > 1 ? new Set([...list].slice(1)) : list
}

/** People who must agree, of them others than whoever asked, and when it ends by itself. */
function strictness(answer: PolicyDecision): readonly [number, number, number] {
  if (answer.kind === 'auto') return [0, 0, 0]
  if (answer.kind === 'approvals') return [answer.needed, answer.needed - (answer.fourEyes ? 0 : 1), 0]
  return [99, 99, answer.until?.getTime() ?? Number.POSITIVE_INFINITY]
}

describe('policy.decide, 10,000 random cases', () => {
  it('always answers, with one to five people', () => {
    fc.assert(
      fc.property(policies, histories, payouts, (policy, history, payout) => {
        const answer = decide(policy, history, payout, NOW)
        if (answer.kind === 'approvals') expect(answer.needed).toBeGreaterThanOrEqual(policy.quorum)
        if (answer.kind === 'approvals') expect(answer.needed).toBeLessThanOrEqual(5)
        if (answer.kind === 'block' && answer.until) expect(answer.until > NOW).toBe(true)
        if (answer.kind !== 'auto') return
        expect(payout.usd ?? policy.autoApproveLimit + 1n).toBeLessThanOrEqual(policy.autoApproveLimit)
        expect(history.lastHour + (payout.usd ?? 0n)).toBeLessThanOrEqual(policy.hourlyLimit)
        expect(history.lastDay + (payout.usd ?? 0n)).toBeLessThanOrEqual(policy.dailyLimit)
      }),
      { numRuns: 10_000 },
    )
  })

  it('asks for as many approvals, whatever the windows hold, or for none', () => {
    fc.assert(
      fc.property(policies, histories, payouts, amount, (policy, history, payout, value) => {
        const answer = decide(policy, history, { ...payout, usd: value }, NOW)
        if (answer.kind !== 'approvals') return
        const { needed, fourEyes } = answer
        expect({ needed, fourEyes }).toEqual(approvalsNeeded(policy, value))
      }),
      { numRuns: 10_000 },
    )
  })

  it('never answers milder for a stricter policy, or for more history', () => {
    fc.assert(
      fc.property(pairs, histories, payouts, amount, ([policy, stricter], history, payout, more) => {
        const answers = [
          decide(policy, history, payout, NOW),
          decide(stricter, history, payout, NOW),
          decide(policy, { lastHour: history.lastHour + more, lastDay: history.lastDay + more }, payout, NOW),
        ].map(strictness)
        const [before, byPolicy, byHistory] = answers
        for (const after of [byPolicy, byHistory]) {
          before?.forEach((value, index) => expect(after?.[index]).toBeGreaterThanOrEqual(value))
        }
      }),
      { numRuns: 10_000 },
    )
  })
})
