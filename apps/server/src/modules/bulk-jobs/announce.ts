import type { Context } from '../../context.ts'
import type { JobRow } from './tables.ts'

/** Says to open screens how far a job is; they read the rest. */
export function announceJob(ctx: Context, job: JobRow): void {
  const { id: jobID, status, total, done, refused, project_id: projectId } = job
  ctx.events.announce(ctx, {
    name: 'bulk-job.progress',
    projectId,
    data: { jobID, status, total, done, refused },
  })
}
