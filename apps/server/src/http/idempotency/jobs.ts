import { job } from '../../jobs/jobs.ts'
import { deleteOlderThan, RETENTION_MS } from './store.ts'

export const forgetAnswersJob = job({
  queue: 'idempotency.forget-old',
  worker: 'account-processor',
  run: (ctx) => deleteOlderThan(ctx, new Date(ctx.now().getTime() - RETENTION_MS)),
  everySeconds: 3600,
})
