import { type Cause, withText } from '@kassa/contract/kit/reason.ts'
import { DELIVERY_WAITS } from '@kassa/contract/webhooks/delivery-waits.ts'
import type { Attempt, Delivery, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import type * as z from 'zod/mini'

import { healthOf } from './rules.ts'
import type { AttemptRow, DeliveryRow, WebhookRow } from './store.ts'

type Facts = {
  readonly now: Date
  /** When the last old secret stops signing. */
  readonly oldSecretEnds?: Date | undefined
  /** What was just made and is shown once. */
  readonly once?: { readonly secret?: string; readonly accessKey?: string }
}

/** An endpoint as the contract shows it; secrets are masked unless they were just made. */
export function webhookView(row: WebhookRow, { now, oldSecretEnds, once }: Facts): Webhook {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    external_platform_id: row.project_id,
    externalPlatformID: row.project_id,
    name: row.name,
    description: row.description,
    url: row.url,
    status: row.status === 'active' ? 'active' : 'inactive',
    tested: row.tested,
    events: row.events ?? [],
    access_key: once?.accessKey ?? row.access_key_hint,
    secret: once?.secret ?? row.secret_hint,
    previousSecretExpiresAt: oldSecretEnds ?? null,
    legacyHeaders: row.legacy_headers,
    health: healthOf(row, now),
    lastDeliveryAt: row.last_delivery_at,
    lastResponseCode: row.last_response_code,
  }
}

/** A delivery with its attempts, oldest first, and what it waits for. */
export function deliveryView(
  row: DeliveryRow,
  attempts: readonly AttemptRow[],
  waits: Cause<typeof DELIVERY_WAITS> | null,
): Delivery {
  return {
    id: row.event_id,
    deliveryID: Number(row.id),
    webhookID: row.webhook_id,
    event: row.event_type,
    sequence: row.sequence,
    referenceID: row.reference_id,
    payoutID: row.payout_id === null ? null : Number(row.payout_id),
    status: row.status,
    attempt_count: row.attempt_count,
    next_retry_at: row.status === 'pending' ? row.next_retry_at : null,
    waits: waits && withText(DELIVERY_WAITS, waits),
    last_response_code: row.last_response_code,
    last_error: row.last_error,
    createdAt: row.created_at,
    attempts: attempts.filter((attempt) => attempt.delivery_id === row.id).map(attemptView),
  }
}

function attemptView(row: AttemptRow): z.output<typeof Attempt> {
  return { at: row.at, code: row.code, ms: row.ms, error: row.error, responseExcerpt: row.response_excerpt }
}
