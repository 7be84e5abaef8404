import type { JobDefinition } from '../../jobs/jobs.ts'
import { checkAssets } from './assets/check-assets.ts'

/** Work for a worker: every enabled asset is compared with its contract, daily and at the start. */
export const CHECK_ASSETS_QUEUE = 'blockchains.check-assets'

export const blockchainsJobs: readonly JobDefinition[] = [
  {
    queue: CHECK_ASSETS_QUEUE,
    run: (ctx) => checkAssets(ctx),
    concurrency: 1,
    heartbeatSeconds: 120,
    everySeconds: 86_400,
  },
]
