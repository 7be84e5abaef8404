import type { depositsRoutes } from '@kassa/contract/deposits/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { listDeposits } from './list-deposits.ts'

export const depositsHandlers: Handlers<typeof depositsRoutes> = {
  listDeposits: (ctx, { scope, query: { dateFrom, dateTo, ...query } }) =>
    listDeposits(ctx, { ...query, projectIds: scope.projectIds, dates: { dateFrom, dateTo } }),

  listMissedDeposits: (ctx, { scope, query: { startDate, endDate, ...query } }) =>
    listDeposits(ctx, {
      ...query,
      projectIds: scope.projectIds,
      status: ['unapplied', 'quarantined'],
      dates: { startDate, endDate },
    }),
}
