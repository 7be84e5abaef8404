// A webhook is an address of the merchant that is told what happened. Each event becomes one delivery per endpoint, in the
// transaction of the change; attempts follow until the receiver says yes.
import { randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/refusal.ts'
import type { Delivery, TestResult } from '@kassa/contract/webhooks/schemas.ts'

import { type Context, inTransaction, type StoredEvent } from '../../context.ts'
import { checkUrl, ensureDefaultEndpoint, isDeliverable } from './endpoints.ts'
import { announceDue, withAttempts } from './lookups.ts'
import { bodyOf } from './message.ts'
import { isTold } from './rules.ts'
import { signedHeaders } from './sign.ts'
import { signingKeys } from './signing-keys.ts'
import {
  insertDeliveries,
  listDeliveryRows,
  listWebhookRows,
  moveToReleased,
  type NewDelivery,
  updateWebhook,
  type WebhookRow,
} from './store.ts'

export { withAttempts } from './lookups.ts'
export { deliverSample, resendCurrent } from './resend.ts'
export { startDelivering } from './start-delivering.ts'

/** Deliveries of one payment shown at most. */
const MAX_OF_PAYMENT = 200
/** What is shown of the answer to a test. */
const EXCERPT = 1024

/** Subscriber: stores a delivery for every endpoint that is told of these events, in their order and transaction. */
export async function queueDeliveries(ctx: Context, events: readonly StoredEvent[]): Promise<void> {
  const deliverable = events.filter(({ projectId, type }) => projectId !== null && isDeliverable(type))
  if (deliverable.length === 0) return
  const projectIds = [...new Set(deliverable.flatMap(({ projectId }) => projectId ?? []))]
  const endpoints = Map.groupBy(await listWebhookRows(ctx, projectIds), (webhook) => webhook.project_id)
  const rows = deliverable.flatMap((event) => deliveriesFor(event, endpoints.get(event.projectId ?? 0) ?? []))
  if (rows.length > 0) await insertDeliveries(ctx, rows)
}

function deliveriesFor(event: StoredEvent, endpoints: readonly WebhookRow[]): NewDelivery[] {
  const { type, eventId, sequence = null, payload } = event
  const told = endpoints.filter(({ events }) => isTold(events, type))
  const body = told.length > 0 ? bodyOf({ type, eventId, sequence, payload }) : ''
  return told.map((webhook) => ({
    webhook_id: webhook.id,
    project_id: webhook.project_id,
    event_id: eventId,
    event_type: type,
    order_key: event.orderKey ?? null,
    sequence,
    reference_id: event.referenceId ?? null,
    body,
  }))
}

/**
 * Sends what waited for a person's word about a deposit in quarantine, of one payment or of all; what still has one goes
 * on waiting.
 */
export async function releaseHeld(ctx: Context, referenceId?: string): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    for (const projectId of await moveToReleased(inner, referenceId)) await announceDue(inner, projectId)
  })
}

/**
 * Subscriber: a project's own webhook address becomes its default endpoint, and what waited while the project was archived
 * is looked at again. @throws WEBHOOK_URL_NOT_ALLOWED
 */
export async function followProject(ctx: Context, event: StoredEvent): Promise<void> {
  const url = event.payload.webhookEndpoint
  if (event.projectId === null) return
  await announceDue(ctx, event.projectId)
  if (typeof url !== 'string') return
  await ensureDefaultEndpoint(ctx, { projectId: event.projectId, url })
}

/** Deliveries about a payment, newest first. */
export async function deliveriesOf(ctx: Context, referenceId: string): Promise<Delivery[]> {
  const rows = await listDeliveryRows(ctx, { projectIds: 'every', referenceId }, { limit: MAX_OF_PAYMENT })
  return withAttempts(ctx, rows)
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
      excerptBytes: EXCERPT,
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
