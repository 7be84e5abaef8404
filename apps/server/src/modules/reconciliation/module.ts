import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { verifyJob, compareAddressesJob } from './jobs.ts'
import { reconciliationHandlers } from './routes.ts'

export const reconciliation: Module = {
  name: 'reconciliation',
  routes: [serve(reconciliationRoutes, reconciliationHandlers)],
  jobs: [verifyJob, compareAddressesJob],
}
