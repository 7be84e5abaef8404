import { customersRoutes } from '@kassa/contract/customers/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { customersHandlers } from './routes.ts'

export const customers: Module = {
  name: 'customers',
  routes: [serve(customersRoutes, customersHandlers)],
}
