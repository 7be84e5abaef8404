import type { Context } from '../../context.ts'
import type { JobDefinition } from '../../jobs/jobs.ts'
import type { BulkAction } from './action.ts'
import { runBulkJob } from './run-job.ts'
import { RUN_QUEUE } from './service.ts'
import { deleteJobsEndedBefore, listIdleJobs } from './store.ts'
import { RESULTS_MS } from './view.ts'

/** A turn ends before a stopping process gives its jobs back; the next turn goes on. */
const TURN_MS = 4_000

/** A job on which nobody has worked for so long was lost with its process, or failed too often. */
const IDLE_MS = 30_000

/** Jobs of the frame, for the actions that modules hand in. */
export function bulkJobsJobs(actions: readonly BulkAction[]): readonly JobDefinition[] {
  return [
    {
      queue: RUN_QUEUE,
      run: async (ctx: Context, { id }: { id: number }) => {
        if (await runBulkJob(ctx, actions, id, TURN_MS)) await sendJob(ctx, id)
      },
      concurrency: 2,
      heartbeatSeconds: 20,
    },
    { queue: 'bulk-jobs.resume', run: resumeIdleJobs, concurrency: 1, heartbeatSeconds: 30, everySeconds: 10 },
    {
      queue: 'bulk-jobs.forget',
      run: (ctx) => deleteJobsEndedBefore(ctx, new Date(ctx.now().getTime() - RESULTS_MS)),
      concurrency: 1,
      heartbeatSeconds: 60,
      everySeconds: 3_600,
    },
  ]
}

/** Queues every job that has not ended and on which nobody works. */
export async function resumeIdleJobs(ctx: Context): Promise<void> {
  const since = new Date(ctx.now().getTime() - IDLE_MS)
  for (const id of await listIdleJobs(ctx, since)) await sendJob(ctx, id)
}

/** At most one turn of a job waits. */
async function sendJob(ctx: Context, id: number): Promise<void> {
  await ctx.jobs.send(ctx, RUN_QUEUE, { id }, { singletonKey: String(id) })
}
