/** Payments as they come over the wire, built and checked by the contract's own schemas. */
import { PaymentCreated, PaymentDetail, PaymentPage } from '@kassa/contract/payments/schemas.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { encode } from 'zod/mini'

import { offersFor } from './payment-offers.ts'

/** UUIDs that a test tells apart by their last digit. */
export function reference(digit: number): string {
  return `0192a7de-0000-7000-8000-00000000000${digit}`
}

const CREATED_AT = new Date('2026-11-20T05:10:44Z')

/** The moment some seconds after a payment was created. */
export function after(seconds: number): Date {
  return new Date(CREATED_AT.getTime() + seconds * 1000)
}

const NOT_CHOSEN = {
  currencySymbol: null,
  blockchainSymbol: null,
  currencyAddress: null,
  currencyName: null,
  currencyDesc: null,
  currencyDecimals: null,
  filledAmount: null,
  filledAmountInUSD: null,
  depositAddress: null,
  amount: null,
  amountDue: null,
  overpaid: null,
  rateLockedUntil: null,
  paymentURI: null,
} as const

/** The terms of $49 in USDC on BASE. */
export const CHOSEN = {
  currencySymbol: 'USDC',
  blockchainSymbol: 'BASE',
  currencyDecimals: 6,
  amount: '49',
  filledAmount: '0',
  filledAmountInUSD: '0.00',
  amountDue: '49',
  depositAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
} as const

const customer: PaymentDetail['customer'] = {
  id: 5,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  name: '',
  email: 'a@example.com',
  customer_id: '1001',
  level: 0,
  group: '',
  state: 'active',
  username: null,
  memberType: 'customer',
  resetPasswordRequired: false,
  memberExternalPlatformRoles: [],
}

/** An open link over $49 whose customer has not chosen how to pay. */
export function paymentDetail(more: Partial<PaymentDetail> = {}): PaymentDetail {
  const payment: Omit<PaymentDetail, 'offers'> = {
    ...NOT_CHOSEN,
    invoiceID: 'A-77',
    customerID: '1001',
    amountInUSD: '49.00',
    paymentState: 'OPEN',
    merchantName: 'Acme',
    referenceID: reference(1),
    successURL: null,
    cancelURL: null,
    createdAt: CREATED_AT,
    explorerTransaction: '',
    externalPlatformID: 7,
    confirmationCurrent: 0,
    confirmationRequired: 0,
    amountDueInUSD: '49.00',
    fundingState: 'none',
    late: false,
    cancelReason: null,
    expiresAt: after(900),
    deposits: [],
    dropped: [],
    unlisted: [],
    repair: null,
    waits: null,
    waitsBecause: null,
    supersededBy: null,
    test: true,
    customer,
    depositAddresses: [],
    quotes: [],
    timeline: [{ at: CREATED_AT, event: 'payment.created', actor: 'operator:1', data: {} }],
    deliveries: [],
    journal: [],
    refunds: [],
    refundable: [],
    refundClaim: null,
    metadata: {},
    description: '',
    createdBy: 'user',
    url: `https://pay.example.com/payments?reference_id=${reference(1)}&host=https://pay.example.com`,
    transfers: [],
    unmatchedDeposits: [],
    acceptance: null,
    needsAttention: false,
    resolved: null,
    ...more,
  }
  return { ...payment, offers: offersFor(payment) }
}

/** A deposit of 49 USDC that was credited. */
export function deposit(more: Partial<PaymentDetail['transfers'][number]> = {}): PaymentDetail['transfers'][number] {
  return {
    id: 31,
    createdAt: after(100),
    blockchainCode: 'BASE',
    currencyCode: 'USDC',
    txHash: '0x9f3c00000000000000000000000000000000000000000000000000000000a01b',
    leg: '0',
    blockNumber: 76,
    fromAddress: '0x83d368fFC154Efa88B988D7F76E2dA5bafA7f9dE',
    toAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    amount: '49',
    amountInUSD: '49.00',
    confirmations: 12,
    confirmationRequired: 12,
    status: 'applied',
    reason: null,
    waits: null,
    waitsBecause: null,
    referenceID: reference(1),
    memberID: 5,
    externalPlatformID: 7,
    ...more,
  }
}

/** A payment as it comes over the wire, with what the server offers for it. */
export function wireDetail(payment: PaymentDetail): unknown {
  return encode(PaymentDetail, { ...payment, offers: offersFor(payment) })
}

/** A row of the list. */
export function paymentRow(more: Partial<PaymentRow> = {}): PaymentRow {
  return {
    projectName: 'Acme',
    referenceId: reference(1),
    paymentStatus: 'OPEN',
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    invoiceId: '',
    customerId: '1001',
    email: 'a@example.com',
    amountInUSD: 49,
    createdBy: 'user',
    exact: { amountInUSD: '49.00', amountDueInUSD: '49.00' },
    late: false,
    needsAttention: false,
    fundingState: 'none',
    externalPlatformID: 7,
    id: 1,
    ...more,
  }
}

/** The server's columns that the list draws, in the server's order, and one it does not know. */
const ATTRIBUTES: PaymentPage['attributes'] = [
  { displayName: 'Project Name', key: 'projectName', sortBy: 'project_name' },
  { displayName: 'Payment Status', key: 'paymentStatus', sortBy: 'payment_status' },
  { displayName: 'Currency', key: 'currency', sortBy: 'currency' },
  { displayName: 'Created At', key: 'createdAt', sortBy: 'created_at' },
  { displayName: 'Email', key: 'email', sortBy: 'email' },
  { displayName: 'Amount in USD', key: 'amountInUSD', sortBy: 'amount_in_usd' },
  { displayName: 'Filled Amount in USD', key: 'filledAmountInUSD' },
  { displayName: 'Webhook Status', key: 'webhookStatus' },
]

/** Whether a search only asks how many payments need attention, as the views and the bell do. */
export function isCount({ body }: { readonly body: unknown }): boolean {
  return JSON.stringify(body) === '{"paymentStatus":["NEEDS_ATTENTION"],"limit":1}'
}

/** A page of the list as it comes over the wire. */
export function wirePage(rows: readonly PaymentRow[], more: Partial<PaymentPage> = {}): unknown {
  const page = {
    data: [...rows],
    totalCount: rows.length,
    attributes: ATTRIBUTES,
    nextCursor: null,
    prevCursor: null,
    totalIsEstimate: false,
  }
  return encode(PaymentPage, { ...page, ...more })
}

/** What making a link is answered with. */
export function wireCreated(more: Partial<PaymentCreated> = {}): unknown {
  return encode(PaymentCreated, {
    reference_id: reference(1),
    url: `http://localhost:8080/payments?reference_id=${reference(1)}&host=http://localhost:8080`,
    host: 'http://localhost:8080',
    expiresAt: after(900),
    superseded: [],
    ...more,
  })
}
