import { paymentStreamRoutes } from '@kassa/contract/payments/routes.ts'
import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { forgetTokensJob } from './jobs.ts'
import { paymentStreamHandlers, realtimeHandlers } from './routes.ts'

export const realtime: Module = {
  name: 'realtime',
  routes: [serve(paymentStreamRoutes, paymentStreamHandlers), serve(realtimeRoutes, realtimeHandlers)],
  jobs: [forgetTokensJob],
}
