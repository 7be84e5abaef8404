import { approvedSweepsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { followSend } from './following/service.ts'
import { sweepsInvariants } from './invariants.ts'
import { abandonSweepsJob, followDevicesJob, followOwnWalletsJob, sweepDueJob } from './jobs.ts'
import { approvedSweepsHandlers, offlineSweepsHandlers, sweepsHandlers } from './routes.ts'
import { refuseWithOpenSweeps } from './settlement/service.ts'
import { signingLoop } from './signing/service.ts'

export const sweeps: Module = {
  name: 'sweeps',
  routes: [
    serve(sweepsRoutes, sweepsHandlers),
    serve(approvedSweepsRoutes, approvedSweepsHandlers),
    serve(offlineSweepsRoutes, offlineSweepsHandlers),
  ],
  subscribers: [
    { to: 'project.changed', run: refuseWithOpenSweeps },
    { to: 'send.moved', run: followSend },
  ],
  loops: [signingLoop],
  invariants: sweepsInvariants,
  jobs: [sweepDueJob, followOwnWalletsJob, followDevicesJob, abandonSweepsJob],
}
