import { analyticsRoutes } from '@kassa/contract/analytics/routes.ts'
import { growthRoutes } from '@kassa/contract/referral/growth-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { backfillJob, compactJob } from './jobs.ts'
import { analyticsInvariants } from './rollups/invariants.ts'
import { analyticsHandlers, growthHandlers } from './routes.ts'

export const analytics: Module = {
  name: 'analytics',
  routes: [serve(analyticsRoutes, analyticsHandlers), serve(growthRoutes, growthHandlers)],
  jobs: [compactJob, backfillJob],
  invariants: analyticsInvariants,
}
