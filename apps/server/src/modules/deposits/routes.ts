import type { depositsRoutes } from '@kassa/contract/deposits/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { listDeposits } from './list-deposits.ts'

export const depositsHandlers: Handlers<typeof depositsRoutes> = {
  listDeposits: (ctx, { scope, query }) => listDeposits(ctx, { ...query, projectIds: scope.projectIds }),

  listMissedDeposits: (ctx, { scope, query }) =>
    listDeposits(ctx, { ...query, projectIds: scope.projectIds, status: ['unapplied', 'quarantined'] }),
}
