import { CANCEL_REASONS, FUNDING_STATES, paymentMachine } from '@kassa/contract/payments/machine.ts'

import { paymentBadge } from '../../labels/payment-labels.ts'
import type { Badge } from '../../labels/payment-labels.ts'

/** Returns the badge of a payment as a message about it tells its state; undefined for a message about anything else. */
export function payloadBadge(payload: Readonly<Record<string, unknown>>): Badge | undefined {
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
