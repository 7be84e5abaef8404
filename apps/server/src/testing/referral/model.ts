/** The referral programme in memory: the pure rule and nothing else. */
import type { RewardedSide } from '@kassa/contract/referral/machine.ts'

import {
  type CountedCampaign,
  type CountedLog,
  type History as PersonsPast,
  type Past,
  reward,
} from '../../modules/referral/counting/rules.ts'
import { EVENTS, type History, type PlayedTerms, promoterOf } from './histories.ts'

export type PlayedReward = {
  /** Indexes: of the campaign, of the step that completed the set, and of the person. */
  readonly campaign: number
  readonly step: number
  readonly side: RewardedSide
  readonly person: number
  readonly units: bigint
  /** Steps of the logs of the set, and the amount of its payment. */
  readonly set: readonly number[]
  readonly amount: bigint | null
}

export type Played = {
  readonly rewards: readonly PlayedReward[]
  readonly campaigns: readonly { readonly terms: PlayedTerms & { readonly id: number }; readonly given: bigint }[]
}

/** When every history begins. */
export const BEGIN = new Date('2026-01-31T09:30:00.000Z')

type State = {
  terms: PlayedTerms & { id: number }
  status: CountedCampaign['status']
  isPausedByBudget: boolean
  from: Date
  given: bigint
  budget: bigint | null
  waiting: (CountedLog & { member: number })[]
}

/** Plays a history by the reward rule. */
export function play({ campaigns, steps }: History): Played {
  let now = BEGIN
  const states: State[] = campaigns.map((terms, id) => ({
    terms: { ...terms, id },
    status: 'active',
    isPausedByBudget: false,
    from: BEGIN,
    given: 0n,
    budget: terms.budget,
    waiting: [],
  }))
  const inactive = new Set<number>()
  const attached = new Map<number, readonly number[]>()
  const rewards: PlayedReward[] = []
  const dates = new Map<PlayedReward, Date>()

  const resume = (state: State) =>
    Object.assign(state, { status: 'active', isPausedByBudget: false, from: now, waiting: [] })
  const pauseByBudget = (state: State) => {
    if (state.status === 'active') Object.assign(state, { status: 'paused', isPausedByBudget: true })
  }
  const pastOf = (campaign: number, side: RewardedSide, person: number): Past => {
    const mine = rewards.filter((one) => one.campaign === campaign && one.side === side && one.person === person)
    const times = mine.map((one) => dates.get(one)?.getTime() ?? 0)
    return {
      count: mine.length,
      units: mine.reduce((sum, { units }) => sum + units, 0n),
      firstAt: times.length === 0 ? null : new Date(Math.min(...times)),
    }
  }

  for (const [index, step] of steps.entries()) {
    now = new Date(now.getTime() + step.after)
    if (step.kind === 'status') {
      if (step.isActive) inactive.delete(step.promoter)
      else inactive.add(step.promoter)
    } else if (step.kind === 'attach') attached.set(step.promoter, step.campaigns)
    else if (step.kind !== 'log') {
      const state = states[step.campaign]
      if (!state) continue
      if (step.kind === 'pause' && state.status === 'active')
        Object.assign(state, { status: 'paused', isPausedByBudget: false })
      if (step.kind === 'resume' && state.status === 'paused') resume(state)
      if (step.kind === 'budget' && state.budget !== null) {
        state.budget += step.more
        if (state.isPausedByBudget) resume(state)
      }
    } else {
      const { member, event } = step
      const promoter = promoterOf(member)
      if (promoter === null) continue
      const newest: CountedLog = {
        id: BigInt(index),
        eventKey: event,
        amount: EVENTS[event] === 'payment' ? step.amount : null,
        triggeredAt: now,
      }
      for (const state of states.filter(({ terms }) => terms.eventKeys.includes(event))) {
        const id = state.terms.id
        const past: PersonsPast = {
          referrer: pastOf(id, 'referrer', promoter),
          referee: pastOf(id, 'referee', member),
        }
        const verdict = reward(
          {
            ...state.terms,
            budget: state.budget,
            currencyCode: 'USD',
            startDate: null,
            endDate: null,
            status: state.status,
            considerEventsFrom: state.from,
            given: state.given,
          },
          {
            member: {
              isActive: !inactive.has(member),
              referrer: {
                isActive: !inactive.has(promoter),
                isAttached: attached.get(promoter)?.includes(id) ?? false,
              },
            },
            newest,
            waiting: state.waiting.filter((one) => one.member === member),
          },
          past,
        )
        if (verdict.kind === 'waits') {
          state.waiting.push({ ...newest, member })
          continue
        }
        const used = new Set(verdict.set.map((one) => one.id))
        state.waiting = state.waiting.filter((one) => !used.has(one.id))
        if (verdict.kind === 'rewards') {
          const at = new Date(Math.max(...verdict.set.map(({ triggeredAt }) => triggeredAt.getTime())))
          for (const { side, units } of verdict.rewards) {
            const one: PlayedReward = {
              campaign: id,
              step: index,
              side,
              person: side === 'referrer' ? promoter : member,
              units,
              set: verdict.set.map((part) => Number(part.id)),
              amount: verdict.set.find(({ amount }) => amount !== null)?.amount ?? null,
            }
            rewards.push(one)
            dates.set(one, at)
            state.given += units
          }
        }
        if (verdict.pauses) pauseByBudget(state)
      }
    }
  }
  return { rewards, campaigns: states.map(({ terms, given, budget }) => ({ terms: { ...terms, budget }, given })) }
}
