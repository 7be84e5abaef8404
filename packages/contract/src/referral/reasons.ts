import * as z from 'zod/mini'

import { dec, int } from '../kit/codecs.ts'
import { type CodeOf, reason, sentence } from '../kit/reason.ts'

const text = z.string()

/** Why a campaign gave nothing for an event log (money.md 4.8). */
export const REWARD_REFUSALS = {
  CAMPAIGN_NOT_ACTIVE: sentence('The campaign was not active.'),
  OUTSIDE_DATES: sentence('It happened before the campaign began or after it ended.'),
  BEFORE_RESUMED: sentence('It happened before the campaign was started or resumed.'),
  NOT_REFERRED: sentence('Nobody brought this customer.'),
  PROMOTER_INACTIVE: sentence('The promoter is inactive.'),
  NOT_ATTACHED: sentence('The campaign is for chosen promoters, and this one is not among them.'),
  SET_INCOMPLETE: reason({
    params: z.object({ missing: z.array(text) }),
    text: ({ missing }) => `The campaign counts it together with ${missing.join(', ')}, which did not happen yet.`,
    ends: 'When the customer does what is missing.',
  }),
  AMOUNT_TOO_SMALL: sentence('The reward would be less than a millionth.'),
  ONE_TIME: sentence('This campaign has rewarded this person already.'),
  MONTHS_OVER: reason({
    params: z.object({ months: int }),
    text: ({ months }) => `The ${months} ${months === 1 ? 'month' : 'months'} of this person in the campaign are over.`,
  }),
  OCCURRENCES_USED: reason({
    params: z.object({ times: int }),
    text: ({ times }) => `This campaign has rewarded this person ${times} ${times === 1 ? 'time' : 'times'} already.`,
  }),
  PERSON_LIMIT: reason({
    params: z.object({ limit: dec, currency: text }),
    text: ({ limit, currency }) => `It would pass the limit of ${limit} ${currency} per person.`,
  }),
  BUDGET: reason({
    params: z.object({ budget: dec, currency: text }),
    text: ({ budget, currency }) => `It would pass the budget of ${budget} ${currency}.`,
  }),
} as const

export type RewardRefusals = typeof REWARD_REFUSALS
export type RewardRefusal = CodeOf<RewardRefusals>

/** Why an event log counts for no campaign at all, now or later. */
export const EVENT_LOG_FAILURES = {
  NOT_REFERRED: sentence('Nobody brought this customer, so there is nobody to reward.'),
  AMOUNT_ABOVE_PAYMENT: reason({
    params: z.object({ amount: dec, filled: dec }),
    text: ({ amount, filled }) => `It says ${amount}, but the payment brought ${filled} US dollars.`,
  }),
} as const

export type EventLogFailures = typeof EVENT_LOG_FAILURES

/** Why a reward became smaller or was taken back (money.md 4.4). */
export const REWARD_REVERSALS = {
  PAYMENT_REFUNDED: sentence('The payment was refunded, whole or in part.'),
  PAYMENT_REOPENED: sentence('Money of the payment was removed: by a reorganisation, or by an operator.'),
} as const

export type RewardReversals = typeof REWARD_REVERSALS
export type RewardReversal = CodeOf<RewardReversals>
