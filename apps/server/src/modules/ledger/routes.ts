import type { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { lastCheck } from './service.ts'

export const ledgerHandlers: Handlers<typeof ledgerRoutes> = {
  checkLedger: (ctx) => lastCheck(ctx),
}
