import type { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Handlers } from '../../http/handlers.ts'
import type { BulkAction } from './action.ts'
import { cancelBulkJob, exportBulkJob, listBulkJobRows, listBulkJobs, showBulkJob, startBulkJob } from './service.ts'

/** Makes the handlers of bulk jobs for the actions that modules pass in. */
export function bulkJobsHandlers(actions: readonly BulkAction[]): Handlers<typeof bulkJobsRoutes> {
  return {
    startBulkJob: (ctx, { scope, body }) =>
      startBulkJob(ctx, actions, scope.projectId ?? fail('PROJECT_REQUIRED'), body),
    listBulkJobs: (ctx, { scope, query }) => listBulkJobs(ctx, actions, scope, query),
    getBulkJob: (ctx, { scope, params }) => showBulkJob(ctx, actions, scope, params.id),
    listBulkJobRows: (ctx, { scope, params, query }) => listBulkJobRows(ctx, actions, scope, params.id, query),
    cancelBulkJob: (ctx, { scope, params }) => cancelBulkJob(ctx, actions, scope, params.id),
    exportBulkJob: (ctx, { scope, params }) => exportBulkJob(ctx, actions, scope, params.id),
  }
}
