import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'

import { useNow } from '../../../lib/time/ticker.ts'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { deliveryState } from './delivery-states.ts'

/** A delivery's state; the time of its next try counts down. */
export function DeliveryBadge({ delivery }: { delivery: Delivery }) {
  const word = useNow((now) => deliveryState(delivery, now).word)
  return <StatusBadge tone={deliveryState(delivery, new Date()).tone} word={word} wire={delivery.status} />
}
