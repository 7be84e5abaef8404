import { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { membersHandlers, rolesHandlers } from './routes.ts'

export const operators: Module = {
  name: 'operators',
  routes: [serve(membersRoutes, membersHandlers), serve(rolesRoutes, rolesHandlers)],
}
