import { job } from '../../jobs/jobs.ts'
import { deleteBucketsBefore } from './store.ts'

/** Every class has filled its bucket again by then (LIMITS): the slowest needs an hour. */
const RETENTION_MS = 24 * 3_600_000

export const forgetBucketsJob = job({
  queue: 'rate-limit.forget-full',
  worker: 'account-processor',
  run: (ctx) => deleteBucketsBefore(ctx, new Date(ctx.now().getTime() - RETENTION_MS)),
  everySeconds: 3600,
})
