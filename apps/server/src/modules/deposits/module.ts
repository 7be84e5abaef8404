import { depositsRoutes } from '@kassa/contract/deposits/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { depositsInvariants } from './invariants.ts'
import { depositsHandlers } from './routes.ts'

export const deposits: Module = {
  name: 'deposits',
  routes: [serve(depositsRoutes, depositsHandlers)],
  invariants: depositsInvariants,
}
