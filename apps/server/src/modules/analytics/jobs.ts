import { job } from '../../jobs/jobs.ts'
import { backfill, compact } from './rollups/service.ts'

export const compactJob = job({
  queue: 'analytics.compact',
  worker: 'account-processor',
  run: compact,
  everySeconds: 10,
})

export const backfillJob = job({
  queue: 'analytics.backfill',
  worker: 'account-processor',
  run: backfill,
  everySeconds: 5,
})
