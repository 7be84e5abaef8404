import type { JobDefinition } from '../../jobs/jobs.ts'
import { deleteBucketsBefore } from './store.ts'

/** Every class has filled its bucket again by then (LIMITS): the slowest needs an hour. */
const RETENTION_MS = 24 * 3_600_000

export const rateLimitJobs: readonly JobDefinition[] = [
  {
    queue: 'rate-limit.forget-full',
    run: (ctx) => deleteBucketsBefore(ctx, new Date(ctx.now().getTime() - RETENTION_MS)),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 3600,
  },
]
