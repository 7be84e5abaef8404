/** Many payouts from one CSV file: choosing it, lines with faults, what happens, and the one confirmation. */
import type { Page } from 'playwright-core'

import { WIRE_METRICS, wireBalance, wireQuote } from '../../../apps/dashboard/src/testing/payout-answers.ts'
import { API, type Changes } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { press } from '../hand.ts'
import type { Seed } from '../seed.ts'
import { RECIPIENTS } from './recipient-screens.ts'

const P = `${API}/project/*`
const HEAD = 'recipient,network,currency,amount,reference,note'
const GOOD = ['Supplier A,,USDC,500,salary-1,October', 'Supplier A,BASE,USDC,300,salary-2,']
const WRONG = ['Nobody,,USDC,5,salary-3,', 'Supplier A,BASE,USDC,"1,50",salary-4,', 'Supplier A,BASE,USDC,5,,']

/** A list of payouts, from its file to its review. */
export function payoutListScreens({ shop: { project } }: Pick<Seed, 'shop'>): readonly Screen[] {
  const alters: Changes = {
    [`${P}/recipients*`]: RECIPIENTS,
    [`${P}/payout-balance*`]: [wireBalance()],
    [`${P}/withdrawals/metrics`]: WIRE_METRICS,
    [`POST ${P}/withdrawals/quote`]: wireQuote({}, { payouts: 2 }),
  }
  const shown = { path: `/withdraw/payouts/new?projectId=${project}&tabId=csv`, alters }
  const choose = (lines: readonly string[]) => (page: Page) =>
    page.getByLabel('CSV file with one payout per line').setInputFiles({
      name: 'november.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([HEAD, ...lines].join('\n')),
    })
  return inSet('A', [
    { ...shown, name: 'payout-list-choose', shows: 'What a file looks like' },
    { ...shown, name: 'payout-list-faults', shows: /No recipient/, act: choose([...GOOD, ...WRONG]) },
    { ...shown, name: 'payout-list', shows: /2 approvals/, act: choose(GOOD) },
    {
      ...shown,
      name: 'payout-list-review',
      shows: 'Create 2 payouts',
      isOverlay: true,
      act: async (page) => {
        await choose(GOOD)(page)
        await press(page, 'Review payouts')
      },
    },
  ])
}
