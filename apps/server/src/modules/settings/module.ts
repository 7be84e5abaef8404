import { settingsRoutes } from '@kassa/contract/settings/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { settingsHandlers } from './routes.ts'

export const settings: Module = {
  name: 'settings',
  routes: [serve(settingsRoutes, settingsHandlers)],
}
