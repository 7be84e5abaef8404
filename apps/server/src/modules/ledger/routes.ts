import type { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { exportJournal, listJournal, readTime } from './read-journal.ts'
import { showBalances } from './show-balances.ts'

export const ledgerHandlers: Handlers<typeof ledgerRoutes> = {
  listBalances: async (ctx, { scope, query }) => showBalances(ctx, scope.projectIds, readTime('asOf', query.asOf)),
  listEntries: (ctx, { scope, query }) => listJournal(ctx, scope.projectIds, query),
  exportLedger: async (ctx, { scope, query }) => exportJournal(ctx, scope.projectIds, query),
}
