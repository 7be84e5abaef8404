/** Payouts as the server answers them. */
import { AT } from './answers.ts'

/** A payout of 800 USDC over the wire that needs one approval. */
export function wirePayout(more: object = {}) {
  return {
    id: 12,
    currencyCode: 'USDC',
    blockchainCode: 'BASE',
    amount: '800',
    priceInUSD: '1.00',
    amountInUSD: '800.00',
    fee: null,
    fromAddress: null,
    toAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    recipientEmail: 'supplier@example.com',
    tokenAddress: null,
    txHash: null,
    uniqueTxHash: null,
    txIndex: null,
    blockHash: null,
    blockNumber: null,
    status: 'pending-approval',
    type: 'payout',
    currencyType: 'token',
    timestamp: null,
    attributes: null,
    failureReason: null,
    webhookStatus: null,
    retryCount: 0,
    lastRetryAt: null,
    memberID: null,
    createdByMemberID: 2,
    createdByProjectID: null,
    approvedByMemberID: null,
    rejectedByMemberID: null,
    externalPlatformID: 7,
    currencyID: 3,
    blockchainID: 4,
    createdBy: 'user',
    member: null,
    createdByMember: { id: 2, name: 'Op', email: 'op@example.com' },
    createdByProject: null,
    approvedByMember: null,
    rejectedByMember: null,
    currency: { id: 3, code: 'USDC', name: 'USD Coin' },
    blockchain: { id: 4, code: 'BASE', name: 'Base' },
    externalPlatform: { id: 7, name: 'Acme' },
    createdAt: AT,
    updatedAt: AT,
    deletedAt: null,
    approvals: { required: 2, given: [], byOthersOnly: false },
    waitReason: 'APPROVAL',
    waits: { code: 'APPROVAL', params: { given: 0, needed: 2, able: 2, permission: 'payout:approve' }, text: '' },
    waitsNext: null,
    confirmations: 0,
    confirmationRequired: 12,
    explorerTransaction: null,
    clientReference: null,
    refundOfReferenceID: null,
    refundKind: null,
    recipientID: 5,
    recipientName: 'Supplier A',
    earlierPayouts: 4,
    note: 'October invoice',
    digest: 'ab'.repeat(32),
    words: 'amber lotus seven drum',
    ...more,
  }
}

/** The same with its history. */
export function wirePayoutDetail(more: object = {}) {
  return {
    ...wirePayout(),
    timeline: [{ at: AT, event: 'payout.pending-approval', actor: 'operator:2', data: {} }],
    policyDecision: {
      rule: 'over_auto_limit',
      reason: { code: 'over_auto_limit', params: { limitInUSD: '0' }, text: 'Over $0 each: needs approval.' },
      approvalsNeeded: 2,
      policyVersion: 1,
      hourUsed: '800.00',
      dayUsed: '1200.00',
      hourLimit: '5000.00',
      limitUsed: '1200.00',
      limit: '10000.00',
      fourEyes: true,
      list: null,
    },
    sentence: 'Over $0 each: needs approval.',
    deliveries: [],
    journal: [],
    ...more,
  }
}

/** A page of payouts. */
export function wirePayouts(rows: readonly object[]) {
  return { data: rows, total: rows.length, limit: 50, offset: 0, nextCursor: null }
}

/** Figures of payouts, two of which wait for the caller. */
export const WIRE_METRICS = {
  pendingApproval: 3,
  waitingForMe: 2,
  pending: 1,
  sent24h: '100.00',
  processed24h: '60.00',
  failed24h: 0,
  limits: { hourUsed: '0.00', hourLimit: '5000.00', dayUsed: '1200.00', dayLimit: '10000.00' },
  paused: { project: null, install: null },
  shortOf: [],
}

/** A recipient on BASE that can be paid. */
export function wireRecipient(more: object = {}) {
  return {
    id: 5,
    name: 'Supplier A',
    email: 'supplier@example.com',
    mobileNumber: null,
    residentialAddress: null,
    blockchainCode: 'BASE',
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    status: 'active',
    projectIDs: [7],
    createdAt: AT,
    updatedAt: AT,
    payableFrom: AT,
    earlierPayouts: 4,
    ...more,
  }
}

/** What a hot wallet holds on BASE, all of which may be paid out. */
export function wireBalance(more: object = {}) {
  return {
    blockchainCode: 'BASE',
    currencyCode: 'USDC',
    available: '1204.31',
    payable: '1204.31',
    priceInUSD: '0.9995',
    held: '0',
    hotWalletAddress: '0x1',
    ...more,
  }
}

/** A page of recipients. */
export function wireRecipients(rows: readonly object[]) {
  return { recipients: rows, data: rows, total: rows.length, limit: 50, offset: 0, nextCursor: null }
}

/** The default payout policy. */
export const WIRE_POLICY = {
  payoutConfig: {
    autoApproveLimitInUSD: '0',
    hourlyLimitInUSD: '5000',
    dailyLimitInUSD: '10000',
    quorum: 2,
    quorumRules: [],
    fourEyes: 'auto',
    allowList: [],
    recipientDelayHours: 0,
    paused: false,
    version: 1,
    updatedAt: null,
    approvers: 3,
    fourEyesInForce: true,
    pausedAt: null,
    installPausedAt: null,
  },
}

/** What 800 USDC on BASE would do: two approvals, and no wait after them. */
export function wireQuote(more: object = {}, total: object = {}) {
  return {
    amountInUSD: '799.60',
    policy: {
      rule: { code: 'over_auto_limit', params: { limitInUSD: '0' }, text: 'Over $0 each: needs approval.' },
      approvalsNeeded: 2,
      fourEyes: true,
      hourUsed: '799.60',
      hourLimit: '5000.00',
      dayUsed: '1999.60',
      dayLimit: '10000.00',
    },
    totals: [
      {
        blockchainCode: 'BASE',
        currencyCode: 'USDC',
        payouts: 1,
        amount: '800',
        amountInUSD: '799.60',
        available: '1204.31',
        availableAfter: '404.31',
        fee: { amount: '0.00021', currencyCode: 'ETH', amountInUSD: '0.63' },
        waitReason: null,
        waits: null,
        ...total,
      },
    ],
    ...more,
  }
}
