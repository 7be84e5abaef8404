import type { Delivery, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { timeRemaining } from '../../../lib/time/time.ts'
import type { SelectOption } from '../../../ui/fields/Select.tsx'
import type { Tone } from '../../../ui/feedback/tones.ts'

/** Tries an event gets before it counts as failed (api.md 6.4). */
const MOST_TRIES = 10

type Badge = { readonly tone: Tone; readonly word: string }

const DELIVERY: Readonly<Record<Delivery['status'], { readonly tone: Tone; readonly word: MessageDescriptor }>> = {
  pending: { tone: 'progress', word: msg`Waiting` },
  received: { tone: 'success', word: msg`Delivered` },
  failed: { tone: 'danger', word: msg`Failed` },
  discarded: { tone: 'neutral', word: msg`Discarded` },
  waiting_for_approval: { tone: 'info', word: msg`On hold` },
}

/** Returns the states a list of deliveries can be narrowed to. */
export function deliveryFilters(): SelectOption[] {
  const states = Object.entries(DELIVERY).map(([value, { word }]) => ({ value, label: t(word) }))
  return [{ value: '', label: t`All states` }, ...states]
}

/** Returns a delivery's state as a word with its tone; one that will be tried again says when. */
export function deliveryState({ status, next_retry_at: retryAt, attempt_count: tries }: Delivery, now: Date): Badge {
  const { tone, word } = DELIVERY[status]
  if (status !== 'pending' || tries === 0 || retryAt === null || retryAt <= now) return { tone, word: t(word) }
  const wait = timeRemaining(retryAt, now)
  return { tone, word: t`Retry in ${wait}` }
}

/** Whether text names a state of deliveries. */
export function isDeliveryStatus(text: string): text is Delivery['status'] {
  return text in DELIVERY
}

/** Whether a delivery can be sent again, or now instead of later: not before its deposit is decided about. */
export function canResend({ status, attempt_count: tries }: Delivery): boolean {
  return status !== 'waiting_for_approval' && (status !== 'pending' || tries > 0)
}

/** Returns why a delivery has not arrived, or undefined when there is nothing to wait for. */
export function whyWaiting(delivery: Delivery, now: Date): string | undefined {
  const { status, next_retry_at: retryAt, attempt_count: tries } = delivery
  if (status === 'waiting_for_approval') return t`The deposit behind it is on hold.`
  if (status === 'discarded') return t`There was no endpoint to send it to.`
  if (status !== 'pending') return undefined
  if (tries === 0 || retryAt === null)
    return t`It is about to be sent, or an earlier event of the same payment goes first.`
  const number = tries + 1
  if (retryAt <= now) return t`Try ${number} of ${MOST_TRIES} is due now.`
  const wait = timeRemaining(retryAt, now)
  return t`Retry in ${wait} (try ${number} of ${MOST_TRIES}).`
}

/** Whether an answer's code says that the message was received (api.md 6.4). */
export function isReceived(code: number | null): boolean {
  return code !== null && code >= 200 && code < 300
}

/** Returns how an endpoint is doing as a word with its tone; a test just now that failed outweighs what was before. */
export function endpointState(
  { status, health, tested, lastDeliveryAt, lastResponseCode: code }: Webhook,
  lastTest?: { readonly success: boolean },
): Badge {
  if (status === 'inactive') return { tone: 'neutral', word: t`Off` }
  if (health === 'failing') return { tone: 'danger', word: t`Failing` }
  if (lastTest?.success === false) return { tone: 'warning', word: t`Test failed` }
  if (health === 'idle' && !tested && lastTest === undefined) return { tone: 'info', word: t`Untested` }
  const isRefusing = lastDeliveryAt !== null && !isReceived(code) && lastTest === undefined
  if (isRefusing) return { tone: 'warning', word: code === null ? t`Not answering` : t`Answers ${code}` }
  return { tone: 'success', word: t`Active` }
}
