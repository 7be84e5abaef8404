/** The project dashboard and its setup guide, on all their days. */
import { API, HELD, REFUSED, type Row } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import type { Seed } from '../seed.ts'

/** The project that was made second: nothing is set up in it. */
const FRESH = '/project/2/dashboard'

const P = `${API}/external-platform/*`
const SEARCH = `POST ${P}/payment/search`
const SUMMARY = `${P}/payment/summary*`
const NOTHING = { totalCount: 0, closedCount: 0, openCount: 0, cancelledCount: 0 }

export function homeScreens({ shop: { project } }: Seed): readonly Screen[] {
  const path = `/project/${project}/dashboard`
  return inSet('A', [
    { name: 'dashboard', path, shows: 'Recent payments' },
    { name: 'dashboard-all', path: '/project/all/dashboard', shows: 'Recent payments' },
    {
      name: 'dashboard-waiting',
      path,
      shows: 'Dashboard',
      alters: { [SUMMARY]: HELD, [SEARCH]: HELD, [`${P}/readiness`]: HELD, [`${API}/system/alarms`]: HELD },
    },
    { name: 'dashboard-card-failed', path, shows: /couldn’t be loaded/, alters: { [SEARCH]: REFUSED } },
    { name: 'dashboard-summary-failed', path, shows: 'Recent payments', alters: { [SUMMARY]: REFUSED } },
    { name: 'dashboard-quiet', path, shows: 'Recent payments', alters: { [`${P}/payment/summary?*`]: () => NOTHING } },
    { name: 'guide-fresh', path: FRESH, shows: /of \d done/ },
    {
      name: 'guide-half',
      path,
      shows: /of \d done/,
      alters: {
        [`${P}/api-key`]: () => [],
        [`${API}/external-platform/all`]: (rows: readonly Row[]) => rows.map((row) => ({ ...row, supportEmail: '' })),
      },
    },
    { name: 'guide-waiting', path: FRESH, shows: 'Setup guide', alters: { [`${P}/readiness`]: HELD } },
  ])
}
