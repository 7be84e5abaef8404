import { CANCEL_REASONS, FUNDING_STATES, paymentMachine } from '@kassa/contract/payments/machine.ts'
import { eventLogMachine, rewardMachine } from '@kassa/contract/referral/machine.ts'
import { withdrawalMachine } from '@kassa/contract/withdrawals/machine.ts'

import { eventLogBadge, rewardBadge } from '../../labels/growth-labels.ts'
import { paymentBadge } from '../../labels/payment-labels.ts'
import type { Badge } from '../../labels/payment-labels.ts'
import { payoutBadge } from '../../labels/payout-labels.ts'

type Payload = Readonly<Record<string, unknown>>

/** Returns the badge of what a message is about, in the state that the message names; undefined for an unknown state. */
export function payloadBadge(type: string, payload: Payload): Badge | undefined {
  if (type.startsWith('payout.')) return payoutOf(payload)
  if (type.startsWith('referral.')) return referralOf(type, payload['data'])
  const state = known(paymentMachine.states, payload['status'])
  if (state === undefined || typeof payload['reference_id'] !== 'string') return undefined
  return paymentBadge({
    state,
    fundingState: known(FUNDING_STATES, payload['funding_state']) ?? 'none',
    cancelReason: known(CANCEL_REASONS, payload['cancel_reason']) ?? null,
  })
}

function payoutOf({ status, confirmation_current, confirmation_required }: Payload): Badge | undefined {
  const state = known(withdrawalMachine.states, status)
  if (state === undefined) return undefined
  return payoutBadge({
    status: state,
    confirmations: Number(confirmation_current ?? 0),
    confirmationRequired: Number(confirmation_required ?? 0),
  })
}

function referralOf(type: string, data: unknown): Badge | undefined {
  const status = isObject(data) ? data['status'] : undefined
  if (type === 'referral.event_logged') {
    const logged = known(eventLogMachine.states, status)
    return logged && eventLogBadge(logged)
  }
  const reward = known(rewardMachine.states, status)
  return reward && rewardBadge(reward)
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null
}

function known<Name extends string>(names: readonly Name[], text: unknown): Name | undefined {
  return names.find((name) => name === text)
}
