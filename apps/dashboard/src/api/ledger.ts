import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** Reading the last check costs one row. */
const EVERY_MS = 30_000

/** Whether the books balance and agree with the blockchains, as of the last check. */
export const ledgerCheckQuery = queryOptions({
  queryKey: ['ledger', 'check'],
  queryFn: ({ signal }) => call(reconciliationRoutes.checkLedger, {}, { signal }),
  refetchInterval: EVERY_MS,
})
