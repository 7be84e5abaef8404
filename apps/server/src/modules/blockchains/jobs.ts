import type { JobDefinition } from '../../jobs/jobs.ts'
import { CHECK_ASSETS_QUEUE, checkAssets } from './assets/check-assets.ts'

export const blockchainsJobs: readonly JobDefinition[] = [
  {
    queue: CHECK_ASSETS_QUEUE,
    run: (ctx) => checkAssets(ctx),
    concurrency: 1,
    heartbeatSeconds: 120,
    everySeconds: 86_400,
  },
]
