import * as z from 'zod/mini'

import { page, pageInput } from '../kit/paging.ts'
import { route } from '../kit/route.ts'
import { UnlistedTransfer } from './schemas.ts'

export const unlistedTransfersRoutes = {
  listUnlistedTransfers: route({
    id: 'Y28',
    methods: ['GET'],
    paths: ['/unlisted-transfer', '/external-platform/{p}/unlisted-transfer'],
    summary: 'Lists what was sent in tokens that Kassa does not list, newest first; none of it counts.',
    access: { permission: 'deposit:read' },
    rate: 'dashboard',
    params: z.object({ p: z.optional(z.string()) }),
    query: z.object(pageInput),
    response: page(UnlistedTransfer),
    errors: [],
  }),
}
