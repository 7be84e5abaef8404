/** How states of webhook deliveries are drawn. */
import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'
import { msg } from '@lingui/core/macro'

import { badgeOf } from './payment-labels.ts'
import type { Badge, Look } from './payment-labels.ts'

const DELIVERY: Readonly<Record<Delivery['status'], Look>> = {
  pending: { tone: 'progress', word: msg`Waiting` },
  received: { tone: 'success', word: msg`Delivered` },
  failed: { tone: 'danger', word: msg`Failed` },
  discarded: { tone: 'neutral', word: msg`Discarded` },
  waiting_for_approval: { tone: 'info', word: msg`On hold` },
}

/** Returns the badge of a webhook delivery: the same word for a state on every screen. */
export function deliveryBadge(status: string): Badge {
  return badgeOf(isDeliveryStatus(status) ? DELIVERY[status] : undefined, status)
}

/** Whether text names a state of deliveries. */
export function isDeliveryStatus(text: string): text is Delivery['status'] {
  return Object.hasOwn(DELIVERY, text)
}
