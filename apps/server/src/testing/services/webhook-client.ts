import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'

import { type Context, inTransaction, type StoredEvent } from '../../context.ts'
import { createDispatcher } from '../../modules/webhooks/sending/dispatcher.ts'
import { deliveriesOf } from '../../modules/webhooks/deliveries/service.ts'

/** Sends what is due, as a worker that starts now does, and waits until the outcome is stored. */
export async function deliverDue(ctx: Context): Promise<void> {
  const worker = createDispatcher(ctx)
  await worker.sweep()
  await worker.idle()
}

/** Emits the `sequence`-th event of a payment in a transaction of its own. */
export function happen(
  ctx: Context,
  { projectId, referenceId, sequence }: { projectId: number; referenceId: string; sequence: number },
): Promise<StoredEvent> {
  return inTransaction(ctx, (tx) =>
    tx.events.emit(tx, {
      type: 'payment.filled',
      projectId,
      orderKey: referenceId,
      referenceId,
      sequence,
      payload: { reference_id: referenceId, status: 'FILLED' },
    }),
  )
}

/** The delivery of an event. @throws Error when there is none */
export async function deliveryOf(ctx: Context, event: StoredEvent): Promise<Delivery> {
  const found = (await deliveriesOf(ctx, event.referenceId ?? '')).find(({ id }) => id === event.eventId)
  if (!found) throw new Error('No delivery')
  return found
}
