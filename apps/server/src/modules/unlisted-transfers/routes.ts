import type { unlistedTransfersRoutes } from '@kassa/contract/unlisted-transfers/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { listUnlisted } from './service.ts'

export const unlistedTransfersHandlers: Handlers<typeof unlistedTransfersRoutes> = {
  listUnlistedTransfers: (ctx, { scope, query }) => listUnlisted(ctx, scope.projectIds, query),
}
