import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { sweepContractsHandlers } from './routes.ts'

export const sweepContracts: Module = {
  name: 'sweep-contracts',
  routes: [serve(sweepContractsRoutes, sweepContractsHandlers)],
}
