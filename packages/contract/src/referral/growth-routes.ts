/** The figures of the referral programme (N3). */
import * as z from 'zod/mini'

import { GraphFilters } from '../analytics/inputs.ts'
import { GraphData } from '../analytics/schemas.ts'
import { route } from '../kit/route.ts'

export const growthRoutes = {
  getGrowthFigure: route({
    id: 'N3',
    methods: ['GET', 'POST'],
    paths: ['/external-platform/{p}/analytics/{x}'],
    summary: 'One figure of the referral programme, exact at this moment.',
    access: { permission: 'referral:read', scope: 'analytics:read' },
    rate: 'heavy',
    params: z.object({ p: z.string(), x: z.string() }),
    query: GraphFilters,
    body: GraphFilters,
    response: GraphData,
    errors: ['GRAPH_NOT_FOUND', 'FILTER_INVALID'],
    repeatable: true,
  }),
}
