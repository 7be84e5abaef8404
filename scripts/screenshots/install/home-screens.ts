/** The setup guide of the project dashboard, on all its days. */
import { API, HELD, type Row } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import type { Seed } from '../seed.ts'

/** The project that was made second: nothing is set up in it. */
const FRESH = '/project/2/dashboard'

const P = `${API}/external-platform/*`

export function homeScreens({ shop: { project } }: Seed): readonly Screen[] {
  const path = `/project/${project}/dashboard`
  return inSet('A', [
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
