import * as z from 'zod/mini'

import { id, int, ts, uuid } from '../kit/codecs.ts'
import { HEADER_VALUE, httpUrl, text, wholeNumber } from '../kit/fields.ts'
import { reasonShape } from '../kit/reason-shape.ts'
import { DELIVERY_STATUSES } from './delivery-statuses.ts'
import type { DELIVERY_WAITS } from './delivery-waits.ts'

export const Webhook = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  external_platform_id: int,
  externalPlatformID: int,
  name: z.string(),
  description: z.string(),
  url: z.string(),
  status: z.enum(['active', 'inactive']),
  tested: z.boolean(),
  events: z.array(z.string()),
  /** Masked, except in the answer that made it. */
  access_key: z.nullable(z.string()),
  secret: z.nullable(z.string()),
  previousSecretExpiresAt: z.nullable(ts),
  legacyHeaders: z.boolean(),
  health: z.enum(['ok', 'failing', 'idle']),
  lastDeliveryAt: z.nullable(ts),
  lastResponseCode: z.nullable(int),
})

export type Webhook = z.output<typeof Webhook>

export const Attempt = z.object({
  at: ts,
  code: z.nullable(int),
  ms: int,
  error: z.nullable(z.string()),
  responseExcerpt: z.nullable(z.string()),
})

export const Delivery = z.object({
  id: z.string(),
  /** Names this delivery among those of the same event; `id` is the event's and equal at every endpoint. */
  deliveryID: int,
  webhookID: int,
  event: z.string(),
  sequence: z.nullable(int),
  referenceID: z.nullable(uuid),
  payoutID: z.nullable(int),
  status: z.enum(DELIVERY_STATUSES),
  attempt_count: int,
  next_retry_at: z.nullable(ts),
  /** Why it is not sent yet; null when it waits for nothing. */
  waits: z.nullable(reasonShape<typeof DELIVERY_WAITS>()),
  last_response_code: z.nullable(int),
  last_error: z.nullable(z.string()),
  createdAt: ts,
  attempts: z.array(Attempt),
})

export type Delivery = z.output<typeof Delivery>

/** A delivery with what was sent; secrets in the headers are masked. */
export const DeliveryDetail = z.extend(Delivery, {
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
})

const optionalText = (label: string, max: number) =>
  z.optional(
    z
      .string({ error: `${label} must be text` })
      .check(z.trim(), z.maxLength(max, { error: `${label} must be at most ${max} characters long` })),
  )

export const NewWebhook = z.object({
  url: httpUrl('URL'),
  name: optionalText('Name', 100),
  description: optionalText('Description', 500),
  /** Absent or empty: the default events. */
  events: z.optional(z.array(z.string())),
  access_key: z.optional(
    z
      .string()
      .check(
        z.minLength(16, { error: 'Access key must be at least 16 characters long' }),
        z.maxLength(255, { error: 'Access key must be at most 255 characters long' }),
        z.regex(HEADER_VALUE, { error: 'Access key must be letters, digits and signs without spaces' }),
      ),
  ),
  legacyHeaders: z.optional(z.boolean()),
  status: z.optional(z.enum(['active', 'inactive'], { error: 'Status must be one of: active, inactive' })),
})

export type NewWebhook = z.output<typeof NewWebhook>

/** Absent fields stay; an empty name or description is cleared, and empty events mean the default ones. */
export const WebhookChange = z.partial(NewWebhook)

export type WebhookChange = z.output<typeof WebhookChange>

/** What of an endpoint can be replaced (api.md H7). */
export const ROTATABLE = ['secret', 'access_key'] as const

export const Rotation = z.object({
  /** Hours in which the old secret signs as well. An access key is one header with one value: it changes at once. */
  overlapHours: z.optional(wholeNumber('Overlap', 0, 168)),
  what: z.optional(z.enum(ROTATABLE, { error: `What must be one of: ${ROTATABLE.join(', ')}` })),
})

export type Rotation = z.output<typeof Rotation>

export const Replay = z.object({
  from: text('From', { max: 40 }),
  to: text('To', { max: 40 }),
  /** Absent or empty: every event. */
  events: z.optional(z.array(z.string())),
  /** True when absent: failed and discarded ones only; false: also delivered ones. */
  onlyFailed: z.optional(z.boolean()),
})

export type Replay = z.output<typeof Replay>

/** An event as the feed shows it (api.md H12); `payload` is what endpoints are sent. */
export const FeedEvent = z.object({
  /** = `webhook-id`. */
  id: z.string(),
  sequence: z.nullable(int),
  type: z.string(),
  createdAt: ts,
  payload: z.record(z.string(), z.unknown()),
})

export type FeedEvent = z.output<typeof FeedEvent>

export const EventFeed = z.object({
  data: z.array(FeedEvent),
  /** Where to go on, now or later; null while nothing has happened yet, and newest first when nothing is older. */
  nextCursor: z.nullable(z.string()),
})

/** The keys that check `v1a` signatures (api.md 6.3), newest first. */
export const WebhookKeys = z.object({
  keys: z.array(z.object({ id: z.string(), publicKey: z.string(), from: ts, until: z.nullable(ts) })),
})

export const TestResult = z.object({
  success: z.boolean(),
  statusCode: z.nullable(int),
  ms: int,
  responseExcerpt: z.string(),
  message: z.string(),
})

export type TestResult = z.output<typeof TestResult>
