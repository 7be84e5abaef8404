import { workersRoutes } from '@kassa/contract/workers/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { workersHandlers } from './routes.ts'

export const workers: Module = {
  name: 'workers',
  routes: [serve(workersRoutes, workersHandlers)],
}
