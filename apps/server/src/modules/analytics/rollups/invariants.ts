import type { Invariant } from '../../../module.ts'
import { NEWEST_CELLS } from './check-store.ts'

/** What must hold between the figures and the rows they are made of; `npm run check-figures` looks at all of them. */
export const analyticsInvariants: readonly Invariant[] = [
  {
    name: 'newest-figures',
    rule: 'The figures of the newest day are the sums of what happened in it.',
    sql: () => NEWEST_CELLS,
  },
]
