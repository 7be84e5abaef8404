// A webhook is an address of the merchant that is told what happened. Each event becomes one delivery per endpoint, in the
// transaction of the change; attempts follow until the receiver says yes.
import { randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/refusal.ts'
import type { Delivery, TestResult } from '@kassa/contract/webhooks/schemas.ts'

import type { Context, StoredEvent } from '../../context.ts'
import { queue } from './deliver.ts'
import { checkUrl, ensureDefaultEndpoint, isDeliverable, signingKeys } from './endpoints.ts'
import { isTold } from './rules.ts'
import { signedHeaders } from './sign.ts'
import {
  findDelivery,
  findWebhookRow,
  insertDeliveries,
  listAttempts,
  listDeliveryRows,
  listWebhookRows,
  updateWebhook,
  type DeliveryRow,
  type WebhookRow,
} from './store.ts'
import { deliveryView } from './view.ts'

/** Deliveries of one payment shown at most. */
const MAX_OF_PAYMENT = 200
/** What is shown of the answer to a test. */
const EXCERPT = 1024

/** Subscriber: stores and queues a delivery for every endpoint that is told of the event, in its transaction. */
export async function queueDeliveries(ctx: Context, event: StoredEvent): Promise<void> {
  const { projectId } = event
  if (projectId === null) return
  const endpoints = await listWebhookRows(ctx, [projectId])
  const told = endpoints.filter(({ status, events }) => status === 'active' && isTold(events, event.type))
  if (told.length === 0) return
  const body = JSON.stringify({
    ...event.payload,
    event_type: event.type,
    event_id: event.eventId,
    sequence: event.sequence ?? null,
  })
  const rows = await insertDeliveries(
    ctx,
    told.map(({ id }) => ({
      webhook_id: id,
      project_id: projectId,
      event_id: event.eventId,
      event_type: event.type,
      order_key: event.orderKey ?? null,
      sequence: event.sequence ?? null,
      reference_id: event.referenceId ?? null,
      body,
    })),
  )
  for (const row of rows) await queue(ctx, row, ctx.now())
}

/** Subscriber: a project's own webhook address becomes its default endpoint. @throws WEBHOOK_URL_NOT_ALLOWED */
export async function followProject(ctx: Context, event: StoredEvent): Promise<void> {
  const url = event.payload.webhookEndpoint
  if (event.projectId === null || typeof url !== 'string') return
  await ensureDefaultEndpoint(ctx, { projectId: event.projectId, url })
}

/** Deliveries about a payment, newest first. */
export async function deliveriesOf(ctx: Context, referenceId: string): Promise<Delivery[]> {
  const rows = await listDeliveryRows(ctx, { projectIds: 'every', referenceId }, { limit: MAX_OF_PAYMENT })
  return withAttempts(ctx, rows)
}

/** Deliveries with their attempts, in the order given. */
export async function withAttempts(ctx: Context, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const attempts = await listAttempts(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => deliveryView(row, attempts))
}

/** An endpoint of these projects. @throws WEBHOOK_NOT_FOUND */
export async function getWebhook(
  ctx: Context,
  projectIds: readonly number[] | 'every',
  id: number,
): Promise<WebhookRow> {
  const row = await findWebhookRow(ctx, id)
  if (!row || (projectIds !== 'every' && !projectIds.includes(row.project_id))) return fail('WEBHOOK_NOT_FOUND')
  return row
}

/** A delivery to the endpoint, by its own id or its event's. @throws DELIVERY_NOT_FOUND */
export async function getDelivery(ctx: Context, webhook: WebhookRow, id: string): Promise<DeliveryRow> {
  return (await findDelivery(ctx, webhook.id, id)) ?? fail('DELIVERY_NOT_FOUND')
}

/**
 * Sends a signed ping now and says how it went; the endpoint is never switched by it.
 * @throws WEBHOOK_URL_NOT_ALLOWED, EVENT_UNKNOWN
 */
export async function testWebhook(ctx: Context, webhook: WebhookRow, event: string | undefined): Promise<TestResult> {
  if (event !== undefined && event !== 'webhook.ping' && !isDeliverable(event)) {
    return fail('EVENT_UNKNOWN', { values: { name: event } })
  }
  checkUrl(ctx, webhook.url)
  const at = ctx.now()
  const id = `evt_test_${randomBytes(8).toString('hex')}`
  const body = JSON.stringify({
    event_type: event ?? 'webhook.ping',
    event_id: id,
    timestamp: Math.floor(at.getTime() / 1000),
    project_id: webhook.project_id,
    test: true,
  })
  const headers = { ...signedHeaders(await signingKeys(ctx, webhook), id, at, body), 'x-webhook-test': 'true' }
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const { status, body: answer } = await ctx.egress.request('webhook', {
      url: webhook.url,
      method: 'POST',
      headers,
      body,
    })
    const success = status >= 200 && status < 300
    if (success) await updateWebhook(ctx, webhook.id, { tested: true })
    const message = success
      ? 'The receiver accepted the test.'
      : `The receiver answered ${status}. It must answer 200 to 299.`
    return { success, statusCode: status, ms: elapsed(), responseExcerpt: answer.slice(0, EXCERPT), message }
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    const message = `The receiver could not be reached: ${reason}`
    return { success: false, statusCode: null, ms: elapsed(), responseExcerpt: '', message }
  }
}
