import { auditRoutes } from '@kassa/contract/audit/routes.ts'
import { vaultActivityRoutes } from '@kassa/contract/vaults/activity-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { checkEntriesJob, sealEntriesJob } from './jobs.ts'
import { auditHandlers, vaultActivityHandlers } from './routes.ts'

export const audit: Module = {
  name: 'audit',
  routes: [serve(auditRoutes, auditHandlers), serve(vaultActivityRoutes, vaultActivityHandlers)],
  jobs: [sealEntriesJob, checkEntriesJob],
}
