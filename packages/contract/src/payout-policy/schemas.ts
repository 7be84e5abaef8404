/** When money may leave a project, and how many people must agree (api.md D12, money.md 7.2). */
import * as z from 'zod/mini'

import { id, int, ts, usd } from '../kit/codecs.ts'
import { dollars, oneOf, text, wholeNumber } from '../kit/fields.ts'
import { AnyReason } from '../kit/reason-shape.ts'

/** More than five people for one payout is a mistake. */
export const MOST_APPROVALS = 5

/** One step per approval would be enough; more than this is a mistake. */
export const MOST_STEPS = 10

/** An allow list is checked by people. */
export const MOST_ALLOWED = 500

/** A new address waits for at most a month. */
export const LONGEST_DELAY_HOURS = 720

/** `auto`: on where more people may approve than are needed, so that it never leaves a payout without an approver. */
export const FOUR_EYES = ['always', 'auto', 'off'] as const

const step = z.object({ aboveUSD: usd, approvals: int })

const rules = {
  /** A payout of at most this much needs no approval; 0: every payout does. */
  autoApproveLimitInUSD: usd,
  hourlyLimitInUSD: usd,
  dailyLimitInUSD: usd,
  quorum: int,
  /** More approvals above an amount, ascending. */
  quorumRules: z.array(step),
  fourEyes: z.enum(FOUR_EYES),
  /** Empty: any address. */
  allowList: z.array(z.string()),
  recipientDelayHours: int,
  paused: z.boolean(),
}

export const PayoutConfig = z.object({
  ...rules,
  /** Since when sending of the project is paused; null while it is not. */
  pausedAt: z.nullable(ts),
  /** The same of the whole install (setting `payouts.sending`). */
  installPausedAt: z.nullable(ts),
  /** Counts changes; a change sends it back, so that it cannot overwrite another one. */
  version: int,
  updatedAt: z.nullable(ts),
  /** People who may approve payouts of the project. */
  approvers: int,
  /** Whether the requester of a payout with the default quorum may also approve it. */
  fourEyesInForce: z.boolean(),
})
export type PayoutConfig = z.output<typeof PayoutConfig>

export const PayoutConfigAnswer = z.object({ payoutConfig: PayoutConfig })

const stepInput = z.object({
  aboveUSD: dollars('Amount of a step'),
  approvals: wholeNumber('Approvals of a step', 1, MOST_APPROVALS),
})

const inputs = {
  autoApproveLimitInUSD: z.optional(dollars('Auto-approval limit')),
  hourlyLimitInUSD: z.optional(dollars('Hourly limit')),
  dailyLimitInUSD: z.optional(dollars('Daily limit')),
  quorum: z.optional(wholeNumber('Approvals', 1, MOST_APPROVALS)),
  quorumRules: z.optional(
    z
      .array(stepInput, { error: 'Steps must be a list' })
      .check(z.maxLength(MOST_STEPS, { error: `At most ${MOST_STEPS} steps` })),
  ),
  fourEyes: z.optional(oneOf('Four eyes', FOUR_EYES)),
  allowList: z.optional(
    z
      .array(text('Address', { max: 128 }), { error: 'The allow list must be a list of addresses' })
      .check(z.maxLength(MOST_ALLOWED, { error: `At most ${MOST_ALLOWED} addresses` })),
  ),
  recipientDelayHours: z.optional(wholeNumber('Recipient delay', 0, LONGEST_DELAY_HOURS)),
  paused: z.optional(z.boolean({ error: 'Paused must be true or false' })),
}

/** What a change may name; absent fields stay. */
export const ChangePayoutConfig = z.object({
  ...inputs,
  version: z.optional(z.int({ error: 'Version must be a whole number' })),
})
export type ChangePayoutConfig = z.output<typeof ChangePayoutConfig>

/** A draft; what is absent is as it is in force. */
export const DryRunInput = z.object({ ...inputs, days: z.optional(wholeNumber('Days', 1, 365)) })
export type DryRunInput = z.output<typeof DryRunInput>

export const OUTCOMES = ['auto', 'approvals', 'block'] as const

/** The decision of a policy about one payout. */
const Decision = z.object({
  outcome: z.enum(OUTCOMES),
  /** People who must approve; 0 unless `outcome` is `approvals`. */
  approvals: int,
  reason: AnyReason,
})

export const DryRunSample = z.object({
  withdrawalID: id,
  createdAt: ts,
  amountInUSD: z.nullable(usd),
  address: z.string(),
  draft: Decision,
  inForce: Decision,
})

export const DryRun = z.object({
  days: int,
  payouts: int,
  wouldAutoApprove: int,
  wouldNeedApproval: int,
  wouldBlock: int,
  /** Payouts that the policy in force allows. */
  newlyBlocked: int,
  /** Payouts that need more people than under the policy in force. */
  needMoreApprovals: int,
  /** Payouts that need fewer people, or are no longer blocked. */
  lessStrict: int,
  /** The newest payouts that the draft decides differently. */
  samples: z.array(DryRunSample),
})
export type DryRun = z.output<typeof DryRun>
