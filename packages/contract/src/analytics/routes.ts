import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { GraphFilters, GroupChoice } from './inputs.ts'
import { GraphData, UserGroup } from './schemas.ts'

const access = { permission: 'analytics:read', scope: 'analytics:read' } as const

export const analyticsRoutes = {
  listAnalyticsGroups: route({
    id: 'N1',
    methods: ['GET'],
    paths: ['/external-platform/{p}/analytics/groups'],
    summary: 'The groups of graphs, as the operator arranged them.',
    access,
    rate: 'dashboard',
    params: z.object({ p: z.string() }),
    response: z.array(UserGroup),
    errors: [],
  }),

  getGraphData: route({
    id: 'N2',
    methods: ['GET', 'POST'],
    paths: ['/external-platform/{p}/analytics/groups/{g}/graph/{k}/data'],
    summary: 'The figures of one graph, exact at this moment.',
    access,
    rate: 'heavy',
    params: z.object({ p: z.string(), g: z.string(), k: z.string() }),
    query: GraphFilters,
    body: GraphFilters,
    response: GraphData,
    errors: ['GRAPH_NOT_FOUND', 'FILTER_INVALID'],
    repeatable: true,
  }),

  changeAnalyticsGroup: route({
    id: 'N4',
    methods: ['PUT', 'PATCH'],
    paths: ['/external-platform/{p}/analytics/groups/{g}'],
    summary: 'Shows, hides, moves and filters a group for the operator who asks.',
    access: { permission: 'analytics:read' },
    rate: 'dashboard',
    params: z.object({ p: z.string(), g: z.string() }),
    body: GroupChoice,
    response: UserGroup,
    errors: ['GRAPH_NOT_FOUND', 'FILTER_INVALID'],
    // It arranges the caller's own screen, which `all` and archived projects have too; repeated it changes nothing.
    repeatable: true,
  }),
}
