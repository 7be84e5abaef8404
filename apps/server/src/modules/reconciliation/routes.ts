import type { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import type { Handlers } from '../../http/handlers.ts'
import type { Invariant } from '../ledger/service.ts'
import { lastCheck } from './service.ts'

export function reconciliationHandlers(invariants: readonly Invariant[]): Handlers<typeof reconciliationRoutes> {
  return { checkLedger: (ctx) => lastCheck(ctx, invariants) }
}
