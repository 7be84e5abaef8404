import type { Context } from '../../context.ts'
import type { JobRow } from './tables.ts'

/** Publishes the progress of a job to open pages, which then read its rows. */
export function announceJob(ctx: Context, job: JobRow): void {
  const { id: jobID, status, total, done, refused, project_id: projectId } = job
  ctx.events.announce(ctx, {
    name: 'bulk-job.progress',
    projectId,
    data: { jobID, status, total, done, refused },
  })
}
