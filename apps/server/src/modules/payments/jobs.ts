import type { Context } from '../../context.ts'
import type { JobDefinition } from '../../jobs/jobs.ts'
import { foldCounts } from './search/search-payments.ts'
import { expirePayments } from './lifecycle/service.ts'

export const paymentsJobs: readonly JobDefinition[] = [
  {
    queue: 'payments.expire',
    run: async (ctx: Context) => void (await expirePayments(ctx)),
    concurrency: 1,
    heartbeatSeconds: 30,
    everySeconds: 1,
  },
  {
    queue: 'payments.fold-counts',
    run: async (ctx: Context) => void (await foldCounts(ctx)),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 10,
  },
]
