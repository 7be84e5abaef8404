/** The lines of a CSV file as links to create: their values, and what is wrong with them. */
import { OperatorNewPayment } from '@kassa/contract/payments/inputs.ts'
import { t } from '@lingui/core/macro'

import type { NewPaymentLink } from '../../../api/payments.ts'
import { bareAmount, CENTS, dollarErrors, wireAmount } from '../../../lib/text/amount-text.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { tooLittle } from '../create/minimum-amount.ts'

/** The columns of the template; a file may have them in any order and leave out all but the first. */
export const COLUMNS = [
  'amountInUSD',
  'customerEmail',
  'customerID',
  'invoiceID',
  'description',
  'expiresInMinutes',
] as const

export type ColumnName = (typeof COLUMNS)[number]

export type LinkValues = Readonly<Record<ColumnName, string>>

export type LinkRow = {
  /** The number of its first line in the file. */
  readonly line: number
  readonly values: LinkValues
  readonly errors: Readonly<Record<string, string>>
}

/** What a project requires of every link. */
export type LinkRules = {
  readonly isEmailRequired: boolean
  /** The least amount in dollars that some payment method of the project accepts; null when it is not known. */
  readonly leastAmount: string | null
}

/** Returns a row with what is wrong in it; the texts are the contract's. */
export function checkedRow(line: number, values: LinkValues, { isEmailRequired, leastAmount }: LinkRules): LinkRow {
  const { amountInUSD, customerEmail, customerID } = values
  const short = tooLittle(dollarsOf(amountInUSD), leastAmount)
  const isNobody = customerEmail === '' && customerID === ''
  const errors = {
    ...(short !== undefined && { amountInUSD: short }),
    ...fieldErrors(OperatorNewPayment, { ...linkOfRow(values), ...(amountInUSD === '' && { amountInUSD: undefined }) }),
    ...dollarErrors({ amountInUSD: dollarsOf(amountInUSD) }, ['amountInUSD']),
    ...((isNobody || (isEmailRequired && customerEmail === '')) && { customerEmail: t`Customer e-mail is required` }),
  }
  return { line, values, errors }
}

/** Whether a row needs this value, with its other values unchanged. */
export function isNeeded(name: ColumnName, values: LinkValues, rules: LinkRules): boolean {
  return checkedRow(0, { ...values, [name]: '' }, rules).errors[name] !== undefined
}

/** Returns the request for a row. */
export function linkOfRow(values: LinkValues): NewPaymentLink {
  const { amountInUSD, customerEmail, customerID, invoiceID, description, expiresInMinutes } = values
  return {
    amountInUSD: dollarsOf(amountInUSD),
    customerID: customerID === '' ? customerEmail.toLowerCase() : customerID,
    ...(customerEmail !== '' && { customerEmail }),
    ...(invoiceID !== '' && { invoiceID }),
    ...(description !== '' && { description }),
    ...(expiresInMinutes !== '' && { expiresInMinutes: Number(expiresInMinutes) }),
  }
}

/** Spreadsheets write "$1,234.50" for an amount; "1,50" is left to be refused, because it is ambiguous. */
function dollarsOf(text: string): string {
  return wireAmount(bareAmount(text, 'USD'), CENTS)
}

/** Returns how many customers more than one row is for. */
export function repeatedCustomers(rows: readonly LinkRow[]): number {
  const times = new Map<string, number>()
  for (const { values } of rows) {
    const { customerID } = linkOfRow(values)
    times.set(customerID ?? '', (times.get(customerID ?? '') ?? 0) + 1)
  }
  return [...times.values()].filter((often) => often > 1).length
}
