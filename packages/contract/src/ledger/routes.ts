import * as z from 'zod/mini'

import { page } from '../kit/paging.ts'
import { route } from '../kit/route.ts'
import { BalancesQuery, EntriesQuery, LedgerExportQuery } from './inputs.ts'
import { AccountBalance, JournalEntry, JournalRow } from './schemas.ts'

const project = z.object({ p: z.string() })

export const ledgerRoutes = {
  listBalances: route({
    id: 'Q1',
    methods: ['GET'],
    paths: ['/project/{p}/ledger/balances'],
    summary: 'What each account of a project holds, now or at a time.',
    access: { permission: 'ledger:read' },
    rate: 'dashboard',
    params: project,
    query: BalancesQuery,
    response: z.array(AccountBalance),
    errors: [],
  }),
  listEntries: route({
    id: 'Q2',
    methods: ['GET'],
    paths: ['/project/{p}/ledger/entries'],
    summary: 'The journal of a project, newest first.',
    access: { permission: 'ledger:read' },
    rate: 'dashboard',
    params: project,
    query: EntriesQuery,
    response: page(JournalEntry),
    errors: [],
  }),
  exportLedger: route({
    id: 'Q3',
    methods: ['GET'],
    paths: ['/project/{p}/ledger/export'],
    summary: 'The journal of a project as a file, oldest first.',
    access: { permission: 'ledger:read' },
    rate: 'heavy',
    params: project,
    query: LedgerExportQuery,
    response: JournalRow,
    stream: 'rows',
    fileName: 'ledger',
    errors: [],
  }),
}
