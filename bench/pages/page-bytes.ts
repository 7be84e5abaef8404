/** What a browser is sent before it can be used, compressed, beside the budgets that `npm run check` holds. */
import { join } from 'node:path'

import {
  budgets,
  weighCheckout,
  weighPromoter,
  weighProjectDashboard,
  weighSignIn,
  weighStyles,
} from '../../scripts/checks/byte-budgets.ts'
import type { Figure, Measurement } from '../harness/figure.ts'

const ROOT = join(import.meta.dirname, '../..')

export const pageBytes: Measurement = { name: 'bytes', run: async () => run() }

async function run(): Promise<readonly Figure[]> {
  const beside = (name: string, bytes: number, budget: number): Figure => ({
    name,
    value: bytes / 1000,
    unit: 'kB',
    limit: { name: 'budget', value: budget / 1000 },
  })
  return [
    beside('scripts of the sign-in page (gzip)', await weighSignIn(ROOT), budgets.signIn),
    beside('scripts of the project dashboard (gzip)', await weighProjectDashboard(ROOT), budgets.projectDashboard),
    beside('styles of every page (gzip)', await weighStyles(ROOT), budgets.styles),
    beside('all of a checkout page (gzip)', await weighCheckout(ROOT), budgets.checkout),
    beside("all of a promoter's page (gzip)", await weighPromoter(ROOT), budgets.promoter),
  ]
}
