import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'

import { serve } from '../../http/handlers.ts'
import type { Module } from '../../module.ts'
import { reconciliationInvariants } from './invariants.ts'
import { compareAddressesJob, verifyJob } from './jobs.ts'
import { type Invariants, lastCheck } from './service.ts'

/** The module that verifies the invariants of every module. */
export function reconciliation(invariants: Invariants): Module {
  return {
    name: 'reconciliation',
    routes: [serve(reconciliationRoutes, { checkLedger: (ctx) => lastCheck(ctx, invariants()) })],
    jobs: [verifyJob(invariants), compareAddressesJob],
    invariants: reconciliationInvariants,
  }
}
