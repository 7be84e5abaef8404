import type { JobDefinition } from '../../jobs/jobs.ts'
import { deliver, type DeliverJob, takeUpOverdue } from './deliver.ts'

export const webhooksJobs: readonly JobDefinition[] = [
  {
    queue: 'webhooks.deliver',
    run: (ctx, job: DeliverJob) => deliver(ctx, job),
    concurrency: 16,
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
