import type { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import type { Handlers } from '../../http/handlers.ts'
import { lastCheck } from './service.ts'

export const reconciliationHandlers: Handlers<typeof reconciliationRoutes> = {
  checkLedger: (ctx) => lastCheck(ctx),
}
