import type { EventType } from '@kassa/contract/webhooks/events.ts'

/** The states that payment events tell of; an event without one here tells of an open payment. */
const STATES: Partial<Record<EventType, { readonly status: string; readonly share: number }>> = {
  'payment.partially_filled': { status: 'PARTIALLY_FILLED', share: 0.5 },
  'payment.filled': { status: 'FILLED', share: 1 },
  'payment.over_filled': { status: 'OVER_FILLED', share: 1.5 },
  'payment.expired_partial': { status: 'PARTIALLY_FILLED', share: 0.5 },
  'payment.cancelled': { status: 'CANCELLED', share: 0 },
  'payment.late_deposit': { status: 'FILLED', share: 1 },
}

const AMOUNT = 10

/** A message of a payment that does not exist, with every key of api.md 6.2, for developers to try their receiver on. */
export function sampleMessage(type: EventType, projectId: number, now: Date): Record<string, unknown> {
  const { status, share } = STATES[type] ?? { status: 'OPEN', share: 0 }
  const filled = AMOUNT * share
  return {
    reference_id: '00000000-0000-7000-8000-000000000000',
    invoice_id: 'SAMPLE-1',
    customer_id: 'sample-customer',
    customer_email: null,
    status,
    amount: String(AMOUNT),
    filled_amount: String(filled),
    filled_amount_in_usd: String(filled),
    currency: 'USDC',
    timestamp: Math.floor(now.getTime() / 1000),
    confirmation_current: share > 0 ? 12 : 0,
    confirmation_required: 12,
    payment_info: [],
    amount_in_usd: String(AMOUNT),
    amount_due: String(Math.max(0, AMOUNT - filled)),
    amount_overpaid: share > 1 ? String(filled - AMOUNT) : null,
    network: 'ETH',
    funding_state: share > 0 ? 'confirmed' : 'none',
    cancel_reason: type === 'payment.cancelled' ? 'expired' : null,
    late: type === 'payment.late_deposit',
    previous_status: 'OPEN',
    project_id: projectId,
    metadata: {},
  }
}
