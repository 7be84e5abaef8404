import { route } from '../kit/route.ts'
import { BooksCheck } from './schemas.ts'

export const ledgerRoutes = {
  checkLedger: route({
    id: 'Q4',
    methods: ['GET'],
    paths: ['/ledger/check'],
    summary: 'Whether the books balance and agree with the chains, as of the last check.',
    access: { permission: 'ledger:read' },
    rate: 'dashboard',
    response: BooksCheck,
    errors: [],
  }),
}
