import * as z from 'zod/mini'

import { dec, int, ts, usd, uuid } from '../kit/codecs.ts'
import { exportColumns, exportInput } from '../kit/exports.ts'
import { pageInput } from '../kit/paging.ts'
import { PaymentSearch } from './inputs.ts'
import { paymentMachine } from './machine.ts'

const absent = z.nullable

/** A row of the exported payments, version 1 of its columns: those of the search, with every amount exact. */
export const PaymentExportRow = z.object({
  projectName: z.string(),
  blockHeight: absent(int),
  referenceID: uuid,
  transactionHash: absent(z.string()),
  fromAddress: absent(z.string()),
  toAddress: absent(z.string()),
  paymentStatus: z.enum(paymentMachine.states),
  currency: absent(z.string()),
  network: absent(z.string()),
  createdAt: ts,
  updatedAt: ts,
  invoiceID: z.string(),
  customerID: z.string(),
  email: z.string(),
  amountInUSD: usd,
  amount: absent(dec),
  filledAmountInUSD: absent(usd),
  filledAmount: absent(dec),
  webhookStatus: absent(z.string()),
  createdBy: z.enum(['user', 'system']),
  transactionTimestamp: absent(ts),
  /** With `dateField=paid`: the final deposits of the payment within the dates. */
  paidInUSD: absent(usd),
})

export type PaymentExportRow = z.output<typeof PaymentExportRow>

/** The columns a file can have, in the order of all of them. */
export const PAYMENT_EXPORT_COLUMNS = Object.keys(PaymentExportRow.shape) as readonly (keyof PaymentExportRow)[]

const PAGING = Object.fromEntries(Object.keys(pageInput).map((key) => [key, true])) as Record<
  keyof typeof pageInput,
  true
>

/** The filters of the search; the file holds all that match, oldest first, in the columns named, in their order. */
export const PaymentExportQuery = z.extend(z.omit(PaymentSearch, PAGING), {
  ...exportInput,
  columns: exportColumns(PAYMENT_EXPORT_COLUMNS),
})

export type PaymentExportQuery = z.output<typeof PaymentExportQuery>
