import { unlistedTransfersRoutes } from '@kassa/contract/unlisted-transfers/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { forgetNoticesJob } from './jobs.ts'
import { unlistedTransfersHandlers } from './routes.ts'

export const unlistedTransfers: Module = {
  name: 'unlisted-transfers',
  routes: [serve(unlistedTransfersRoutes, unlistedTransfersHandlers)],
  jobs: [forgetNoticesJob],
}
