import * as z from 'zod/mini'

import { exportInput } from '../kit/exports.ts'
import { pageInput, spanInput } from '../kit/paging.ts'

export const BalancesQuery = z.object({
  /** The balances as they were then; now when absent. */
  asOf: z.optional(z.string()),
  timezone: spanInput.timezone,
})

export const EntriesQuery = z.object({
  ...pageInput,
  ...spanInput,
  /** Entries that touch an account of this kind, such as `project:balance`. */
  account: z.optional(z.string()),
  /** Entries of the deposits of one payment. */
  referenceID: z.optional(z.string()),
  /** Entries of one payout. */
  withdrawalID: z.optional(z.string()),
})

export type EntriesQuery = z.output<typeof EntriesQuery>

export const LedgerExportQuery = z.object({ ...spanInput, ...exportInput })
