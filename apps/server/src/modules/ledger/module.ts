import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { sealJournalJob } from './jobs.ts'
import { ledgerHandlers } from './routes.ts'

export const ledger: Module = {
  name: 'ledger',
  routes: [serve(ledgerRoutes, ledgerHandlers)],
  jobs: [sealJournalJob],
}
