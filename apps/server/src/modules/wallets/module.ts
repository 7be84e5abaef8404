import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { authenticateFormerKeys } from './authenticity.ts'
import { fillPoolJob } from './pool.ts'
import { describeLinkWallets, walletsHandlers } from './routes.ts'

export const wallets: Module = {
  name: 'wallets',
  routes: [serve(walletsRoutes, walletsHandlers, { describers: { linkWallets: describeLinkWallets } })],
  jobs: [fillPoolJob],
  prepare: authenticateFormerKeys,
}
