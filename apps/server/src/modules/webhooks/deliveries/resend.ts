import { readMoment } from '@kassa/contract/kit/moments.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import type { Replay } from '@kassa/contract/webhooks/schemas.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { newEventId } from '../../../events/outbox.ts'
import { checkEvents } from '../record/rules.ts'
import { announceDue, getWebhook } from '../record/service.ts'
import { webhookBody } from './webhook-body.ts'
import { findNewestEvent, findPaymentEvent, moveToReplayed, moveToResent } from './resend-store.ts'
import { samplePayload } from './samples.ts'
import { type DeliveryRow, insertDeliveries, listWebhookRows, type WebhookRow } from '../record/store.ts'

/** The longest period a replay may cover (api.md H11). */
const REPLAY_MS = 31 * 24 * 3_600_000

/** Sends a delivery again: same id, same body, ten more attempts. @throws WEBHOOK_INACTIVE */
export async function resendDelivery(ctx: Context, webhook: WebhookRow, delivery: DeliveryRow): Promise<DeliveryRow> {
  requireActive(webhook)
  return inTransaction(ctx, async (tx) => {
    const moved = await moveToResent(tx, delivery.id)
    if (moved) announceDue(tx, webhook.project_id)
    return moved ?? delivery
  })
}

/**
 * Sends the deliveries of a period again, in their order: those that failed or were discarded, or all that ended.
 * @throws WEBHOOK_INACTIVE, RANGE_TOO_LARGE, EVENT_UNKNOWN, VALIDATION_FAILED
 */
export async function replayDeliveries(ctx: Context, webhook: WebhookRow, input: Replay): Promise<{ queued: number }> {
  requireActive(webhook)
  const [from, to] = [timeOf('from', input.from), timeOf('to', input.to)]
  if (to < from) {
    const message = 'The end date must not be before the start date'
    return fail('VALIDATION_FAILED', { message, fields: { to: message } })
  }
  if (to.getTime() - from.getTime() > REPLAY_MS) return fail('RANGE_TOO_LARGE')
  const events = checkEvents(input.events ?? [])
  const statuses = ['failed', 'discarded', ...((input.onlyFailed ?? true) ? [] : (['received'] as const))] as const
  return inTransaction(ctx, async (tx) => {
    const queued = await moveToReplayed(tx, { webhookId: webhook.id, from, to, events, statuses })
    if (queued > 0) announceDue(tx, webhook.project_id)
    return { queued }
  })
}

/**
 * Sends the state of a payment, from its newest event, to one endpoint or to every active one that receives payment events, as
 * a new delivery with an id that receivers have not seen.
 * @throws PAYMENT_NOT_FOUND, WEBHOOK_NOT_FOUND
 */
export async function resendCurrent(
  ctx: Context,
  { projectId, referenceId, webhookId }: { projectId: number; referenceId: string; webhookId?: number | undefined },
): Promise<DeliveryRow[]> {
  const event = (await findNewestEvent(ctx, { projectId, referenceId })) ?? fail('PAYMENT_NOT_FOUND')
  const chosen = webhookId === undefined ? null : await getWebhook(ctx, [projectId], webhookId)
  if (chosen && chosen.status !== 'active') {
    return fail('WEBHOOK_NOT_FOUND', { details: 'The endpoint is switched off. Activate it first.' })
  }
  const endpoints = chosen ? [chosen] : (await activeOf(ctx, [projectId])).filter(receivesPayments)
  const { type, sequence, payload } = event
  return deliverTo(ctx, endpoints, { type, sequence, orderKey: referenceId, referenceId, payload })
}

/**
 * Sends an event of any type to every active endpoint of the projects, whether or not it lists the type. With a reference the
 * payload is that payment's, else that of an invented one.
 * @throws EVENT_UNKNOWN, PAYMENT_NOT_FOUND
 */
export async function deliverSample(
  ctx: Context,
  input: { type: string; projectIds: readonly number[] | 'every'; referenceId: string | undefined },
): Promise<DeliveryRow[]> {
  const [type] = checkEvents([input.type])
  const { referenceId, projectIds } = input
  const known =
    referenceId === undefined
      ? undefined
      : ((await findPaymentEvent(ctx, { projectIds, referenceId })) ?? fail('PAYMENT_NOT_FOUND'))
  const endpoints = await activeOf(ctx, known ? [known.project_id] : projectIds)
  const rows: DeliveryRow[] = []
  for (const [projectId, some] of Map.groupBy(endpoints, (webhook) => webhook.project_id)) {
    const payload = { ...samplePayload(type as EventType, projectId, ctx.now()), ...known?.payload, test: true }
    // It has no reference outside of its body, because a sample is not part of a payment's history.
    const event = { type: input.type, sequence: null, orderKey: null, referenceId: null, payload }
    rows.push(...(await deliverTo(ctx, some, event)))
  }
  return rows
}

type DeliveredEvent = {
  readonly type: string
  readonly sequence: number | null
  readonly orderKey: string | null
  readonly referenceId: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** Stores one event for these endpoints, due at once; one id for all of them. */
async function deliverTo(
  ctx: Context,
  endpoints: readonly WebhookRow[],
  event: DeliveredEvent,
): Promise<DeliveryRow[]> {
  if (endpoints.length === 0) return []
  const eventId = newEventId()
  return inTransaction(ctx, async (tx) => {
    const rows = await insertDeliveries(
      tx,
      endpoints.map(({ id, project_id }) => ({
        webhook_id: id,
        project_id,
        event_id: eventId,
        event_type: event.type,
        order_key: event.orderKey,
        sequence: event.sequence,
        reference_id: event.referenceId,
        payout_id: null,
        body: webhookBody({ type: event.type, eventId, sequence: event.sequence, payload: event.payload }),
      })),
    )
    for (const projectId of new Set(endpoints.map((webhook) => webhook.project_id))) announceDue(tx, projectId)
    return rows
  })
}

async function activeOf(ctx: Context, projectIds: readonly number[] | 'every'): Promise<WebhookRow[]> {
  return (await listWebhookRows(ctx, projectIds)).filter(({ status }) => status === 'active')
}

function receivesPayments({ events }: WebhookRow): boolean {
  return events === null || events.length === 0 || events.some((name) => name.startsWith('payment.'))
}

function requireActive({ status }: WebhookRow): void {
  if (status !== 'active') fail('WEBHOOK_INACTIVE')
}

function timeOf(field: 'from' | 'to', text: string): Date {
  const message = 'Use a date such as 2026-01-31'
  const time = readMoment(text, { isEnd: field === 'to' })
  return time ?? fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}
