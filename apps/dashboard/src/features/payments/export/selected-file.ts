import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'

import { csvLine } from '../../../lib/csv.ts'
import { utcIso } from '../../../lib/time/time.ts'
import type { ExportColumn } from '../columns/export-columns.ts'

type Cell = (row: PaymentRow) => string | undefined

/** The columns of the whole list's export, from a row of it. */
const CELLS: Readonly<Record<ExportColumn, Cell>> = {
  projectName: ({ projectName }) => projectName,
  blockHeight: ({ blockId }) => blockId?.toString(),
  referenceID: ({ referenceId }) => referenceId,
  transactionHash: ({ txHash }) => txHash,
  fromAddress: ({ fromAddress }) => fromAddress,
  toAddress: ({ toAddress }) => toAddress,
  paymentStatus: ({ paymentStatus }) => paymentStatus,
  currency: ({ currency }) => currency,
  network: ({ network }) => network,
  createdAt: ({ createdAt }) => utcIso(createdAt),
  updatedAt: ({ updatedAt }) => utcIso(updatedAt),
  invoiceID: ({ invoiceId }) => invoiceId,
  customerID: ({ customerId }) => customerId,
  email: ({ email }) => email,
  amountInUSD: ({ exact }) => exact.amountInUSD,
  amount: ({ exact }) => exact.amount,
  filledAmountInUSD: ({ exact }) => exact.filledAmountInUSD,
  filledAmount: ({ exact }) => exact.filledAmount,
  webhookStatus: ({ webhookStatus }) => webhookStatus,
  createdBy: ({ createdBy }) => createdBy,
  transactionTimestamp: ({ trxTimestamp }) => trxTimestamp && utcIso(trxTimestamp),
  paidInUSD: ({ exact }) => exact.paidInUSD,
}

/** Returns the picked rows as CSV: exact amounts, times in UTC, no cell that a spreadsheet takes for a formula. */
export function selectedFile(rows: readonly PaymentRow[], columns: readonly ExportColumn[]): Blob {
  const lines = rows.map((row) => csvLine(columns.map((column) => CELLS[column](row) ?? '')))
  return new Blob([csvLine(columns), ...lines], { type: 'text/csv' })
}
