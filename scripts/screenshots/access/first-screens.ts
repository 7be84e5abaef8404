/** The first day: signed in, nothing made yet. */
import { API, HELD, REFUSED } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { fill, press } from '../hand.ts'

const PATH = '/project/all/dashboard'
const PROJECTS = `${API}/external-platform/all`

export const firstScreens: readonly Screen[] = inSet('A', [
  { name: 'dashboard-first', path: PATH, shows: 'Setup guide' },
  { name: 'dashboard-first-waiting', path: PATH, shows: 'Dashboard', alters: { [PROJECTS]: HELD } },
  { name: 'dashboard-first-failed', path: PATH, shows: 'No payments yet', alters: { [PROJECTS]: REFUSED } },
  { name: 'deposit-wallets-none', path: '/manageWallet/deposit-wallet', shows: 'Not set up' },
  {
    name: 'add-project',
    path: PATH,
    shows: 'Name of your project',
    isOverlay: true,
    act: async (page) => {
      await press(page, 'Create a project')
      await fill(page, 'Name of your project', 'Acme Coffee')
    },
  },
  { name: 'settings-first', path: '/settings', shows: /None yet/ },
  { name: 'all-payments-first', path: '/project/all/payments/allPayments', shows: /No payments yet|Create a project/ },
])
