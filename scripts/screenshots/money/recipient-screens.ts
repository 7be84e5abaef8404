/** Whom money may go to, and when it may leave. */
import { wireRecipient, wireRecipients } from '../../../apps/dashboard/src/testing/payout-answers.ts'
import { API, REFUSED } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { fill, press } from '../hand.ts'
import type { Seed } from '../seed.ts'

const P = `${API}/project/*`

/** As long as names of companies get. */
export const LONG = 'Wilhelmina von und zu Hohenlohe-Schillingsfürst & Partner'

/** Of the first project. */
const OURS = { projectIDs: [1] }

/** Recipients in every state. */
export const RECIPIENTS = wireRecipients([
  wireRecipient(OURS),
  wireRecipient({ ...OURS, id: 6, name: LONG, blockchainCode: 'ETH', earlierPayouts: 0 }),
  wireRecipient({ ...OURS, id: 7, name: 'New supplier', status: 'pending-otp-verification', payableFrom: null }),
  wireRecipient({ ...OURS, id: 8, name: 'Old supplier', status: 'blocked' }),
  wireRecipient({ ...OURS, id: 9, name: 'Tomorrow', payableFrom: new Date(Date.now() + 79_000_000).toISOString() }),
])

/** The address book. */
export function recipientScreens({ shop: { project } }: Pick<Seed, 'shop'>): readonly Screen[] {
  const list = { path: `/withdraw/recipients?projectId=${project}`, alters: { [`${P}/recipients*`]: RECIPIENTS } }
  const open = { ...list, isOverlay: true }
  return [
    ...inSet('A', [{ ...list, name: 'recipients', shows: 'New supplier' }]),
    { ...list, name: 'recipients-none', shows: 'No recipients', alters: { [`${P}/recipients*`]: wireRecipients([]) } },
    { ...open, name: 'recipient-new', shows: 'Address', act: (page) => press(page, 'Add recipient') },
    {
      ...open,
      name: 'recipient-errors',
      shows: /is required|valid/,
      act: async (page) => {
        await press(page, 'Add recipient')
        const dialog = page.getByRole('dialog', { name: 'Add recipient' })
        await fill(page, 'Name', ' ')
        await dialog.getByRole('button', { name: 'Add recipient' }).click()
      },
    },
    {
      ...open,
      name: 'recipient-code',
      shows: /Code/,
      act: async (page) => {
        await press(page, 'Actions for New supplier')
        await page.getByRole('menuitem', { name: 'Enter the code' }).click()
      },
    },
  ]
}

/** When money may leave. */
export function policyScreens({ shop: { project } }: Pick<Seed, 'shop'>): readonly Screen[] {
  const policy = `/settings/policies?projectId=${project}`
  return [
    ...inSet('A', [{ name: 'payout-policy', path: policy, shows: 'Save policy' }]),
    {
      name: 'payout-policy-changed',
      path: policy,
      shows: /Dry run|payouts/,
      act: (page) => page.getByRole('textbox').first().fill('500'),
    },
    {
      name: 'payout-policy-failed',
      path: policy,
      shows: /couldn’t be loaded/,
      alters: { [`${P}/payout-config`]: REFUSED },
    },
  ]
}
