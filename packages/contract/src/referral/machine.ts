/** The states of the referral programme: campaigns, promoters, event logs, and rewards. */
import { defineMachine } from '@kassa/primitives/machine.ts'

/** A campaign; its end date is no state, so that an ended campaign keeps the state it ended in. */
export const campaignMachine = defineMachine({
  name: 'campaign',
  states: ['active', 'paused', 'archived'],
  initial: 'active',
  final: ['archived'],
  moves: {
    /** By an operator, or because the budget is reached. */
    pause: { from: ['active'], to: 'paused' },
    resume: { from: ['paused'], to: 'active' },
    archive: { from: ['active', 'paused'], to: 'archived' },
  },
})

export type CampaignStatus = (typeof campaignMachine.states)[number]

/** Why a campaign is paused; a larger budget resumes only a campaign that its budget paused. */
export const PAUSE_CAUSES = ['operator', 'budget'] as const

export type PauseCause = (typeof PAUSE_CAUSES)[number]

/** A promoter (wire: referrer). An inactive one earns nothing new and cannot withdraw; what is owed stays owed. */
export const promoterMachine = defineMachine({
  name: 'promoter',
  states: ['active', 'inactive'],
  initial: 'active',
  final: [],
  moves: {
    deactivate: { from: ['active'], to: 'inactive' },
    activate: { from: ['inactive'], to: 'active' },
  },
})

export type PromoterStatus = (typeof promoterMachine.states)[number]

/** One event of one customer, as a shop logged it. */
export const eventLogMachine = defineMachine({
  name: 'event_log',
  states: ['pending', 'waiting', 'processed', 'failed'],
  initial: 'pending',
  final: ['processed', 'failed'],
  moves: {
    /** It names a payment that is not filled, or not any more. */
    wait: { from: ['pending'], to: 'waiting' },
    /** That payment is filled by final money. */
    wake: { from: ['waiting'], to: 'pending' },
    /** Every campaign has judged it; from now on its rewards follow its payment. */
    process: { from: ['pending'], to: 'processed' },
    fail: { from: ['pending'], to: 'failed' },
  },
})

export type EventLogStatus = (typeof eventLogMachine.states)[number]

/**
 * One reward of one person. What is left of it after reversals is owed until all of it is paid; its amounts determine its
 * state.
 */
export const rewardMachine = defineMachine({
  name: 'reward',
  states: ['pending', 'held', 'processed', 'reversed'],
  initial: 'pending',
  final: [],
  moves: {
    /** A withdrawal takes some of it; the oldest rewards are taken first. */
    hold: { from: ['pending'], to: 'held' },
    /** The withdrawal was rejected, cancelled or failed; or what it took is paid, and the rest is free. */
    release: { from: ['held'], to: 'pending' },
    /** All that is left of it is paid: by the withdrawal, or because a reversal took the rest. */
    settle: { from: ['held', 'pending', 'reversed'], to: 'processed' },
    /** The block that paid it was dropped. */
    reopen: { from: ['processed', 'pending', 'reversed'], to: 'held' },
    /** The whole sale was taken back; while a withdrawal takes some of it, at the end of that. */
    reverse: { from: ['pending', 'held', 'processed'], to: 'reversed' },
    /** The payment filled again. */
    accrueAgain: { from: ['reversed', 'processed'], to: 'pending' },
  },
})

export type RewardStatus = (typeof rewardMachine.states)[number]

export const EVENT_TYPES = ['simple', 'payment'] as const

export type ReferralEventType = (typeof EVENT_TYPES)[number]

/**
 * The event that Kassa logs itself when a payment of a linked customer becomes final, so that a shop without code can run
 * a campaign. Every project has it, and it cannot be edited.
 */
export const KASSA_PAYMENT_EVENT = 'kassa_payment'

export const REWARD_TYPES = ['flat_fee', 'percentage'] as const

export type RewardType = (typeof REWARD_TYPES)[number]

/** How often a campaign rewards one person. */
export const CAMPAIGN_TYPES = ['one_time', 'forever', 'months_per_customer', 'count_per_customer'] as const

export type CampaignType = (typeof CAMPAIGN_TYPES)[number]

/** Who of the two gets a reward: the promoter, or the invitee. */
export const REWARDED_SIDES = ['referrer', 'referee'] as const

export type RewardedSide = (typeof REWARDED_SIDES)[number]
