import { auditRoutes } from '@kassa/contract/audit/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { checkEntriesJob, sealEntriesJob } from './jobs.ts'
import { auditHandlers } from './routes.ts'

export const audit: Module = {
  name: 'audit',
  routes: [serve(auditRoutes, auditHandlers)],
  jobs: [sealEntriesJob, checkEntriesJob],
}
