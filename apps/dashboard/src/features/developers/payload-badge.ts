import { CANCEL_REASONS, FUNDING_STATES, paymentMachine } from '@kassa/contract/payments/machine.ts'

import { EVENT_LOG_STATES, REWARD_STATES } from '../../labels/growth/referral-states.ts'
import { badgeOf, paymentBadge } from '../../labels/payment-labels.ts'
import type { Badge, Look } from '../../labels/payment-labels.ts'

type Payload = Readonly<Record<string, unknown>>

/** What messages about the referral programme are about, with its states. */
const REFERRAL: Readonly<Record<string, Readonly<Record<string, Look>>>> = {
  'referral.event_logged': EVENT_LOG_STATES,
  'referral.reward_earned': REWARD_STATES,
  'referral.reward_reversed': REWARD_STATES,
}

/** Returns the badge of what a message is about, as the lists of payments and of the referral programme draw it; undefined for others. */
export function payloadBadge(payload: Payload): Badge | undefined {
  return referralBadge(payload) ?? ofPayment(payload)
}

function referralBadge({ event_type: type, data }: Payload): Badge | undefined {
  const status = typeof data === 'object' && data !== null && 'status' in data ? data.status : undefined
  if (typeof type !== 'string' || typeof status !== 'string') return undefined
  const look = REFERRAL[type]?.[status]
  return look && badgeOf(look, status)
}

function ofPayment(payload: Payload): Badge | undefined {
  const state = known(paymentMachine.states, payload['status'])
  if (state === undefined || typeof payload['reference_id'] !== 'string') return undefined
  return paymentBadge({
    state,
    fundingState: known(FUNDING_STATES, payload['funding_state']) ?? 'none',
    cancelReason: known(CANCEL_REASONS, payload['cancel_reason']) ?? null,
  })
}

function known<Name extends string>(names: readonly Name[], text: unknown): Name | undefined {
  return names.find((name) => name === text)
}
