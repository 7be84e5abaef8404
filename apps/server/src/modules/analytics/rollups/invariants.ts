import type { Invariant } from '../../../module.ts'
import { NEWEST_CELLS } from './check-store.ts'

/**
 * What must hold between the figures and the rows they are computed from, for the newest day; `npm run check-figures` checks
 * all of them.
 */
export const analyticsInvariants: readonly Invariant[] = [
  {
    name: 'newest-figures',
    rule: 'The figures of the newest day are the sums of what happened in it.',
    sql: () => NEWEST_CELLS,
  },
]
