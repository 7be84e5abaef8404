import type { JobDefinition } from '../../jobs/jobs.ts'
import { deleteTokensBefore } from './store.ts'

export const realtimeJobs: readonly JobDefinition[] = [
  {
    queue: 'realtime.forget-tokens',
    run: (ctx) => deleteTokensBefore(ctx, ctx.now()),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 600,
  },
]
