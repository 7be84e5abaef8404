import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'

import { useNow } from '../lib/time/ticker.ts'
import { deliveryWaitText } from './delivery-waits.ts'

/** Why a delivery has not been sent yet, below its state; empty where it does not wait. */
export function DeliveryWait({ delivery }: { delivery: Pick<Delivery, 'waits' | 'next_retry_at'> }) {
  const text = useNow((now) => deliveryWaitText(delivery, now))
  return text === '' ? null : <span className="block text-dense whitespace-normal text-muted">{text}</span>
}
