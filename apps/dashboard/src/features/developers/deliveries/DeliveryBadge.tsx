import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'

import { deliveryBadge } from '../../../labels/delivery-labels.ts'
import { DeliveryWait } from '../../../labels/DeliveryWait.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'

/** A delivery's state. */
export function DeliveryBadge({ delivery: { status } }: { delivery: Delivery }) {
  return <StatusBadge {...deliveryBadge(status)} />
}

/** The same in a list, with what it waits for. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 py-2">
      <DeliveryBadge delivery={delivery} />
      <DeliveryWait delivery={delivery} />
    </span>
  )
}
