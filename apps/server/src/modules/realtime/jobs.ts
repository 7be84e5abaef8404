import { job } from '../../jobs/jobs.ts'
import { deleteTokensBefore } from './store.ts'

export const forgetTokensJob = job({
  queue: 'realtime.forget-tokens',
  worker: 'account-processor',
  run: (ctx) => deleteTokensBefore(ctx, ctx.now()),
  everySeconds: 600,
})
