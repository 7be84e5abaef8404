/** The project dashboard with its figures and charts, on all their days. */
import type { Page } from 'playwright-core'

import { API, type Changes, HELD, REFUSED, refusal } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import type { Seed } from '../seed.ts'
import { BUSY, COUNTING, graphUrl, NO_PAYMENTS } from './sample-figures.ts'

const GROUPS = `${API}/external-platform/*/analytics/groups`

/** What every picture waits for. */
const SHOWN = 'Transaction Summary'

export function figureScreens({ shop: { project } }: Pick<Seed, 'shop'>): readonly Screen[] {
  const path = `/project/${project}/dashboard`
  const held: Changes = Object.fromEntries(Object.keys(BUSY).map((url) => [url, HELD] as const))
  return inSet('A', [
    { name: 'dashboard', path, shows: SHOWN, alters: BUSY },
    { name: 'dashboard-own', path, shows: SHOWN },
    { name: 'dashboard-all', path: '/project/all/dashboard', shows: SHOWN, alters: BUSY },
    { name: 'dashboard-compared', path: `${path}?compare=previous`, shows: SHOWN, alters: BUSY },
    { name: 'dashboard-read', path, shows: SHOWN, alters: BUSY, act: readChart },
    { name: 'dashboard-table', path, shows: SHOWN, alters: BUSY, act: press('View Payments in USD as table') },
    {
      name: 'dashboard-full',
      path,
      shows: SHOWN,
      alters: BUSY,
      act: press('Show Payments in USD in full'),
      isOverlay: true,
    },
    { name: 'dashboard-waiting', path, shows: 'Dashboard', alters: { ...held, [GROUPS]: HELD } },
    { name: 'dashboard-waiting-cards', path, shows: SHOWN, alters: held },
    { name: 'dashboard-card-failed', path, shows: /couldn’t be loaded/, alters: { ...BUSY, [graphUrl(9)]: REFUSED } },
    { name: 'dashboard-failed', path, shows: /couldn’t be loaded/, alters: { [GROUPS]: REFUSED } },
    {
      name: 'dashboard-limited',
      path,
      shows: /read again in a moment/,
      alters: { ...BUSY, [graphUrl(7)]: refusal(429, 'RATE_LIMITED', 'Too many requests. Try again in 3 seconds.') },
    },
    {
      name: 'dashboard-quiet',
      path: `${path}?date=yesterday`,
      shows: /No payments in this period/,
      alters: NO_PAYMENTS,
    },
    { name: 'dashboard-counting', path, shows: /counting/, alters: COUNTING },
  ])
}

/** Goes through a chart by keys. */
async function readChart(page: Page): Promise<void> {
  const chart = page.getByRole('application', { name: 'Payments in USD' })
  await chart.focus()
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowDown']) await chart.press(key)
}

function press(name: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name }).click()
}
