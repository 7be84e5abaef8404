import * as z from 'zod/mini'

import { text } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { WebsocketToken } from './schemas.ts'

export const realtimeRoutes = {
  createWebsocketToken: route({
    id: 'L1',
    methods: ['POST', 'GET'],
    paths: ['/websocket-token/create'],
    summary: 'Make a token for one websocket of this tab',
    access: { operator: true },
    rate: 'dashboard',
    query: z.object({ clientID: text('Client ID', { max: 100 }) }),
    response: WebsocketToken,
    errors: [],
    repeatable: true,
  }),
}
