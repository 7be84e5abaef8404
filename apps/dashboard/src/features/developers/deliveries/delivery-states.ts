import type { Delivery, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import type { Tone } from '../../../ui/feedback/tones.ts'

type Badge = { readonly tone: Tone; readonly word: string }

/** Whether a delivery can be sent again, or now instead of later: not before its deposit is decided about. */
export function canResend({ status, attempt_count: tries }: Delivery): boolean {
  return status !== 'waiting_for_approval' && (status !== 'pending' || tries > 0)
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
