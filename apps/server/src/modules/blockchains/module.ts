import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { NODE_WORKER } from '../../config/workers.ts'
import { checkAssetsJob } from './jobs.ts'
import { seedBlockchains } from './chains/service.ts'
import { startMonitoringNodes } from './nodes/service.ts'
import { blockchainsHandlers, blockchainChangesHandlers, nodesHandlers } from './routes.ts'

export const blockchains: Module = {
  name: 'blockchains',
  routes: [
    serve(blockchainsRoutes, blockchainsHandlers),
    serve(blockchainChangesRoutes, blockchainChangesHandlers),
    serve(nodesRoutes, nodesHandlers),
  ],
  jobs: [checkAssetsJob],
  prepare: seedBlockchains,
  loops: [{ role: 'watcher', worker: NODE_WORKER, start: startMonitoringNodes }],
}
