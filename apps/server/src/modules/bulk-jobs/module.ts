import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import type { BulkAction } from './action.ts'
import { forgetEndedJob, resumeIdleJob, runBulkJobs } from './jobs.ts'
import { bulkJobsHandlers } from './routes.ts'

/** Makes the module for these actions, which modules above it pass in. */
export function bulkJobs(actions: readonly BulkAction[]): Module {
  return {
    name: 'bulk-jobs',
    routes: [serve(bulkJobsRoutes, bulkJobsHandlers(actions))],
    jobs: [runBulkJobs(actions), resumeIdleJob, forgetEndedJob],
  }
}
