/** Generated histories of a referral programme: what the rule and the real service are both played through. */
import type { CampaignType, ReferralEventType } from '@kassa/contract/referral/machine.ts'
import type { RewardTerms } from '@kassa/contract/referral/rewards.ts'
import fc from 'fast-check'

/** Events of the shop by key. */
export const EVENTS = { signup: 'simple', visit: 'simple', order: 'payment' } as const satisfies Record<
  string,
  ReferralEventType
>
type EventKey = keyof typeof EVENTS

/** The first two bring customers; of the others each was brought by one of them, but for the last. */
export const PROMOTERS = 2
export const MEMBERS = 5

/** Who brought whom: of people by their index. */
export function promoterOf(member: number): number | null {
  if (member < PROMOTERS || member === MEMBERS + PROMOTERS - 1) return null
  return member % PROMOTERS
}

export type PlayedTerms = {
  readonly eventKeys: readonly EventKey[]
  readonly rewards: { readonly referrer: RewardTerms | null; readonly referee: RewardTerms | null }
  readonly type: CampaignType
  readonly months: number | null
  readonly occurrences: number | null
  readonly limitPerPerson: bigint | null
  readonly budget: bigint | null
  readonly isDefault: boolean
}

export type Step =
  | { readonly kind: 'log'; readonly member: number; readonly event: EventKey; readonly amount: bigint }
  | { readonly kind: 'pause' | 'resume'; readonly campaign: number }
  | { readonly kind: 'budget'; readonly campaign: number; readonly more: bigint }
  | { readonly kind: 'status'; readonly promoter: number; readonly isActive: boolean }
  | { readonly kind: 'attach'; readonly promoter: number; readonly campaigns: readonly number[] }

export type History = {
  readonly campaigns: readonly PlayedTerms[]
  /** Each with the milliseconds that pass before it. */
  readonly steps: readonly (Step & { readonly after: number })[]
}

const DAY = 86_400_000
const units = (most: bigint) => fc.bigInt(1n, most)
const flat = fc.record({ type: fc.constant('flat_fee' as const), value: units(20_000_000n), cap: fc.constant(null) })
const percentage = fc.record({
  type: fc.constant('percentage' as const),
  value: units(100_000_000n),
  cap: fc.option(units(5_000_000n)),
})

const terms: fc.Arbitrary<PlayedTerms> = fc
  .record({
    eventKeys: fc.subarray(['signup', 'visit', 'order'] as const, { minLength: 1 }),
    referrer: fc.option(fc.oneof(flat, percentage), { freq: 5 }),
    referee: fc.option(fc.oneof(flat, percentage)),
    type: fc.constantFrom<CampaignType[]>('one_time', 'forever', 'months_per_customer', 'count_per_customer'),
    count: fc.integer({ min: 1, max: 3 }),
    limitPerPerson: fc.option(units(60_000_000n)),
    budget: fc.option(units(150_000_000n)),
    isDefault: fc.boolean(),
  })
  .map(({ referrer, referee, count, eventKeys, limitPerPerson, budget, ...rest }): PlayedTerms => {
    const isPaid = eventKeys.includes('order')
    const usable = (side: RewardTerms | null) => (side?.type === 'percentage' && !isPaid ? null : side)
    const [promoter, invitee] = [usable(referrer), usable(referee)]
    const given = promoter ?? invitee ?? { type: 'flat_fee' as const, value: 1_500_000n, cap: null }
    const rewards = { referrer: promoter ?? (invitee === null ? given : null), referee: invitee }
    // As the rules of campaigns want it: a reward or its cap ≤ limit of a person ≤ budget.
    const least = [rewards.referrer, rewards.referee].reduce((most, side) => {
      const value = side === null ? 0n : side.type === 'flat_fee' ? side.value : (side.cap ?? 0n)
      return value > most ? value : most
    }, 1n)
    const limit = limitPerPerson === null ? null : limitPerPerson > least ? limitPerPerson : least
    const lowest = limit ?? least
    return {
      ...rest,
      eventKeys,
      rewards,
      months: rest.type === 'months_per_customer' ? count : null,
      occurrences: rest.type === 'count_per_customer' ? count : null,
      limitPerPerson: limit,
      budget: budget === null ? null : budget > lowest ? budget : lowest,
    }
  })

const MOST_CAMPAIGNS = 3
const campaign = fc.integer({ min: 0, max: MOST_CAMPAIGNS - 1 })
const promoter = fc.integer({ min: 0, max: PROMOTERS - 1 })
const log = fc.record({
  kind: fc.constant('log' as const),
  member: fc.integer({ min: 0, max: PROMOTERS + MEMBERS - 1 }),
  event: fc.constantFrom<EventKey[]>('signup', 'visit', 'order'),
  amount: units(300_000_000n),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: log },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const), campaign }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('budget' as const), campaign, more: units(50_000_000n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('status' as const), promoter, isActive: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('attach' as const),
      promoter,
      campaigns: fc.uniqueArray(campaign, { maxLength: MOST_CAMPAIGNS }),
    }),
  },
)

export const histories: fc.Arbitrary<History> = fc.record({
  campaigns: fc.array(terms, { minLength: 1, maxLength: MOST_CAMPAIGNS }),
  steps: fc.array(
    fc.tuple(step, fc.constantFrom(1, 1_000, DAY / 2, 20 * DAY)).map(([one, after]) => ({ ...one, after })),
    { minLength: 1, maxLength: 24 },
  ),
})
