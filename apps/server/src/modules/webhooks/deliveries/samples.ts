import type { EventType } from '@kassa/contract/webhooks/events.ts'

/** The payment state in the sample of each event; types not listed here show an open payment. */
const STATES: Partial<Record<EventType, { readonly status: string; readonly share: number }>> = {
  'payment.partially_filled': { status: 'PARTIALLY_FILLED', share: 0.5 },
  'payment.filled': { status: 'FILLED', share: 1 },
  'payment.over_filled': { status: 'OVER_FILLED', share: 1.5 },
  'payment.expired_partial': { status: 'PARTIALLY_FILLED', share: 0.5 },
  'payment.cancelled': { status: 'CANCELLED', share: 0 },
  'payment.late_deposit': { status: 'FILLED', share: 1 },
}

const AMOUNT = 10

/** The transaction in the sample of each payout event; types not listed here show none. */
const SENT: ReadonlySet<string> = new Set(['payout.sent', 'payout.processed'])

/** The payload of an invented payout. */
function samplePayout(type: EventType, projectId: number, now: Date): Record<string, unknown> {
  const isSent = SENT.has(type)
  return {
    payout_id: 0,
    network: 'ETH',
    token: 'USDC',
    amount: String(AMOUNT),
    tx_hash: isSent ? `0x${'ab'.repeat(32)}` : null,
    status: type.slice('payout.'.length),
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    from_address: isSent ? '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' : null,
    failure_reason: type === 'payout.failed' ? 'REVERTED' : null,
    timestamp: Math.floor(now.getTime() / 1000),
    amount_in_usd: AMOUNT.toFixed(2),
    type: 'payout_merchant',
    client_reference: 'SAMPLE-1',
    project_id: projectId,
    confirmation_current: type === 'payout.processed' ? 12 : 0,
    confirmation_required: 12,
  }
}

/** The payload of an invented event log or reward. */
function sampleReferral(type: EventType, projectId: number, now: Date): Record<string, unknown> {
  const row = { id: 0, createdAt: now.toISOString(), updatedAt: now.toISOString(), project: 'Sample' }
  const log = {
    eventKey: 'order',
    memberID: 0,
    memberReferenceID: 'sample-customer',
    amount: String(AMOUNT),
    triggeredAt: now.toISOString(),
    data: null,
    status: 'pending',
    failureReason: null,
    failure: null,
    externalID: 'SAMPLE-1',
    referenceOfPayment: null,
  }
  const isReversed = type === 'referral.reward_reversed'
  const why = { code: 'PAYMENT_REFUNDED', params: {}, text: 'The payment was refunded, whole or in part.' }
  const reward = {
    campaignId: 0,
    campaignName: 'Sample',
    currencyCode: 'USD',
    rewardedMemberID: 0,
    rewardedMemberReferenceID: 'sample-promoter',
    rewardedMemberEmail: 'promoter@example.com',
    relatedMemberID: 0,
    relatedMemberReferenceID: 'sample-customer',
    relatedMemberEmail: 'customer@example.com',
    memberType: 'referrer',
    amount: isReversed ? '0' : String(AMOUNT),
    givenAmount: String(AMOUNT),
    paidAmount: '0',
    status: isReversed ? 'reversed' : 'pending',
    reason: isReversed ? why.text : null,
    reversal: isReversed ? why : null,
    referenceOfPayment: null,
  }
  return {
    timestamp: Math.floor(now.getTime() / 1000),
    project_id: projectId,
    data: { ...row, ...(type === 'referral.event_logged' ? log : reward) },
  }
}

/** The payload of an invented sweep. */
function sampleSweep(type: EventType, projectId: number, now: Date): Record<string, unknown> {
  const isDone = type === 'sweep.completed'
  return {
    timestamp: Math.floor(now.getTime() / 1000),
    project_id: projectId,
    data: {
      id: 0,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      walletID: 0,
      blockchainCode: 'ETH',
      currencyCode: 'USDC',
      currencyAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      amount: String(AMOUNT),
      sweptAmount: isDone ? String(AMOUNT) : '0',
      addressCount: 1,
      sweptCount: isDone ? 1 : 0,
      failedCount: 0,
      fundCollectorAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      status: isDone ? 'completed' : 'failed',
      txHash: `0x${'ab'.repeat(32)}`,
      trigger: 'amount',
      path: 'contract',
      sentBy: 'hot-wallet',
      externalPlatformIDs: [projectId],
    },
  }
}

/** An invented payload with every key of api.md 6.2, with which developers test their receiver. */
export function samplePayload(type: EventType, projectId: number, now: Date): Record<string, unknown> {
  if (type.startsWith('payout.')) return samplePayout(type, projectId, now)
  if (type.startsWith('sweep.')) return sampleSweep(type, projectId, now)
  if (type.startsWith('referral.')) return sampleReferral(type, projectId, now)
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
