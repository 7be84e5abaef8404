/** Endpoints and what was sent to them, as they come over the wire. */
import { AT } from './answers.ts'

export const SHOP_URL = 'https://shop.example/kassa/webhook'

/** An endpoint of project 7 that gets the default events. */
export function webhook(more: object = {}) {
  return {
    id: 5,
    createdAt: AT,
    updatedAt: AT,
    external_platform_id: 7,
    externalPlatformID: 7,
    name: '',
    description: '',
    url: SHOP_URL,
    status: 'active',
    tested: true,
    events: [],
    access_key: 'kw_••••12ab',
    secret: 'whsec_••••9d01',
    previousSecretExpiresAt: null,
    legacyHeaders: true,
    health: 'ok',
    lastDeliveryAt: AT,
    lastResponseCode: 200,
    ...more,
  }
}

/** A message that ten tries could not deliver. */
export function delivery(more: object = {}) {
  return {
    id: 'evt_1',
    deliveryID: 99,
    webhookID: 5,
    event: 'payment.filled',
    sequence: 2,
    referenceID: '0192c3f0-0000-7000-8000-000000000001',
    payoutID: null,
    status: 'failed',
    attempt_count: 10,
    next_retry_at: null,
    waits: null,
    last_response_code: 503,
    last_error: null,
    createdAt: AT,
    attempts: [{ at: AT, code: 503, ms: 84, error: null, responseExcerpt: 'try later' }],
    ...more,
  }
}

/** One page of deliveries. */
export function deliveryPage(...deliveries: readonly object[]) {
  return { data: deliveries, total: deliveries.length, limit: 50, offset: 0, nextCursor: null }
}
