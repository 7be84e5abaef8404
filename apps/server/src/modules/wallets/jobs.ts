import type { JobDefinition } from '../../jobs/jobs.ts'
import { fillPool } from './pool.ts'

export const walletsJobs: readonly JobDefinition[] = [
  {
    queue: 'wallets.fill-pool',
    run: (ctx, pool: Parameters<typeof fillPool>[1]) => fillPool(ctx, pool),
    concurrency: 1,
    heartbeatSeconds: 60,
  },
]
