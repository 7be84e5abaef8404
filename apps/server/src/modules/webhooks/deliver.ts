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
  listFollowers,
  listOverdue,
  moveDelivery,
  releaseDelivery,
  updateWebhook,
  type WebhookRow,
} from './store.ts'

export type DeliverJob = { readonly deliveryId: string }

/** An attempt ends within 15 s; one that has not ended after this belongs to a process that died. */
const LEASE_MS = 60_000
/** A full endpoint is tried again after this. */
const BUSY_MS = 1000
/** What is kept of a receiver's answer. */
const EXCERPT = 1024

/** Requests under way per endpoint in this process. */
const active = new Map<number, number>()

/**
 * Makes the next attempt of a delivery. Whatever dies in between, the lease runs out and the delivery is taken up again:
 * it may arrive twice with the same `webhook-id`, and it is never lost.
 */
export async function deliver(ctx: Context, { deliveryId }: DeliverJob): Promise<void> {
  const id = BigInt(deliveryId)
  const delivery = await claimDelivery(ctx, id, new Date(ctx.now().getTime() + LEASE_MS))
  if (!delivery) return
  const webhook = await findWebhookRow(ctx, delivery.webhook_id)
  if (webhook?.status !== 'active') return discard(ctx, delivery)
  const limit = webhook.failing_since === null ? CONCURRENCY.well : CONCURRENCY.failing
  const running = active.get(webhook.id) ?? 0
  if (running >= limit) return postpone(ctx, delivery)
  active.set(webhook.id, running + 1)
  try {
    await attempt(ctx, delivery, webhook)
  } finally {
    active.set(webhook.id, (active.get(webhook.id) ?? 1) - 1)
  }
}

/** Takes up what no worker holds any more: deliveries whose process died between two steps. */
export async function takeUpOverdue(ctx: Context): Promise<void> {
  for (const id of await listOverdue(ctx, new Date(ctx.now().getTime() - BUSY_MS), 500)) await queue(ctx, id, ctx.now())
}

/** Queues an attempt at a time, inside the open transaction. */
export async function queue(ctx: Context, id: bigint, at: Date): Promise<void> {
  const job: DeliverJob = { deliveryId: String(id) }
  await ctx.jobs.send(ctx, 'webhooks.deliver', job, at > ctx.now() ? { startAfter: at } : {})
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
    if (retryAt) await queue(inner, delivery.id, retryAt)
    for (const follower of await listFollowers(inner, moved)) await queue(inner, follower, inner.now())
    await tell(inner, moved)
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

async function discard(ctx: Context, delivery: DeliveryRow): Promise<void> {
  await inTransaction(ctx, async (inner) => {
    const values = { status: 'discarded' as const, next_retry_at: null, last_response_code: null }
    const moved = await moveDelivery(inner, delivery.id, { ...values, last_error: 'The endpoint is switched off.' })
    if (moved) await tell(inner, moved)
  })
}

async function postpone(ctx: Context, delivery: DeliveryRow): Promise<void> {
  const dueAt = new Date(ctx.now().getTime() + BUSY_MS)
  await inTransaction(ctx, async (inner) => {
    await releaseDelivery(inner, delivery.id, dueAt)
    await queue(inner, delivery.id, dueAt)
  })
}

async function tell(ctx: Context, delivery: DeliveryRow): Promise<void> {
  await ctx.events.announce(ctx, {
    name: 'delivery.changed',
    projectId: delivery.project_id,
    ...(delivery.reference_id !== null && { referenceId: delivery.reference_id }),
    data: { deliveryID: Number(delivery.id), status: delivery.status },
  })
}
