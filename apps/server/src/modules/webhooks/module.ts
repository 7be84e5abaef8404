import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { checkJob, purgeJob } from './jobs.ts'
import { queueDeliveries } from './deliveries/service.ts'
import { mailFailingJob, mailGoneJob } from './endpoints/emails.ts'
import { followProject } from './endpoints/service.ts'
import { startDelivering } from './sending/service.ts'
import { webhooksHandlers } from './routes.ts'

export const webhooks: Module = {
  name: 'webhooks',
  routes: [serve(webhooksRoutes, webhooksHandlers)],
  jobs: [checkJob, purgeJob, mailGoneJob, mailFailingJob],
  subscribers: [
    { to: 'project.created', run: followProject },
    { to: 'project.changed', run: followProject },
    { runAll: queueDeliveries },
  ],
  loops: [{ role: 'worker', worker: 'webhook-processor', start: startDelivering }],
}
