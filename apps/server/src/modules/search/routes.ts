import type { searchRoutes } from '@kassa/contract/search/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { searchEverything } from './search-everything.ts'

export const searchHandlers: Handlers<typeof searchRoutes> = {
  searchEverything: (ctx, { scope, body }) => searchEverything(ctx, scope, body),
}
