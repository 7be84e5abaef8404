import { searchRoutes } from '@kassa/contract/search/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { searchHandlers } from './routes.ts'

export const search: Module = { name: 'search', routes: [serve(searchRoutes, searchHandlers)] }
