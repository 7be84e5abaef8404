import { readAddresses, readTransactionIds } from '@kassa/chains/identifiers.ts'
import { readMoment } from '@kassa/contract/kit/moments.ts'
import type { DateRange, PaymentSearch } from '@kassa/contract/payments/inputs.ts'
import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { DELIVERY_STATUSES } from '@kassa/contract/webhooks/delivery-statuses.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'

/** The columns of the search in order (api.md Y18), and what each is sorted by. */
export const COLUMNS = [
  { displayName: 'Project Name', key: 'projectName', sortBy: 'project_name' },
  { displayName: 'Block Height', key: 'blockId', sortBy: 'block_id' },
  { displayName: 'Reference ID', key: 'referenceId', sortBy: 'reference_id' },
  { displayName: 'Transaction Hash', key: 'txHash' },
  { displayName: 'From Address', key: 'fromAddress', sortBy: 'from_address' },
  { displayName: 'To Address', key: 'toAddress', sortBy: 'to_address' },
  { displayName: 'Payment Status', key: 'paymentStatus', sortBy: 'payment_status' },
  { displayName: 'Currency', key: 'currency', sortBy: 'currency' },
  { displayName: 'Network', key: 'network', sortBy: 'network' },
  { displayName: 'Created At', key: 'createdAt', sortBy: 'created_at' },
  { displayName: 'Updated At', key: 'updatedAt', sortBy: 'updated_at' },
  { displayName: 'Invoice ID', key: 'invoiceId', sortBy: 'invoice_id' },
  { displayName: 'Customer ID', key: 'customerId', sortBy: 'customer_id' },
  { displayName: 'Email', key: 'email', sortBy: 'email' },
  { displayName: 'Amount in USD', key: 'amountInUSD', sortBy: 'amount_in_usd' },
  { displayName: 'Amount', key: 'amount' },
  { displayName: 'Filled Amount in USD', key: 'filledAmountInUSD' },
  { displayName: 'Filled Amount', key: 'filledAmount' },
  { displayName: 'Webhook Status', key: 'webhookStatus' },
  { displayName: 'Created By', key: 'createdBy', sortBy: 'created_by' },
  { displayName: 'Transaction Timestamp', key: 'trxTimestamp' },
] as const

/** What the search may be sorted by; the first is the default. */
export const SORTS = [
  'created_at',
  'updated_at',
  'project_name',
  'block_id',
  'reference_id',
  'from_address',
  'to_address',
  'payment_status',
  'currency',
  'network',
  'invoice_id',
  'customer_id',
  'email',
  'amount_in_usd',
  'created_by',
] as const

export type Sort = (typeof SORTS)[number]

/** Whether an index holds the payments of a project in this order, so that their number does not matter. */
export function isOrdered(sort: Sort): boolean {
  return sort === 'created_at' || sort === 'updated_at' || sort === 'amount_in_usd'
}

/** The most payments that are sorted by another column while a caller waits; more are refused. */
export const MOST_SORTED = 50_000

/** Up to this many matches the search counts exactly; beyond, the planner's estimate must do (api.md 1.5). */
export const EXACT_COUNT = 10_000

/**
 * The same limit for a term that begins too many payments to list their ids: each further match is searched for among the
 * newest payments.
 */
export const EXACT_TERM_COUNT = 1_000

/** One wanted state; all that it names must hold. */
export type StateFilter = {
  readonly status?: PaymentState
  readonly cancelReason?: CancelReason
  readonly funding?: readonly FundingState[]
  readonly hasMoney?: true
  readonly isLate?: true
  /** A deposit of it is quarantined. */
  readonly isOnHold?: true
  /** It is paid, and its newest event was not delivered. */
  readonly isPaidUndelivered?: true
  /** It needs attention for any reason (`attention-store.ts`). */
  readonly needsAttention?: true
}

/** What was typed: exact for ids, addresses and hashes, else the start of a word; `value` is lower case. */
export type Term = { readonly value: string } & (
  | { readonly kind: 'reference' | 'text' }
  /** `spellings`: as the families print it that it can be on. */
  | { readonly kind: 'transaction' | 'address'; readonly spellings: readonly string[] }
)

export type Span = { readonly from?: Date; readonly to?: Date }

/** Values of one filter are alternatives, different filters add up. */
export type SearchFilter = {
  readonly projectIds: readonly number[] | 'every'
  readonly term?: Term
  readonly states: readonly StateFilter[]
  readonly webhookStatuses: readonly string[]
  readonly currencies: readonly string[]
  readonly networks: readonly string[]
  readonly createdBy: readonly string[]
  readonly created: Span
  /** With `dateField=paid`: payments with a counted deposit of that time, whose currency and network are then those filtered by. */
  readonly paid?: Span
  readonly updated: Span
  readonly amountMin?: string
  readonly amountMax?: string
  readonly customerId?: string
  readonly aboveId?: number
  readonly belowId?: number
}

/** Which payments are counted by the sums of their days (UTC); an empty list names all. */
export type CountFilter = {
  readonly projectIds: readonly number[] | 'every'
  readonly created: Span
  readonly statuses?: readonly string[]
  readonly currencies?: readonly string[]
  readonly networks?: readonly string[]
}

/** Reads what a caller filters by, within the projects it may see. @throws FILTER_INVALID */
export function readFilter(input: PaymentSearch, visible: readonly number[] | 'every'): SearchFilter {
  const term = input.query?.trim()
  return {
    projectIds: narrowed(visible, input.externalPlatformIds),
    ...(term && { term: termOf(term) }),
    states: (input.paymentStatus ?? []).map(stateOf),
    webhookStatuses: (input.webhookStatus ?? []).map((word) => oneOf('webhookStatus', DELIVERY_STATUSES, word)),
    currencies: (input.currency ?? []).map((word) => findCurrency(word)?.code ?? invalid('currency')),
    networks: (input.network ?? []).map((word) => findBlockchain(word)?.code ?? invalid('network')),
    createdBy: (input.createdBy ?? []).map((word) => oneOf('createdBy', ['user', 'system'], word)),
    ...datesOf(input),
    updated: spanOf(input, ['updatedAfter'], ['updatedBefore']),
    ...(input.amountMin && { amountMin: decimal('amountMin', input.amountMin) }),
    ...(input.amountMax && { amountMax: decimal('amountMax', input.amountMax) }),
    ...(input.customerID && { customerId: input.customerID }),
    ...(input.greaterThanID !== undefined && { aboveId: input.greaterThanID }),
    ...(input.lessThanID !== undefined && { belowId: input.lessThanID }),
  }
}

/** The filter as the daily sums can answer it, or null when they cannot. */
export function asCounted(filter: SearchFilter): CountFilter | null {
  const { projectIds, states, currencies, networks, created, ...rest } = filter
  const others = Object.values<unknown>({ ...rest, ...rest.updated, updated: undefined })
  const isBeyond = others.some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0))
  const statuses = states.flatMap(({ status, ...more }) => (status && isEmpty(more) ? [status] : []))
  if (isBeyond || statuses.length < states.length) return null
  return { projectIds, created, statuses, currencies, networks }
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0
}

/** What the dates of a caller are of. @throws FILTER_INVALID */
export function readDateField({ dateField = 'created' }: DateRange): 'created' | 'paid' {
  return oneOf('dateField', ['created', 'paid'], dateField)
}

function datesOf(input: PaymentSearch): Pick<SearchFilter, 'created' | 'paid'> {
  const span = readSpan(input)
  return readDateField(input) === 'paid' ? { created: {}, paid: span } : { created: span }
}

/** The span of times a caller asks for. @throws FILTER_INVALID */
export function readSpan(input: DateRange & Partial<PaymentSearch>): Span {
  return spanOf(input, ['dateFrom', 'startDate', 'createdAfter'], ['dateTo', 'endDate', 'createdBefore'])
}

type Moments = Partial<Record<keyof PaymentSearch, unknown>>

function spanOf(
  input: Moments,
  starts: readonly (keyof PaymentSearch)[],
  ends: readonly (keyof PaymentSearch)[],
): Span {
  const timezone = typeof input.timezone === 'string' && input.timezone !== '' ? input.timezone : 'UTC'
  const read = (names: readonly (keyof PaymentSearch)[], isEnd: boolean) => {
    const name = names.find((one) => typeof input[one] === 'string' && input[one] !== '')
    return name && (readMoment(String(input[name]), { timezone, isEnd }) ?? invalid(name))
  }
  const [from, to] = [read(starts, false), read(ends, true)]
  return { ...(from && { from }), ...(to && { to }) }
}

function narrowed(visible: readonly number[] | 'every', wanted: PaymentSearch['externalPlatformIds']) {
  if (!wanted || wanted.length === 0) return visible
  const named = wanted.map((id) => (/^\d{1,9}$/.test(String(id)) ? Number(id) : invalid('externalPlatformIds')))
  // A project that is named twice is read once.
  const ids = [...new Set(named)]
  return visible === 'every' ? ids : ids.filter((id) => visible.includes(id))
}

/** Wire states, labels of the screen, payments with seen deposits, and those that need attention. */
const STATES: Readonly<Record<string, StateFilter>> = {
  OPEN: { status: 'OPEN' },
  PARTIALLY_FILLED: { status: 'PARTIALLY_FILLED' },
  PARTLY_PAID: { status: 'PARTIALLY_FILLED' },
  FILLED: { status: 'FILLED' },
  PAID: { status: 'FILLED' },
  OVER_FILLED: { status: 'OVER_FILLED' },
  OVERPAID: { status: 'OVER_FILLED' },
  CANCELLED: { status: 'CANCELLED' },
  CANCELLED_BY_MERCHANT: { status: 'CANCELLED', cancelReason: 'merchant' },
  EXPIRED: { status: 'CANCELLED', cancelReason: 'expired' },
  REPLACED: { status: 'CANCELLED', cancelReason: 'superseded' },
  CONFIRMING: { funding: ['detected', 'confirming'] },
  DEPOSIT_RECEIVED: { hasMoney: true },
  REOPENED: { funding: ['reverted'] },
  LATE: { isLate: true },
  ON_HOLD: { isOnHold: true },
  WEBHOOK_FAILED: { isPaidUndelivered: true },
  NEEDS_ATTENTION: { needsAttention: true },
  SHORT_NEEDS_ATTENTION: { status: 'PARTIALLY_FILLED', needsAttention: true },
  OVER_NEEDS_ATTENTION: { status: 'OVER_FILLED', needsAttention: true },
  LATE_NEEDS_ATTENTION: { isLate: true, needsAttention: true },
}

function stateOf(word: string): StateFilter {
  const name = word
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
  return STATES[name] ?? invalid('paymentStatus')
}

function termOf(text: string): Term {
  const value = text.toLowerCase()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return { kind: 'reference', value }
  const txIds = readTransactionIds(text).map(({ txId }) => txId)
  if (txIds.length > 0) return { kind: 'transaction', value, spellings: txIds }
  const addresses = readAddresses(text)
  return addresses.length > 0 ? { kind: 'address', value, spellings: addresses } : { kind: 'text', value }
}

function oneOf<const Values extends readonly string[]>(filter: string, values: Values, word: string): Values[number] {
  const wanted = word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  return values.find((value) => value === wanted) ?? invalid(filter)
}

function decimal(filter: string, text: string): string {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text.trim()) ? text.trim() : invalid(filter)
}

function invalid(filter: string): never {
  return fail('FILTER_INVALID', { values: { filter }, fields: { [filter]: `${filter} is not valid.` } })
}
