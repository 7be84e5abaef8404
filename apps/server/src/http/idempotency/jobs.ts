import type { JobDefinition } from '../../jobs/jobs.ts'
import { RETENTION_MS } from './idempotency.ts'
import { deleteOlderThan } from './store.ts'

export const idempotencyJobs: readonly JobDefinition[] = [
  {
    queue: 'idempotency.forget-old',
    run: (ctx) => deleteOlderThan(ctx, new Date(ctx.now().getTime() - RETENTION_MS)),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 3600,
  },
]
