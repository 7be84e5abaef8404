import * as z from 'zod/mini'

import { id, ts } from '../kit/codecs.ts'
import { text } from '../kit/fields.ts'
import { route } from '../kit/route.ts'

export const WebsocketToken = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  /** 32 hex digits, good once, for the first message of the socket. */
  token: z.string(),
  serverUrl: z.string(),
  expiry: ts,
  clientId: z.string(),
  memberId: z.int(),
  Member: z.null(),
})

export type WebsocketToken = z.output<typeof WebsocketToken>

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
