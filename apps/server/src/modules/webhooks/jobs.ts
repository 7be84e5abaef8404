import type { JobDefinition } from '../../jobs/jobs.ts'
import { beginDelivery, type DeliverJob, takeUpOverdue } from './deliver.ts'
import { allEnded } from './under-way.ts'

export const webhooksJobs: readonly JobDefinition[] = [
  {
    queue: 'webhooks.deliver',
    run: async (ctx, job: DeliverJob) => void (await beginDelivery(ctx, job)),
    drain: allEnded,
    concurrency: 4,
    heartbeatSeconds: 60,
  },
  {
    queue: 'webhooks.take-up',
    run: (ctx) => takeUpOverdue(ctx),
    concurrency: 1,
    heartbeatSeconds: 60,
    everySeconds: 30,
  },
]
