import * as z from 'zod/mini'

import { page, pageInput, spanInput } from '../kit/paging.ts'
import { route } from '../kit/route.ts'
import { DepositFilters } from './inputs.ts'
import { Deposit } from './schemas.ts'

const anyProject = z.object({ p: z.optional(z.string()) })

export const depositsRoutes = {
  listDeposits: route({
    id: 'Y24',
    methods: ['GET'],
    paths: ['/deposits', '/project/{p}/deposits'],
    summary: 'Lists incoming transfers, newest first.',
    access: { permission: 'deposit:read', scope: 'deposit:read' },
    rate: 'dashboard',
    params: anyProject,
    query: DepositFilters,
    response: page(Deposit),
    errors: [],
  }),

  listMissedDeposits: route({
    id: 'Y25',
    methods: ['GET'],
    paths: ['/missed-deposit', '/external-platform/{p}/missed-deposit'],
    summary: 'Lists unmatched deposits, newest first: unapplied ones and those on hold.',
    access: { permission: 'deposit:read' },
    rate: 'dashboard',
    params: anyProject,
    query: z.object({ ...pageInput, ...spanInput }),
    response: page(Deposit),
    errors: [],
  }),
}
