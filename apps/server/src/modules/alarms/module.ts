import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { alarmsHandlers } from './routes.ts'

export const alarms: Module = {
  name: 'alarms',
  routes: [serve(alarmsRoutes, alarmsHandlers)],
}
