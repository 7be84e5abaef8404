import type { JobDefinition } from '../../jobs/jobs.ts'
import { fillPool, type PoolRef } from './pool.ts'

export const walletsJobs: readonly JobDefinition[] = [
  {
    queue: 'wallets.fill-pool',
    run: (ctx, pool: PoolRef) => fillPool(ctx, pool),
    concurrency: 1,
    heartbeatSeconds: 60,
  },
]
