import { sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'

import { SENDER_WORKER } from '../../config/workers.ts'
import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { followTopUp, startFollowingPermissions } from './following/service.ts'
import { sweepPermissionsInvariants } from './invariants.ts'
import { warnOfFewDelegationsJob, warnOfUnprovenJob } from './jobs.ts'
import { sweepPermissionsHandlers } from './routes.ts'

export const sweepPermissions: Module = {
  name: 'sweep-permissions',
  routes: [serve(sweepApprovalsRoutes, sweepPermissionsHandlers)],
  subscribers: [{ to: 'send.moved', run: followTopUp }],
  loops: [{ role: 'sender', worker: SENDER_WORKER, start: startFollowingPermissions }],
  jobs: [warnOfFewDelegationsJob, warnOfUnprovenJob],
  invariants: sweepPermissionsInvariants,
}
