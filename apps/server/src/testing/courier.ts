import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'

import { type Context, inTransaction, type StoredEvent } from '../context.ts'
import { createDispatcher } from '../modules/webhooks/sending/dispatcher.ts'
import { deliveriesOf } from '../modules/webhooks/deliveries/service.ts'

/** Sends what is due, as a worker that begins now does, and waits until it is noted. */
export async function deliverDue(ctx: Context): Promise<void> {
  const worker = createDispatcher(ctx)
  await worker.sweep()
  await worker.idle()
}

/** The `sequence`-th thing that happened to a payment, written as its own transaction. */
export function happen(
  ctx: Context,
  { projectId, referenceId, sequence }: { projectId: number; referenceId: string; sequence: number },
): Promise<StoredEvent> {
  return inTransaction(ctx, (inner) =>
    inner.events.emit(inner, {
      type: 'payment.filled',
      projectId,
      orderKey: referenceId,
      referenceId,
      sequence,
      payload: { reference_id: referenceId, status: 'FILLED' },
    }),
  )
}

/** How the delivery of an event stands. @throws Error when there is none */
export async function deliveryOf(ctx: Context, event: StoredEvent): Promise<Delivery> {
  const found = (await deliveriesOf(ctx, event.referenceId ?? '')).find(({ id }) => id === event.eventId)
  if (!found) throw new Error('No delivery')
  return found
}
