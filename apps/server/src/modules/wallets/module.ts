import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { fillPoolJob } from './pool.ts'
import { walletsHandlers } from './routes.ts'

export const wallets: Module = {
  name: 'wallets',
  routes: [serve(walletsRoutes, walletsHandlers)],
  jobs: [fillPoolJob],
}
