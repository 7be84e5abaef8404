import { sharedViewsRoutes } from '@kassa/contract/shared-views/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { sharedViewsHandlers } from './routes.ts'

export const sharedViews: Module = { name: 'shared-views', routes: [serve(sharedViewsRoutes, sharedViewsHandlers)] }
