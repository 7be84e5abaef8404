import * as z from 'zod/mini'

import { exportInput } from '../kit/exports.ts'
import { pageInput } from '../kit/paging.ts'

const span = { dateFrom: z.optional(z.string()), dateTo: z.optional(z.string()) }

export const BalancesQuery = z.object({
  /** The balances as they were then; now when absent. */
  asOf: z.optional(z.string()),
})

export const EntriesQuery = z.object({
  ...pageInput,
  ...span,
  /** Entries that touch an account of this kind, such as `project:balance`. */
  account: z.optional(z.string()),
  /** Entries of the deposits of one payment. */
  referenceID: z.optional(z.string()),
})

export type EntriesQuery = z.output<typeof EntriesQuery>

export const LedgerExportQuery = z.object({ ...span, ...exportInput })
