import type { analyticsRoutes } from '@kassa/contract/analytics/routes.ts'
import type { growthRoutes } from '@kassa/contract/referral/growth-routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { changeGroup, listGroups, readGraph } from './graphs/service.ts'
import { readGrowthFigure } from './growth/service.ts'

export const analyticsHandlers: Handlers<typeof analyticsRoutes> = {
  listAnalyticsGroups: (ctx, { scope }) => listGroups(ctx, scope),

  getGraphData: (ctx, { scope, params, query, body }) =>
    readGraph(ctx, scope, { g: params.g, k: params.k, filters: { ...query, ...body } }),

  changeAnalyticsGroup: (ctx, { scope, params, body }) => changeGroup(ctx, scope, params.g, body),
}

export const growthHandlers: Handlers<typeof growthRoutes> = {
  getGrowthFigure: (ctx, { scope, params, query, body }) =>
    readGrowthFigure(ctx, scope, { figure: params.x, filters: { ...query, ...body } }),
}
