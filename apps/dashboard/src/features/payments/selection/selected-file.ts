import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'

import { csvLine } from '../../../lib/csv.ts'
import { utcIso } from '../../../lib/time.ts'

/** The columns of the whole list's export that a row of it knows. */
const COLUMNS: readonly (readonly [head: string, cell: (row: PaymentRow) => string | undefined])[] = [
  ['projectName', ({ projectName }) => projectName],
  ['referenceID', ({ referenceId }) => referenceId],
  ['transactionHash', ({ txHash }) => txHash],
  ['fromAddress', ({ fromAddress }) => fromAddress],
  ['toAddress', ({ toAddress }) => toAddress],
  ['paymentStatus', ({ paymentStatus }) => paymentStatus],
  ['currency', ({ currency }) => currency],
  ['network', ({ network }) => network],
  ['createdAt', ({ createdAt }) => utcIso(createdAt)],
  ['updatedAt', ({ updatedAt }) => utcIso(updatedAt)],
  ['invoiceID', ({ invoiceId }) => invoiceId],
  ['customerID', ({ customerId }) => customerId],
  ['email', ({ email }) => email],
  ['amountInUSD', ({ exact }) => exact.amountInUSD],
  ['amount', ({ exact }) => exact.amount],
  ['filledAmountInUSD', ({ exact }) => exact.filledAmountInUSD],
  ['filledAmount', ({ exact }) => exact.filledAmount],
  ['webhookStatus', ({ webhookStatus }) => webhookStatus],
  ['createdBy', ({ createdBy }) => createdBy],
]

/** Returns the picked rows as CSV: exact amounts, times in UTC, no cell that a spreadsheet takes for a formula. */
export function selectedFile(rows: readonly PaymentRow[]): Blob {
  const lines = rows.map((row) => csvLine(COLUMNS.map(([, cell]) => cell(row) ?? '')))
  return new Blob([csvLine(COLUMNS.map(([head]) => head)), ...lines], { type: 'text/csv' })
}
