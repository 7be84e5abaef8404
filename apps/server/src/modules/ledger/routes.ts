import type { EntriesQuery } from '@kassa/contract/ledger/inputs.ts'
import type { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import type { Price } from '@kassa/primitives/money/rate.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/handlers.ts'
import { exportJournal, listJournal, readAsOf } from './read-journal.ts'
import { showBalances } from './show-balances.ts'

/** What these routes need from other modules; `app.ts` passes it in. */
export type LedgerLookups = {
  /** The current prices that enough sources agree on, by asset. */
  readonly currentPrices: (ctx: Context) => Promise<ReadonlyMap<number, Price>>
  /** The prefixes of entry sources for a query by payment or payout; undefined when the query names neither. */
  readonly sourcesOf: (ctx: Context, query: EntriesQuery) => Promise<readonly string[] | undefined>
}

export function ledgerHandlers({ currentPrices, sourcesOf }: LedgerLookups): Handlers<typeof ledgerRoutes> {
  return {
    listBalances: async (ctx, { scope, query }) => {
      const asOf = readAsOf(query)
      return showBalances(ctx, scope.projectIds, asOf ? { asOf } : { prices: await currentPrices(ctx) })
    },
    listEntries: async (ctx, { scope, query }) =>
      listJournal(ctx, scope.projectIds, { ...query, sources: await sourcesOf(ctx, query) }),
    exportLedger: async (ctx, { scope, query }) => exportJournal(ctx, scope.projectIds, query),
  }
}
