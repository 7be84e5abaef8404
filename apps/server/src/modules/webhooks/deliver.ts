import type { Context } from '../../context.ts'
import type { EgressResponse } from '../../egress/egress.ts'
import { inTransaction } from '../../context.ts'
import { signingKeys } from './endpoints.ts'
import { CONCURRENCY, nextStep, retryAfterMs } from './rules.ts'
import { signedHeaders } from './sign.ts'
import {
  claimDelivery,
  type DeliveryRow,
  findWebhookRow,
  insertAttempt,
  listDue,
  listFollowers,
  listOverdue,
  moveDelivery,
  updateWebhook,
  type WebhookRow,
} from './store.ts'
import { freePlaces, keepTrack, leavePlace, leaveWaiting, takePlace } from './under-way.ts'

export type DeliverJob = { readonly deliveryId: string; readonly webhookId: number }

/** An attempt ends within 15 s; one that has not ended after this belongs to a process that died. */
const LEASE_MS = 60_000
/** Jobs run within this; what is due for longer lost its worker. */
const OVERDUE_MS = 1000
/** What is kept of a receiver's answer. */
const EXCERPT = 1024

/**
 * Begins the next attempt of a delivery and comes back before it ends, so that a slow receiver holds no worker; null when
 * there is nothing to do or no place at this endpoint, whose next place takes it up. Whatever dies in between, the lease
 * runs out and the delivery is taken up again: it may arrive twice with the same `webhook-id`, and it is never lost.
 */
export async function beginDelivery(
  ctx: Context,
  { deliveryId, webhookId }: DeliverJob,
): Promise<{ readonly ended: Promise<void> } | null> {
  const webhook = await findWebhookRow(ctx, webhookId)
  if (webhook?.status !== 'active') return discard(ctx, deliveryId)
  // The place is taken before the claim: what finds none stays due, and the place that gets free finds it.
  if (!takePlace(webhookId, limitOf(webhook))) return null
  const delivery = await claimDelivery(ctx, BigInt(deliveryId), leaseEnd(ctx)).catch((thrown: unknown) => {
    leavePlace(webhookId)
    throw thrown
  })
  const ended = usePlace(ctx, webhook, delivery).catch((err: unknown) =>
    ctx.log.error({ err, deliveryId }, 'a delivery lost its outcome'),
  )
  return { ended: keepTrack(ended) }
}

async function usePlace(ctx: Context, webhook: WebhookRow, delivery: DeliveryRow | undefined): Promise<void> {
  try {
    if (delivery) await attempt(ctx, delivery, webhook)
  } finally {
    if (leavePlace(webhook.id)) await fillPlaces(ctx, webhook.id)
  }
}

/** Takes up what no worker holds any more: deliveries whose process died between two steps. */
export async function takeUpOverdue(ctx: Context): Promise<void> {
  const overdue = await listOverdue(ctx, new Date(ctx.now().getTime() - OVERDUE_MS), CONCURRENCY.well)
  for (const row of overdue) await queue(ctx, row, ctx.now())
}

/** Queues an attempt at a time, inside the open transaction. */
export async function queue(
  ctx: Context,
  { id, webhook_id: webhookId }: Pick<DeliveryRow, 'id' | 'webhook_id'>,
  at: Date,
): Promise<void> {
  const job: DeliverJob = { deliveryId: String(id), webhookId }
  await ctx.jobs.send(ctx, 'webhooks.deliver', job, at > ctx.now() ? { startAfter: at } : {})
}

/** Wakes what found no place at the endpoint while this one was taken. */
async function fillPlaces(ctx: Context, webhookId: number): Promise<void> {
  const webhook = await findWebhookRow(ctx, webhookId)
  if (!webhook) return
  const free = freePlaces(webhookId, limitOf(webhook))
  const due = await listDue(ctx, webhookId, free + 1)
  if (due.length > free) leaveWaiting(webhookId)
  for (const row of due.slice(0, free)) await queue(ctx, row, ctx.now())
}

function limitOf({ failing_since }: WebhookRow): number {
  return failing_since === null ? CONCURRENCY.well : CONCURRENCY.failing
}

function leaseEnd(ctx: Context): Date {
  return new Date(ctx.now().getTime() + LEASE_MS)
}

async function attempt(ctx: Context, delivery: DeliveryRow, webhook: WebhookRow): Promise<void> {
  const startedAt = ctx.now()
  const started = performance.now()
  const outcome = await post(ctx, delivery, webhook, startedAt)
  const answer = 'response' in outcome ? outcome.response : null
  const result = {
    code: answer?.status ?? null,
    retryAfterMs: retryAfterMs(answer?.headers['retry-after'], ctx.now()),
  }
  const step = nextStep(delivery.attempt_count, result, Math.random())
  const error =
    'error' in outcome ? outcome.error : step.kind === 'received' ? null : `The receiver answered ${result.code}.`
  await inTransaction(ctx, async (inner) => {
    const retryAt = step.kind === 'retry' ? new Date(inner.now().getTime() + step.afterMs) : null
    const moved = await moveDelivery(inner, delivery.id, {
      status: step.kind === 'received' ? 'received' : step.kind === 'retry' ? 'pending' : 'failed',
      next_retry_at: retryAt,
      last_response_code: result.code,
      last_error: error,
    })
    if (!moved) return
    await insertAttempt(inner, {
      delivery_id: delivery.id,
      n: delivery.attempt_count,
      at: startedAt,
      code: result.code,
      ms: Math.round(performance.now() - started),
      error,
      response_excerpt: answer?.body.slice(0, EXCERPT).replaceAll('\u0000', '') ?? null,
    })
    await remember(inner, webhook, step.kind, result.code)
    if (retryAt) await queue(inner, delivery, retryAt)
    await wakeFollowers(inner, moved)
  })
}

async function post(
  ctx: Context,
  delivery: DeliveryRow,
  webhook: WebhookRow,
  at: Date,
): Promise<{ response: EgressResponse } | { error: string }> {
  try {
    const headers = signedHeaders(await signingKeys(ctx, webhook), delivery.event_id, at, delivery.body)
    const response = await ctx.egress.request('webhook', {
      url: webhook.url,
      method: 'POST',
      headers,
      body: delivery.body,
    })
    return { response }
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

async function remember(ctx: Context, webhook: WebhookRow, kind: string, code: number | null): Promise<void> {
  await updateWebhook(ctx, webhook.id, {
    last_delivery_at: ctx.now(),
    last_response_code: code,
    failing_since: kind === 'received' ? null : (webhook.failing_since ?? ctx.now()),
    ...(kind === 'gone' && { status: 'inactive' as const }),
  })
}

async function discard(ctx: Context, deliveryId: string): Promise<null> {
  const delivery = await claimDelivery(ctx, BigInt(deliveryId), leaseEnd(ctx))
  if (!delivery) return null
  await inTransaction(ctx, async (inner) => {
    const values = { status: 'discarded' as const, next_retry_at: null, last_response_code: null }
    const moved = await moveDelivery(inner, delivery.id, { ...values, last_error: 'The endpoint is switched off.' })
    if (moved) await wakeFollowers(inner, moved)
  })
  return null
}

/** Wakes the later events of the same order key, and tells the screens how this delivery stands. */
async function wakeFollowers(ctx: Context, moved: DeliveryRow): Promise<void> {
  for (const follower of await listFollowers(ctx, moved)) await queue(ctx, follower, ctx.now())
  await tell(ctx, moved)
}

async function tell(ctx: Context, delivery: DeliveryRow): Promise<void> {
  await ctx.events.announce(ctx, {
    name: 'delivery.changed',
    projectId: delivery.project_id,
    ...(delivery.reference_id !== null && { referenceId: delivery.reference_id }),
    data: { deliveryID: Number(delivery.id), status: delivery.status },
  })
}
