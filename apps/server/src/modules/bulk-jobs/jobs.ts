import type { Context } from '../../context.ts'
import { type Job, job } from '../../jobs/jobs.ts'
import type { BulkAction } from './action.ts'
import { runBulkJob } from './run-job.ts'
import { type BulkJobRef, bulkJobsToRun, queueBulkJob } from './service.ts'
import { deleteJobsEndedBefore, listIdleJobs } from './store.ts'
import { RESULTS_MS } from './view.ts'

/** A run ends before a stopping process returns its jobs to the queue; the next run continues. */
const RUN_MS = 4_000

/** A job without progress for this long was lost with its process, or failed too often. */
const IDLE_MS = 30_000

/** Runs the rows of one job, for the actions that modules hand in. */
export function runBulkJobs(actions: readonly BulkAction[]): Job<BulkJobRef> {
  return job({
    queue: bulkJobsToRun,
    worker: 'account-processor',
    run: async (ctx, { id }) => {
      if (await runBulkJob(ctx, actions, id, RUN_MS)) await queueBulkJob(ctx, id)
    },
    concurrency: 2,
    heartbeatSeconds: 20,
  })
}

export const resumeIdleJob = job({
  queue: 'bulk-jobs.resume',
  worker: 'account-processor',
  run: resumeIdleJobs,
  heartbeatSeconds: 30,
  everySeconds: 10,
})

export const forgetEndedJob = job({
  queue: 'bulk-jobs.forget',
  worker: 'account-processor',
  run: (ctx) => deleteJobsEndedBefore(ctx, new Date(ctx.now().getTime() - RESULTS_MS)),
  everySeconds: 3_600,
})

/** Queues every job that has not ended and that no process runs. */
export async function resumeIdleJobs(ctx: Context): Promise<void> {
  for (const id of await listIdleJobs(ctx, IDLE_MS)) await queueBulkJob(ctx, id)
}
