import { attentionRoutes } from '@kassa/contract/attention/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { attentionHandlers } from './routes.ts'

export const attention: Module = { name: 'attention', routes: [serve(attentionRoutes, attentionHandlers)] }
