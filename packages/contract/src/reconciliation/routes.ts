import { route } from '../kit/route.ts'
import { BooksCheck } from '../ledger/schemas.ts'

export const reconciliationRoutes = {
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
