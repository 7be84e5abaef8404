import type { EntriesQuery } from '@kassa/contract/ledger/inputs.ts'
import type { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import type { Price } from '@kassa/primitives/money/rate.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/handlers.ts'
import { exportJournal, listJournal, readTime } from './read-journal.ts'
import { showBalances } from './show-balances.ts'

/** What a reader of the ledger asks that other modules know; `app.ts` hands it in. */
export type LedgerLookups = {
  /** The trustworthy prices of now, by asset. */
  readonly currentPrices: (ctx: Context) => Promise<ReadonlyMap<number, Price>>
  /** How the sources of the entries start that a query names by another noun; undefined when it names none. */
  readonly sourcesOf: (ctx: Context, query: EntriesQuery) => Promise<readonly string[] | undefined>
}

export function ledgerHandlers({ currentPrices, sourcesOf }: LedgerLookups): Handlers<typeof ledgerRoutes> {
  return {
    listBalances: async (ctx, { scope, query }) => {
      const asOf = readTime('asOf', query.asOf)
      return showBalances(ctx, scope.projectIds, asOf ? { asOf } : { prices: await currentPrices(ctx) })
    },
    listEntries: async (ctx, { scope, query }) =>
      listJournal(ctx, scope.projectIds, { ...query, sources: await sourcesOf(ctx, query) }),
    exportLedger: async (ctx, { scope, query }) => exportJournal(ctx, scope.projectIds, query),
  }
}
