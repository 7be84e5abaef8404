import type { PaymentExportRow } from '@kassa/contract/payments/exports.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import type { Layout } from '../views/payment-views.ts'
import { shownByItself } from './payment-columns.tsx'

/** A column of an exported file. */
export type ExportColumn = keyof PaymentExportRow

/** What a file has for a column of the table: its value, and what the table's cell shows beside it. */
const COLUMNS: Readonly<Record<string, readonly ExportColumn[]>> = {
  projectName: ['projectName'],
  blockId: ['blockHeight'],
  referenceId: ['referenceID'],
  txHash: ['transactionHash'],
  fromAddress: ['fromAddress'],
  toAddress: ['toAddress'],
  paymentStatus: ['paymentStatus'],
  currency: ['currency', 'network'],
  network: ['network'],
  createdAt: ['createdAt'],
  updatedAt: ['updatedAt'],
  invoiceId: ['invoiceID'],
  customerId: ['customerID'],
  email: ['email', 'customerID'],
  amountInUSD: ['amountInUSD'],
  amount: ['amount', 'currency'],
  filledAmountInUSD: ['filledAmountInUSD'],
  filledAmount: ['filledAmount', 'currency'],
  webhookStatus: ['webhookStatus'],
  createdBy: ['createdBy'],
  trxTimestamp: ['transactionTimestamp'],
}

/** Returns the columns of a file that follows the table: those it shows, in their order. */
export function exportColumns({ columns }: Layout, projectId: string): ExportColumn[] {
  const shown = columns ?? shownByItself(projectId === ALL_PROJECTS)
  return [...new Set(shown.flatMap((key) => COLUMNS[key] ?? []))]
}
