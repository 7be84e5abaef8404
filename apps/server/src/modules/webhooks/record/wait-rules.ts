/** Why a delivery is not sent yet. */
import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { DELIVERY_WAITS } from '@kassa/contract/webhooks/delivery-waits.ts'

import { RETRY_DELAYS_MS } from './rules.ts'
import type { DeliveryRow } from './store.ts'

/** What delays a delivery, besides its own row. */
export type WaitFacts = {
  readonly isEndpointOn: boolean
  readonly isProjectActive: boolean
  /** The first earlier event of its order key that is still in its first attempts. */
  readonly earlierEvent: string | null
}

type Waiting = Pick<DeliveryRow, 'status' | 'attempt_count' | 'attempts_before' | 'leased_until' | 'next_retry_at'>

/** Attempts a delivery gets before it counts as failed. */
const MOST_ATTEMPTS = RETRY_DELAYS_MS.length + 1

/** Returns why a delivery is not sent yet; null when it waits for nothing. */
export function deliveryWait(
  delivery: Waiting,
  facts: WaitFacts | undefined,
  now: Date,
): Cause<typeof DELIVERY_WAITS> | null {
  const {
    status,
    attempt_count: attempts,
    attempts_before: before,
    leased_until: lease,
    next_retry_at: next,
  } = delivery
  if (status === 'waiting_for_approval') return { code: 'deposit_on_hold', params: {} }
  if (status !== 'pending' || facts === undefined) return null
  if (lease !== null && lease > now) return { code: 'being_sent', params: {} }
  if (!facts.isEndpointOn) return { code: 'endpoint_off', params: {} }
  if (!facts.isProjectActive) return { code: 'project_archived', params: {} }
  if (facts.earlierEvent !== null) return { code: 'earlier_first', params: { event: facts.earlierEvent } }
  const tried = attempts - before
  if (tried > 0 && next !== null && next > now) {
    return { code: 'next_try', params: { number: tried + 1, most: MOST_ATTEMPTS } }
  }
  return { code: 'in_line', params: {} }
}
