import type { Customer } from '@kassa/contract/customers/schemas.ts'
import { OperatorNewPayment } from '@kassa/contract/payments/inputs.ts'
import { Readiness } from '@kassa/contract/payments/readiness.ts'
import { OpenLink } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { safeParse } from 'zod/mini'

import { asRequestError } from '../../../api/request-error.ts'
import { formFailure } from '../../../api/form-failure.ts'
import type { NewPaymentLink } from '../../../api/payments.ts'
import { dollarErrors } from '../../../lib/text/amount-text.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import type { SelectOption } from '../../../ui/fields/Select.tsx'

/** What the form holds: text as typed. */
export type LinkValues = {
  readonly projectId: string
  readonly amountInUSD: string
  readonly customerEmail: string
  readonly customerID: string
  readonly invoiceID: string
  readonly description: string
  /** Minutes; empty for the project's own lifetime. */
  readonly expiresInMinutes: string
  /** `BASE/USDC`; empty when the customer chooses. */
  readonly asset: string
}

export type LinkErrors = { readonly [Name in keyof LinkValues]?: string }

export const EMPTY_LINK: LinkValues = {
  projectId: '',
  amountInUSD: '',
  customerEmail: '',
  customerID: '',
  invoiceID: '',
  description: '',
  expiresInMinutes: '',
  asset: '',
}

/** Whether two forms ask for the same link. */
export function isSameLink(one: LinkValues | undefined, other: LinkValues): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Whether a form holds what it did not start with; the project alone is chosen again with one press. */
export function hasMore(values: LinkValues, start: LinkValues): boolean {
  return !isSameLink({ ...start, projectId: '' }, { ...values, projectId: '' })
}

/** Returns how long a link may live, for choosing; the project's own lifetime is the default. */
export function lifetimes(): readonly SelectOption[] {
  return [
    { value: '', label: t`The project’s default` },
    { value: '30', label: t`30 minutes` },
    { value: '60', label: t`1 hour` },
    { value: '1440', label: t`1 day` },
    { value: '10080', label: t`7 days` },
  ]
}

/**
 * Returns what the form would refuse before anything is sent; the texts are the contract's. `isEmailRequired`: whether every
 * link of the project names a customer.
 */
export function linkErrors(values: LinkValues, isEmailRequired: boolean): LinkErrors {
  const { amountInUSD, customerEmail, projectId } = values
  const sent = { ...linkOf(values), ...(amountInUSD === '' && { amountInUSD: undefined }) }
  return {
    ...fieldErrors(OperatorNewPayment, sent),
    ...dollarErrors(values, ['amountInUSD']),
    ...(customerEmail === '' && isEmailRequired && { customerEmail: t`Customer e-mail is required` }),
    ...(projectId === '' && { projectId: t`Project is required` }),
  }
}

/**
 * Returns what is sent. A customer the project knows by the e-mail is named by its id; a new one without an id of the
 * merchant's own is known by its e-mail. Without either the server makes one.
 */
export function linkOf(values: LinkValues, known?: Customer | null): NewPaymentLink {
  const { amountInUSD, customerEmail, invoiceID, description, expiresInMinutes, asset } = values
  const [blockchainCode, currencyCode] = asset.split('/')
  return {
    amountInUSD,
    ...customerOf(values, known),
    ...(customerEmail !== '' && { customerEmail }),
    ...(invoiceID !== '' && { invoiceID }),
    ...(description !== '' && { description }),
    ...(expiresInMinutes !== '' && { expiresInMinutes: Number(expiresInMinutes) }),
    ...(asset !== '' && { blockchainCode, currencyCode }),
  }
}

function customerOf({ customerID, customerEmail }: LinkValues, known: Customer | null | undefined) {
  if (customerID !== '') return { customerID }
  if (customerEmail === '') return {}
  return known ? { memberID: known.id } : { customerID: customerEmail.toLowerCase() }
}

/** Refusals that one field can correct. */
const FIELD_OF_CODE: Readonly<Record<string, keyof LinkValues>> = {
  AMOUNT_OUT_OF_RANGE: 'amountInUSD',
  INVOICE_EXISTS: 'invoiceID',
  CUSTOMER_BLOCKED: 'customerEmail',
  CUSTOMER_NOT_FOUND: 'customerEmail',
  ASSET_NOT_ACCEPTED: 'asset',
  RATE_UNAVAILABLE: 'asset',
  NO_DEPOSIT_ADDRESS: 'asset',
}

export type LinkFailure = {
  readonly fields: LinkErrors
  /** What to say above the form. */
  readonly text?: string
  /** What the project lacks. */
  readonly missing?: Readiness['missing']
  /** The customer's link that stands in the way until the form may replace it. */
  readonly open?: OpenLink
}

/** Sorts why no link was made: texts for fields, what the project lacks, an open link, one sentence for the rest. */
export function linkFailure(thrown: unknown, { asset }: LinkValues): LinkFailure {
  const error = asRequestError(thrown)
  const field = FIELD_OF_CODE[error.code]
  // Where the customer chooses the asset it is nothing this form could correct.
  if (field !== undefined && (field !== 'asset' || asset !== '')) return { fields: { [field]: error.message } }
  const missing = safeParse(Readiness.shape.missing, error.data.missing)
  if (error.code === 'PROJECT_NOT_READY' && missing.success) return { fields: {}, missing: missing.data }
  const open = safeParse(OpenLink, error.data)
  if (error.code === 'CUSTOMER_HAS_OPEN_LINK' && open.success) return { fields: {}, open: open.data }
  return formFailure(thrown, Object.keys(EMPTY_LINK))
}
