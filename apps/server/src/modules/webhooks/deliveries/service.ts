// Deliveries: each event becomes one delivery per endpoint, in the transaction of the change; attempts follow until the
// receiver accepts it.
import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'
import { type Context, inTransaction, type StoredEvent } from '../../../context.ts'
import { versioned } from '../../../db/versioned.ts'
import { isDeliverable, receives } from '../record/rules.ts'
import { announceDue, withAttempts } from '../record/service.ts'
import { webhookBody } from './webhook-body.ts'
import {
  insertDeliveries,
  listDeliveryRows,
  listReceivers,
  moveToReleased,
  type NewDelivery,
  type Receiver,
} from '../record/store.ts'

export { deliverSample, resendCurrent } from './resend.ts'

/** Deliveries of one payment shown at most. */
const MAX_OF_PAYMENT = 200

const receiversOf = versioned(listReceivers)

/** Subscriber: stores a delivery for every endpoint that receives these events, in their order and transaction. */
export async function queueDeliveries(ctx: Context, events: readonly StoredEvent[]): Promise<void> {
  const deliverable = events.filter(({ projectId, type }) => projectId !== null && isDeliverable(type))
  if (deliverable.length === 0) return
  const projectIds = [...new Set(deliverable.flatMap(({ projectId }) => projectId ?? []))]
  const endpoints = Map.groupBy(await receiversOf(ctx, projectIds), (webhook) => webhook.project_id)
  const rows = deliverable.flatMap((event) => deliveriesFor(event, endpoints.get(event.projectId ?? 0) ?? []))
  if (rows.length === 0) return
  const due = (await insertDeliveries(ctx, rows)).filter(({ status }) => status === 'pending')
  for (const projectId of new Set(due.map(({ project_id }) => project_id))) announceDue(ctx, projectId)
}

function deliveriesFor(event: StoredEvent, endpoints: readonly Receiver[]): NewDelivery[] {
  const { type, eventId, sequence = null, payload } = event
  const receivers = endpoints.filter(({ events }) => receives(events, type))
  const body = receivers.length > 0 ? webhookBody({ type, eventId, sequence, payload }) : ''
  return receivers.map((webhook) => ({
    webhook_id: webhook.id,
    project_id: webhook.project_id,
    event_id: eventId,
    event_type: type,
    order_key: event.orderKey ?? null,
    sequence,
    reference_id: event.referenceId ?? null,
    payout_id: payoutOf(event),
    body,
  }))
}

/** The payout that an event is about; null for every other noun. */
function payoutOf({ type, payload }: StoredEvent): number | null {
  return type.startsWith('payout.') && typeof payload.payout_id === 'number' ? payload.payout_id : null
}

/**
 * Sends the deliveries that waited for the decision about a quarantined deposit, of one payment or of all payments; those of a
 * payment with another quarantined deposit continue to wait.
 */
export async function releaseQuarantined(ctx: Context, referenceId?: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    for (const projectId of await moveToReleased(tx, referenceId)) announceDue(tx, projectId)
  })
}

/** Deliveries about a payout, newest first. */
export async function deliveriesOfPayout(ctx: Context, payoutId: bigint): Promise<Delivery[]> {
  return withAttempts(ctx, await listDeliveryRows(ctx, { projectIds: 'every', payoutId }, { limit: MAX_OF_PAYMENT }))
}

/** Deliveries about a payment, newest first. */
export async function deliveriesOf(ctx: Context, referenceId: string): Promise<Delivery[]> {
  const rows = await listDeliveryRows(ctx, { projectIds: 'every', referenceId }, { limit: MAX_OF_PAYMENT })
  return withAttempts(ctx, rows)
}
