import type { attentionRoutes } from '@kassa/contract/attention/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { readAttention } from './read-attention.ts'

export const attentionHandlers: Handlers<typeof attentionRoutes> = {
  getAttention: (ctx, { scope, params }) => readAttention(ctx, scope, params.p),
}
