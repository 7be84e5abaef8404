import type { pricesRoutes } from '@kassa/contract/prices/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { tickerRows } from './service.ts'
import { tickerView } from './view.ts'

export const pricesHandlers: Handlers<typeof pricesRoutes> = {
  ticker: async (ctx) => (await tickerRows(ctx)).map((row) => tickerView(row, ctx.now())),
}
