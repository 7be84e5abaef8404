/** What the policy of a project decides about a payout (money.md 7.2), as codes with their English sentences. */
import * as z from 'zod/mini'

import { type Cause, reason, sentence } from '../kit/reason.ts'

const text = z.string()

/** Why a payout is blocked for every approver. */
export const POLICY_BLOCKS = {
  payouts_paused: sentence('Sending is paused.'),
  address_invalid: sentence('The address is not valid on its network.'),
  address_is_ours: sentence('The address belongs to this install.'),
  address_blocked: sentence('The address is on the block list.'),
  not_on_allow_list: sentence('The address is not on the allow list.'),
  recipient_too_new: reason({
    params: z.object({ until: text, hours: z.int() }),
    text: ({ until, hours }) => `The address is known for less than ${hours} hours: payable from ${until}.`,
    ends: 'when the address is known for long enough',
  }),
  asset_not_payable: sentence('Payouts in this currency are switched off.'),
  amount_out_of_range: reason({
    /** In units of the asset; null: no such bound. */
    params: z.object({ min: z.nullable(text), max: z.nullable(text) }),
    text: ({ min, max }) => `The amount is outside of what one payout may have: ${min ?? 'any'} to ${max ?? 'any'}.`,
  }),
} as const
export type PolicyBlock = Cause<typeof POLICY_BLOCKS>

const amounts = z.object({ limitInUSD: text })

/** Which rule allowed a payout or required approvals. */
export const POLICY_RULES = {
  within_auto_limit: reason({
    params: amounts,
    text: ({ limitInUSD }) => `Up to $${limitInUSD} each, and within the limits of hour and day: no approval.`,
  }),
  over_auto_limit: reason({
    params: amounts,
    text: ({ limitInUSD }) => `Over $${limitInUSD} each: needs approval.`,
  }),
  over_step: reason({
    params: z.object({ aboveUSD: text, approvals: z.int() }),
    text: ({ aboveUSD, approvals }) => `Over $${aboveUSD}: needs ${approvals} approvals.`,
  }),
  over_hourly_limit: reason({
    params: amounts,
    text: ({ limitInUSD }) => `More than $${limitInUSD} within one hour: needs approval.`,
  }),
  over_daily_limit: reason({
    params: amounts,
    text: ({ limitInUSD }) => `More than $${limitInUSD} within 24 hours: needs approval.`,
  }),
  no_price: sentence('There was no price in US dollars: needs approval as the largest amount does.'),
  not_earned: sentence('More than the project has earned in this currency: it needs a person, and waits until it has.'),
  always_by_people: sentence('A payout of this kind always needs a person.'),
} as const
export type PolicyRule = Cause<typeof POLICY_RULES>
