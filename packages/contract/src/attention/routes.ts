import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { Attention } from './schemas.ts'

export const attentionRoutes = {
  getAttention: route({
    id: 'F2',
    methods: ['GET'],
    paths: ['/project/{p}/attention'],
    summary: 'What needs attention, counted by kind, each with the list that holds exactly that.',
    access: {
      permission: ['payment:read', 'deposit:read', 'payout:read', 'sweep:write', 'system:read', 'settings:write'],
    },
    rate: 'dashboard',
    params: z.object({ p: z.string() }),
    response: Attention,
    errors: [],
  }),
}
