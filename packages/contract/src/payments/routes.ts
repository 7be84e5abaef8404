import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { PaymentExportQuery, PaymentExportRow } from './exports.ts'
import {
  AssetChoice,
  Cancellation,
  DateRange,
  Extension,
  LegacyNewPayment,
  NewPayment,
  OperatorNewPayment,
  PaymentSearch,
} from './inputs.ts'
import { Readiness } from './readiness.ts'
import {
  DepositAddress,
  LegacyPaymentCreated,
  PaymentChannel,
  PaymentCreated,
  PaymentDetail,
  PaymentOption,
  PaymentPage,
  PaymentPublic,
  PaymentSummary,
  ProjectPublic,
  WalletPublic,
} from './schemas.ts'

const reference = z.object({ ref: z.string() })
const project = z.object({ p: z.string() })
const projectPayment = z.object({ p: z.string(), ref: z.string() })

const CREATE_ERRORS = [
  'PROJECT_NOT_READY',
  'CUSTOMER_BLOCKED',
  'CUSTOMER_HAS_OPEN_LINK',
  'AMOUNT_OUT_OF_RANGE',
  'INVOICE_EXISTS',
  'ASSET_NOT_ACCEPTED',
  'RATE_UNAVAILABLE',
  'NO_DEPOSIT_ADDRESS',
] as const

/** For the merchant's own server, by project API key. */
const merchantRoutes = {
  createPayment: route({
    id: 'Y1',
    methods: ['POST'],
    paths: ['/payment'],
    summary: 'Creates a payment link.',
    // An operator's session reaches the handler only for the error that names the project key.
    access: { scope: 'payment:create' },
    rate: 'merchant-write',
    body: NewPayment,
    response: PaymentCreated,
    errors: [...CREATE_ERRORS, 'PROJECT_CONTEXT_MISSING'],
    dedupe: true,
  }),

  createLegacyPayment: route({
    id: 'Y3',
    methods: ['POST'],
    paths: ['//api/payment'],
    summary: 'Creates a payment link, in the form older clients send.',
    access: { scope: 'payment:create' },
    rate: 'merchant-write',
    body: LegacyNewPayment,
    response: LegacyPaymentCreated,
    errors: [...CREATE_ERRORS, 'PROJECT_CONTEXT_MISSING'],
    dedupe: true,
    deprecated: true,
  }),

  getPaymentDetails: route({
    id: 'Y4',
    methods: ['GET'],
    paths: ['/payment/details'],
    summary: 'One payment, in the form older clients ask.',
    access: { scope: 'payment:read' },
    rate: 'merchant-read',
    query: z.object({ referenceID: z.optional(z.string()) }),
    response: PaymentPublic,
    errors: ['REFERENCE_REQUIRED', 'PAYMENT_REFERENCE_UNKNOWN', 'PROJECT_CONTEXT_MISSING'],
    deprecated: true,
  }),

  summarizePayments: route({
    id: 'Y5',
    methods: ['GET', 'POST'],
    paths: ['/payment/summary'],
    summary: 'How many payments are open, closed and cancelled.',
    access: { scope: 'payment:read' },
    rate: 'merchant-read',
    query: DateRange,
    body: DateRange,
    response: PaymentSummary,
    errors: ['FILTER_INVALID', 'PROJECT_CONTEXT_MISSING'],
    repeatable: true,
  }),

  searchPayments: route({
    id: 'Y6',
    methods: ['POST', 'GET'],
    paths: ['/payment/search'],
    summary: 'Finds payments of the key’s project.',
    access: { scope: 'payment:read' },
    rate: 'heavy',
    query: PaymentSearch,
    body: PaymentSearch,
    response: PaymentPage,
    errors: ['FILTER_INVALID', 'SORT_TOO_BROAD', 'PROJECT_CONTEXT_MISSING'],
    repeatable: true,
  }),

  cancelPaymentByReference: route({
    id: 'Y8',
    methods: ['POST'],
    paths: ['/payment/reference/{ref}/cancel'],
    summary: 'Cancels an open payment link without money.',
    access: { scope: 'payment:cancel' },
    rate: 'merchant-write',
    params: reference,
    body: Cancellation,
    response: PaymentPublic,
    errors: ['PAYMENT_REFERENCE_UNKNOWN', 'PAYMENT_NOT_OPEN', 'PAYMENT_HAS_FUNDS', 'PROJECT_CONTEXT_MISSING'],
  }),
}

/** For the payer's page: knowing the reference is the capability. */
const checkoutRoutes = {
  getPaymentByReference: route({
    id: 'Y2',
    methods: ['GET'],
    paths: ['/payment/reference/{ref}', '/payment/reference'],
    summary: 'One payment as its payer sees it.',
    access: { reference: true, scope: 'payment:read', permission: 'payment:read' },
    rate: 'checkout-read',
    params: z.object({ ref: z.optional(z.string()) }),
    response: PaymentPublic,
    errors: ['REFERENCE_REQUIRED', 'PAYMENT_REFERENCE_UNKNOWN'],
  }),

  listPaymentOptions: route({
    id: 'Y10',
    methods: ['GET'],
    paths: ['/blockchain-currency/reference/{ref}'],
    summary: 'The currencies and networks a payment can be paid with.',
    access: { reference: true },
    rate: 'checkout-read',
    params: reference,
    response: z.array(PaymentOption),
    errors: ['PAYMENT_REFERENCE_UNKNOWN'],
  }),

  pinPayment: route({
    id: 'Y11',
    methods: ['POST'],
    paths: ['/deposit-address/reference/{ref}'],
    summary: 'Pins a payment to a currency, a network and a locked rate, and returns the address to pay to.',
    access: { reference: true },
    rate: 'checkout-write',
    params: reference,
    body: AssetChoice,
    response: DepositAddress,
    errors: [
      'PAYMENT_REFERENCE_UNKNOWN',
      'ASSET_NOT_ACCEPTED',
      'PAYMENT_NOT_OPEN',
      'PAYMENT_PINNED',
      'RATE_UNAVAILABLE',
      'NO_DEPOSIT_ADDRESS',
    ],
  }),

  listDepositAddresses: route({
    id: 'Y11',
    methods: ['GET'],
    paths: ['/deposit-address/reference/{ref}'],
    summary: 'The addresses assigned for a payment.',
    access: { reference: true },
    rate: 'checkout-read',
    params: reference,
    response: z.array(DepositAddress),
    errors: ['PAYMENT_REFERENCE_UNKNOWN'],
  }),

  getProjectByReference: route({
    id: 'Y12',
    methods: ['GET'],
    paths: ['/external-platform/reference/{ref}'],
    summary: 'The project that asks for a payment, as its payer sees it.',
    access: { reference: true },
    rate: 'checkout-read',
    params: reference,
    response: ProjectPublic,
    errors: ['PAYMENT_REFERENCE_UNKNOWN'],
  }),

  listWalletsByReference: route({
    id: 'Y13',
    methods: ['GET'],
    paths: ['/wallet/reference/{ref}', '/wallets/reference/{ref}'],
    summary: 'The deposit wallets behind a payment, without keys.',
    access: { reference: true },
    rate: 'checkout-read',
    params: reference,
    response: z.array(WalletPublic),
    errors: ['PAYMENT_REFERENCE_UNKNOWN'],
  }),

  listPaymentChannels: route({
    id: 'Y14',
    methods: ['GET'],
    paths: ['/payment-channels/reference/{ref}'],
    summary: 'The kinds of payment that are possible.',
    access: { reference: true },
    rate: 'checkout-read',
    params: reference,
    response: z.array(PaymentChannel),
    errors: ['PAYMENT_REFERENCE_UNKNOWN'],
  }),
}

/** For the dashboard. */
const dashboardRoutes = {
  createProjectPayment: route({
    id: 'Y16',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment'],
    summary: 'Creates a payment link for a project.',
    access: { permission: 'payment:create' },
    rate: 'dashboard',
    params: project,
    body: OperatorNewPayment,
    response: PaymentCreated,
    errors: [...CREATE_ERRORS, 'CUSTOMER_NOT_FOUND'],
  }),

  summarizeProjectPayments: route({
    id: 'Y17',
    methods: ['GET', 'POST'],
    paths: ['/external-platform/{p}/payment/summary'],
    summary: 'How many payments are open, closed and cancelled.',
    access: { permission: 'payment:read' },
    rate: 'dashboard',
    params: project,
    query: DateRange,
    body: DateRange,
    response: PaymentSummary,
    errors: ['FILTER_INVALID'],
    repeatable: true,
  }),

  searchProjectPayments: route({
    id: 'Y18',
    methods: ['POST', 'GET'],
    paths: ['/external-platform/{p}/payment/search'],
    summary: 'Finds payments; the server names the columns.',
    access: { permission: 'payment:read' },
    rate: 'heavy',
    params: project,
    query: PaymentSearch,
    body: PaymentSearch,
    response: PaymentPage,
    errors: ['FILTER_INVALID', 'SORT_TOO_BROAD'],
    repeatable: true,
  }),

  exportPayments: route({
    id: 'Y19',
    methods: ['GET'],
    paths: ['/external-platform/{p}/payment/export'],
    summary: 'Payments as a file, oldest first.',
    access: { permission: 'payment:export' },
    rate: 'heavy',
    params: project,
    query: PaymentExportQuery,
    response: PaymentExportRow,
    stream: 'rows',
    fileName: 'payments',
    errors: ['FILTER_INVALID'],
  }),

  getPayment: route({
    id: 'Y20',
    methods: ['GET'],
    paths: ['/external-platform/{p}/payment/{ref}'],
    summary: 'One payment from creation to webhook.',
    access: { permission: 'payment:read' },
    rate: 'dashboard',
    params: projectPayment,
    response: PaymentDetail,
    errors: ['PAYMENT_NOT_FOUND'],
  }),

  cancelPayment: route({
    id: 'Y21',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment/{ref}/cancel'],
    summary: 'Cancels an open payment link without money.',
    access: { permission: 'payment:cancel' },
    rate: 'dashboard',
    params: projectPayment,
    body: Cancellation,
    response: PaymentDetail,
    errors: ['PAYMENT_NOT_FOUND', 'PAYMENT_NOT_OPEN', 'PAYMENT_HAS_FUNDS'],
  }),

  extendPayment: route({
    id: 'Y34',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment/{ref}/extend'],
    summary:
      'Moves the end of an open payment link to a later time, at most a week from now. The locked rate ends as before.',
    access: { permission: 'payment:create' },
    rate: 'dashboard',
    params: projectPayment,
    body: Extension,
    response: PaymentDetail,
    errors: ['PAYMENT_NOT_FOUND', 'PAYMENT_NOT_OPEN', 'PAYMENT_HAS_FUNDS'],
  }),

  remindCustomer: route({
    id: 'Y31',
    methods: ['POST'],
    paths: ['/external-platform/{p}/payment/{ref}/remind'],
    summary:
      'Mails the customer of an open payment without money its one reminder now, whatever the policy of the project.',
    access: { permission: 'payment:create' },
    rate: 'egress',
    params: projectPayment,
    response: PaymentDetail,
    errors: [
      'PAYMENT_NOT_FOUND',
      'PAYMENT_NOT_OPEN',
      'PAYMENT_HAS_FUNDS',
      'RESOLUTION_NOT_POSSIBLE',
      'SMTP_NOT_CONFIGURED',
    ],
  }),

  getReadiness: route({
    id: 'P7',
    methods: ['GET'],
    paths: ['/external-platform/{p}/readiness'],
    summary: 'Whether a project can take payments, and what is missing.',
    access: { permission: 'project:read' },
    rate: 'dashboard',
    params: project,
    response: Readiness,
    errors: [],
  }),
}

export const paymentsRoutes = { ...merchantRoutes, ...checkoutRoutes, ...dashboardRoutes }

/** Apart, because the module for live updates serves it. */
export const paymentStreamRoutes = {
  streamPayment: route({
    id: 'Y7',
    methods: ['GET'],
    paths: ['/payment/reference/{ref}/stream'],
    summary: 'Streams every change of a payment to the payer’s page.',
    access: { reference: true },
    rate: 'checkout-read',
    params: reference,
    response: PaymentPublic,
    errors: ['PAYMENT_REFERENCE_UNKNOWN'],
    stream: 'events',
  }),
}
