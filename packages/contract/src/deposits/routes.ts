import * as z from 'zod/mini'

import { page, pageInput } from '../kit/paging.ts'
import { route } from '../kit/route.ts'
import { depositMachine } from './machine.ts'
import { Deposit } from './schemas.ts'

const anyProject = z.object({ p: z.optional(z.string()) })

const words = z.optional(z.array(z.string()))

export const DepositFilters = z.object({
  ...pageInput,
  /** `confirmed` was a state once: it is still understood, and no deposit is in it. */
  status: z.optional(z.array(z.enum([...depositMachine.states, 'confirmed'], { error: 'Unknown status' }))),
  blockchainCode: words,
  currencyCode: words,
  txHash: z.optional(z.string()),
  /** The customer's row. */
  memberID: z.optional(z.int()),
  dateFrom: z.optional(z.string()),
  dateTo: z.optional(z.string()),
})

export type DepositFilters = z.output<typeof DepositFilters>

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
    query: z.object({ ...pageInput, startDate: z.optional(z.string()), endDate: z.optional(z.string()) }),
    response: page(Deposit),
    errors: [],
  }),
}
