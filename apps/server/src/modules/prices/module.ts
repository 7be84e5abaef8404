import { pricesRoutes } from '@kassa/contract/prices/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { pollPricesJob, forgetOldPricesJob } from './jobs.ts'
import { pricesHandlers } from './routes.ts'

export const prices: Module = {
  name: 'prices',
  routes: [serve(pricesRoutes, pricesHandlers)],
  jobs: [pollPricesJob, forgetOldPricesJob],
}
