import { job } from '../../jobs/jobs.ts'
import { RETENTION_MS } from './idempotency.ts'
import { deleteOlderThan } from './store.ts'

export const forgetAnswersJob = job({
  queue: 'idempotency.forget-old',
  worker: 'account-processor',
  run: (ctx) => deleteOlderThan(ctx, new Date(ctx.now().getTime() - RETENTION_MS)),
  everySeconds: 3600,
})
