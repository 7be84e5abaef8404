import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { ledgerInvariants } from './invariants.ts'
import { addUpCoinsJob, sealJournalJob } from './jobs.ts'
import { ledgerHandlers, type LedgerLookups } from './routes.ts'

/** Makes the module; `lookups` answers for modules that the ledger must not import: prices and payments. */
export function ledger(lookups: LedgerLookups): Module {
  return {
    name: 'ledger',
    routes: [serve(ledgerRoutes, ledgerHandlers(lookups))],
    jobs: [sealJournalJob, addUpCoinsJob],
    invariants: ledgerInvariants,
  }
}
