import type { JobDefinition } from '../../jobs/jobs.ts'
import { forgetOldPrices, pollPrices } from './poll-prices.ts'

export const pricesJobs: readonly JobDefinition[] = [
  // Every process checks whether a poll is due; the one that takes it asks the sources.
  { queue: 'prices.poll', run: (ctx) => pollPrices(ctx), concurrency: 1, heartbeatSeconds: 60, everySeconds: 2 },
  { queue: 'prices.forgetOld', run: forgetOldPrices, concurrency: 1, heartbeatSeconds: 60, everySeconds: 3600 },
]
