import { randomBytes } from 'node:crypto'
import type { NewPayment } from '@kassa/contract/payments/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { uuidv7 } from '@kassa/primitives/ids.ts'
import { type Context, inTransaction } from '../../../context.ts'
import {
  addCustomer,
  type Customer,
  ensureCustomer,
  type EnsuredCustomer,
  findCustomerByMerchantId,
  getCustomer,
  lockCustomers,
} from '../../customers/service.ts'
import { getProject, type PaymentPolicy, paymentPolicy, type ProjectRow } from '../../projects/service.ts'
import { requireReadiness } from '../readiness/check-readiness.ts'
import {
  claimInvoice,
  findOpenLink,
  hasLiveInvoice,
  insertPayment,
  moveSuperseded,
  type NewPaymentRow,
} from './store.ts'
import type { Payment } from '../payment/payment.ts'
import { pinNewPayment } from '../quotes/service.ts'
import { linkTo } from '../payment/links.ts'
import { listPayments } from '../payment/store.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import { emitPaymentEvent, eventOf } from '../funding/payment-events.ts'
import type { PaymentCreated } from '@kassa/contract/payments/schemas.ts'

/** What is asked for, by a merchant's server or by an operator. */
export type PaymentRequest = Omit<NewPayment, 'customerID' | 'replace'> & {
  /** Whether it may end the customer's open link, where the policy is `one`. */
  readonly replace: boolean
  readonly customerID?: string | undefined
  /** A customer the project has already; an operator may name it so. */
  readonly memberID?: number | undefined
}

type PaymentAsset = Pick<PaymentRequest, 'blockchainCode' | 'currencyCode'>

export type CreatedPayment = {
  readonly payment: Payment
  /** Where the customer pays. */
  readonly url: string
  readonly host: string
  /** References of the customer's older links that this one replaced. */
  readonly superseded: readonly string[]
}

const MINUTE_MS = 60_000

/**
 * Creates a payment link. With the policy `one`, the customer's older links without money end with it, and are named, or the
 * link is refused where the request does not let it replace them.
 * @throws PROJECT_NOT_READY, CUSTOMER_BLOCKED, CUSTOMER_HAS_OPEN_LINK, CUSTOMER_NOT_FOUND, AMOUNT_OUT_OF_RANGE, INVOICE_EXISTS, VALIDATION_FAILED,
 * and as `pinPayment` when an asset is named
 */
export async function createPayment(ctx: Context, projectId: number, request: PaymentRequest): Promise<CreatedPayment> {
  const project = await getProject(ctx, projectId)
  const policy = await paymentPolicy(ctx, projectId)
  await requireReadiness(ctx, projectId)
  requireAmount(request.amountInUSD, policy)
  return inTransaction(ctx, async (tx) => {
    const customer = await customerFor(tx, projectId, request, policy)
    if (customer.state === 'blocked') return fail('CUSTOMER_BLOCKED')
    const isUnique = policy.uniqueInvoiceID && Boolean(request.invoiceID)
    if (isUnique) await requireFreeInvoice(tx, projectId, request.invoiceID ?? '')
    const isOnlyOne = policy.openPaymentsPerCustomer === 'one' && !customer.is_new
    if (isOnlyOne && !request.replace) await requireNoOpenLink(tx, customer.id)
    const draft = rowOf(tx, { projectId, customer, request, policy })
    const made = await insertCreated(tx, draft, newPayment(draft, project, customer))
    if (isUnique) await requireClaim(tx, draft, made.id)
    const superseded = isOnlyOne && request.replace ? await supersede(tx, customer.id, made.id) : []
    return { payment: await pinned(tx, made, request), ...(await linkTo(tx, project, made.reference)), superseded }
  })
}

/** Whether a request leaves it to the payer how to pay: then many are made by the same few statements. */
export function isWithoutAsset({ blockchainCode, currencyCode }: PaymentAsset): boolean {
  return !blockchainCode && !currencyCode
}

/** Inserts a payment and emits `payment.created`. */
async function insertCreated(ctx: Context, row: NewPaymentRow, payment: Omit<Payment, 'id'>): Promise<Payment> {
  const event = eventOf(ctx, payment, 'payment.created', { deposits: [], tips: new Map(), previousStatus: 'OPEN' })
  const { id } = await ctx.events.emitWithin(ctx, { ...event, sequence: 1 }, (created) =>
    insertPayment(ctx, { payment: row, created }),
  )
  return { ...payment, id }
}

/** A new payment, and the first columns of its row. */
function newPayment(row: NewPaymentRow, project: ProjectRow, customer: Customer): Omit<Payment, 'id'> {
  const { reference, createdBy, description, metadata, successUrl, cancelUrl, expiresAt, createdAt } = row
  return {
    ...{ reference, createdBy, description, metadata, successUrl, cancelUrl, expiresAt, createdAt },
    ...BEGINNING,
    invoiceId: row.invoiceId || reference,
    amountUsd: usdOf(row.amountUsd),
    updatedAt: createdAt,
    project: {
      id: project.id,
      name: project.name,
      successEndpoint: project.success_endpoint,
      cancelEndpoint: project.cancel_endpoint,
      supportEmail: project.support_email,
    },
    customer: { id: customer.id, customerId: customer.customer_id, email: customer.email },
  }
}

const BEGINNING = {
  status: 'OPEN',
  fundingState: 'none',
  cancelReason: null,
  late: false,
  seenUnits: 0n,
  filledUnits: 0n,
  overUnits: 0n,
  filledUsd: usdOf('0'),
  acceptance: null,
  resolved: null,
  supersededBy: null,
  rateLockedUntil: null,
  quote: null,
} as const

async function pinned(
  ctx: Context,
  payment: Payment,
  { blockchainCode, currencyCode }: PaymentAsset,
): Promise<Payment> {
  if (isWithoutAsset({ blockchainCode, currencyCode })) return payment
  if (!blockchainCode) return refuseField('blockchainCode', 'Blockchain is required')
  const choice = { blockchainCode, currencyCode: currencyCode || null }
  return (await pinNewPayment(ctx, payment, choice)).payment
}

/** The customer is locked, so no other link is opened between this check and the insert. */
async function requireNoOpenLink(ctx: Context, customerId: number): Promise<void> {
  const open = await findOpenLink(ctx, customerId)
  if (!open) return
  fail('CUSTOMER_HAS_OPEN_LINK', {
    values: { reference: open.reference },
    details: `Use the link ${open.reference}, or send "replace": true to cancel it and make another.`,
    data: { referenceID: open.reference, amountInUSD: usd(usdOf(open.amountUsd)), openLinks: open.count },
  })
}

/** Ends the customer's older links; one with a seen deposit stays open. */
async function supersede(ctx: Context, customerId: number, by: bigint): Promise<string[]> {
  const counts = await moveSuperseded(ctx, { customerId, by })
  const payments = await listPayments(ctx, [...counts.keys()])
  for (const payment of payments) {
    const sequence = counts.get(payment.id) ?? fail('INTERNAL_ERROR')
    await emitPaymentEvent(ctx, payment, 'payment.cancelled', { previousStatus: 'OPEN', sequence })
  }
  return payments.map(({ reference }) => reference)
}

/** Finds or creates the customer and locks it, so that of two concurrent creates one sees the other's payment. */
async function customerFor(
  ctx: Context,
  projectId: number,
  { memberID, customerID, customerEmail }: PaymentRequest,
  policy: PaymentPolicy,
): Promise<EnsuredCustomer> {
  if (memberID !== undefined) {
    await lockCustomers(ctx, [memberID])
    const customer = await getCustomer(ctx, memberID)
    return customer.project_id === projectId ? { ...customer, is_new: false } : fail('CUSTOMER_NOT_FOUND')
  }
  if (!customerID && !customerEmail && ctx.caller.kind === 'operator' && !policy.customerEmailRequired) {
    // Nobody says who pays, and the policy lets that be: each such link has a customer of its own.
    return { ...(await addCustomer(ctx, projectId, { email: '' })), is_new: true }
  }
  if (!customerID) return refuseField('customerID', 'Customer ID is required')
  const email = customerEmail || (await storedEmail(ctx, projectId, customerID))
  if (email === '' && policy.customerEmailRequired) return refuseField('customerEmail', 'Customer e-mail is required')
  return ensureCustomer(ctx, { projectId, customerId: customerID, email })
}

/** The e-mail to store. An operator need not know it; a merchant's server sends it each time. */
async function storedEmail(ctx: Context, projectId: number, customerId: string): Promise<string> {
  if (ctx.caller.kind === 'key') return ''
  return (await findCustomerByMerchantId(ctx, projectId, customerId))?.email ?? ''
}

function requireAmount(amount: string, { minAmountInUSD: min, maxAmountInUSD: max }: PaymentPolicy): void {
  const asked = usdOf(amount)
  if (asked >= usdOf(min) && (max === null || asked <= usdOf(max))) return
  fail('AMOUNT_OUT_OF_RANGE', { values: { min: `$${min}`, max: max === null ? 'any amount' : `$${max}` } })
}

/** Payments created before the project required unique ids have no claim, so they are checked too. */
async function requireFreeInvoice(ctx: Context, projectId: number, invoiceId: string): Promise<void> {
  if (await hasLiveInvoice(ctx, projectId, invoiceId)) fail('INVOICE_EXISTS')
}

async function requireClaim(ctx: Context, { projectId, invoiceId }: NewPaymentRow, paymentId: bigint): Promise<void> {
  if (!(await claimInvoice(ctx, { projectId, invoiceId, paymentId }))) fail('INVOICE_EXISTS')
}

type Draft = { projectId: number; customer: EnsuredCustomer; request: PaymentRequest; policy: PaymentPolicy }

/** A customer who was created for this payment gets its time as the time of their first payment. */
function rowOf(ctx: Context, { projectId, customer, request, policy }: Draft) {
  const now = customer.is_new ? customer.created_at : ctx.now()
  const { caller } = ctx
  const minutes = request.expiresInMinutes ?? policy.linkLifetimeMinutes
  return {
    reference: uuidv7(now.getTime(), randomBytes(10)),
    projectId,
    customerId: customer.id,
    invoiceId: request.invoiceID ?? '',
    amountUsd: request.amountInUSD,
    createdBy: caller.kind === 'operator' ? ('user' as const) : ('system' as const),
    operatorId: caller.kind === 'operator' ? caller.operatorId : null,
    keyId: caller.kind === 'key' ? caller.keyId : null,
    description: request.description ?? '',
    metadata: request.metadata ?? {},
    successUrl: request.successURL || null,
    cancelUrl: request.cancelURL || null,
    expiresAt: new Date(now.getTime() + minutes * MINUTE_MS),
    createdAt: now,
  }
}

function refuseField(field: string, message: string): never {
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}

/** A link as its creator receives it. */
export function createdView({ payment, url, host, superseded }: CreatedPayment): PaymentCreated {
  return { reference_id: payment.reference, url, host, expiresAt: payment.expiresAt, superseded: [...superseded] }
}
