import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import type { Permission } from '../permissions.ts'
import { Found, SearchQuestion } from './schemas.ts'

/** The permission under which each kind is searched. */
export const SEARCHED = {
  payments: 'payment:read',
  customers: 'customer:read',
  payouts: 'payout:read',
  promoters: 'referral:read',
  members: 'operator:read',
  keys: 'api_key:read',
} as const satisfies Readonly<Record<keyof Found, Permission>>

export const searchRoutes = {
  searchEverything: route({
    id: 'F1',
    methods: ['POST'],
    paths: ['/project/{p}/search'],
    summary: 'Finds payments, customers, payouts, promoters, members and API keys at once: the newest five of each.',
    access: {
      permission: ['payment:read', 'customer:read', 'payout:read', 'referral:read', 'operator:read', 'api_key:read'],
    },
    rate: 'typing',
    params: z.object({ p: z.string() }),
    body: SearchQuestion,
    response: Found,
    errors: [],
    repeatable: true,
  }),
}
