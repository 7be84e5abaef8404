import { fail } from '@kassa/contract/kit/api-error.ts'
import type { paymentStreamRoutes } from '@kassa/contract/payments/routes.ts'
import type { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { setting, siteUrl } from '../settings/service.ts'
import { streamPayment } from './payment-stream.ts'
import { createToken } from './tokens.ts'
import { tokenView } from './view.ts'

export const realtimeHandlers: Handlers<typeof realtimeRoutes> = {
  createWebsocketToken: async (ctx, { query, request }) => {
    if (ctx.caller.kind !== 'operator') return fail('UNAUTHORIZED')
    const { token, row } = await createToken(ctx, query.clientID, request.origin)
    const configured = await setting(ctx, 'payram.websocket.server.url')
    const scheme = (await siteUrl(ctx))?.startsWith('https:') ? 'wss' : 'ws'
    return tokenView(row, token, configured ?? `${scheme}://${request.host}/api/v1/ws`, ctx.caller.operatorId)
  },
}

export const paymentStreamHandlers: Handlers<typeof paymentStreamRoutes> = {
  streamPayment: (ctx, { params, request }) => streamPayment(ctx, params.ref, request.network),
}
