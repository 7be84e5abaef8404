/** The second factor in every step, proof of presence, and the second step of a sign-in. */
import type { Page } from 'playwright-core'

import { OWNER } from '../../../e2e/shop.ts'
import { API, refusal, type Row } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { choose, fill, press } from '../hand.ts'

const AT = new Date(Date.now() - 3_600_000).toISOString()
const SECURITY = '/settings/security'

const FACTORS = {
  ...{ enrolled: true, policy: 'money', totp: true, backupCodesLeft: 7 },
  passkeys: [
    { id: 1, name: 'Chrome on Linux', createdAt: AT, lastUsedAt: AT },
    { id: 2, name: 'Security key in the safe of the office', createdAt: AT, lastUsedAt: null },
  ],
}
const OWN = `${API}/member/me/second-factor`
const withFactors = { [OWN]: () => FACTORS }

/** Signed in as root. */
export function factorScreens(): readonly Screen[] {
  return [...inSet('A', PAGES), ...DIALOGS, ...presenceScreens()]
}

const PAGES: readonly Screen[] = [
  { name: 'security-factors', path: SECURITY, shows: /^7 codes left/, alters: withFactors },
  { name: 'add-factor', path: '/secondFactor', shows: 'Not now' },
]

const CODES = Array.from({ length: 10 }, (_, at) => `k7wq${at}-m2xr${at}-9htc${at}`)

const DIALOGS: readonly Screen[] = [
  {
    name: 'add-factor-required',
    path: '/secondFactor',
    shows: /nothing else is open/,
    alters: { [`${API}/member/me`]: (me: Row) => ({ ...me, secondFactor: { ...NO_FACTOR, setupRequired: true } }) },
  },
  {
    name: 'add-app',
    path: SECURITY,
    shows: /6 digits/,
    isOverlay: true,
    act: (page) => press(page, 'Add authenticator app'),
  },
  {
    name: 'add-app-wrong-code',
    path: SECURITY,
    shows: 'This code is not valid.',
    isOverlay: true,
    act: async (page) => {
      await press(page, 'Add authenticator app')
      await fill(page, 'Code', '123456')
      await page.keyboard.press('Enter')
    },
  },
  {
    name: 'backup-codes',
    path: SECURITY,
    shows: 'I have saved them',
    isOverlay: true,
    alters: { [`POST ${API}/member/me/totp/confirm`]: { backupCodes: CODES } },
    act: async (page) => {
      await press(page, 'Add authenticator app')
      await fill(page, 'Code', '123456')
      await page.keyboard.press('Enter')
    },
  },
  {
    name: 'add-passkey',
    path: SECURITY,
    shows: 'Make passkey',
    isOverlay: true,
    act: (page) => press(page, 'Add passkey'),
  },
  {
    name: 'no-factor-banner',
    path: '/settings',
    shows: /^You have no second factor/,
    alters: { [`${API}/member/me`]: (me: Row) => ({ ...me, secondFactor: { ...NO_FACTOR, requiredForMoney: true } }) },
  },
]

const NO_FACTOR = { enrolled: false, methods: [], satisfied: false, setupRequired: false, requiredForMoney: false }

/** Proof of presence, asked for before a role is deleted: by password, by second factor, and for what the server describes. */
function presenceScreens(): readonly Screen[] {
  const asks = (asked: string, methods: readonly string[]) => ({
    [`DELETE ${API}/roles/*`]: refusal(403, 'STEP_UP_REQUIRED', 'Confirm that it is you.', {
      data: { class: asked, action: 'deleteRole', methods },
    }),
  })
  const display = {
    title: 'Replace the wallet of a project',
    lines: [
      {
        code: 'wallet_replaced',
        params: {
          ...{ project: 'Acme Coffee', family: 'ETH_Family', former: 'Main', wallet: 'Ledger in the safe' },
          fingerprint: 'a1b2c3d4',
        },
        text: '',
      },
      { code: 'customers_keep_addresses', params: {}, text: '' },
    ],
  }
  const challenge = { challengeId: 'x', methods: ['totp', 'passkey', 'backup'], digest: '', display }
  const screen = { path: '/settings/roles', isOverlay: true, act: deleteCashier }
  return [
    { ...screen, name: 'presence-password', shows: 'Enter your password', alters: asks('S', ['password']) },
    { ...screen, name: 'presence-factor', shows: 'Show your second factor', alters: asks('S', ['totp', 'backup']) },
    {
      ...screen,
      name: 'presence-bound',
      shows: 'What you confirm is exactly this.',
      alters: {
        ...asks('M', ['totp', 'passkey', 'backup']),
        [`POST ${API}/session/step-up/options`]: challenge,
      },
    },
  ].map(({ shows, ...rest }) => ({ ...rest, shows: new RegExp(shows) }))
}

async function deleteCashier(page: Page): Promise<void> {
  await press(page, 'Actions for Cashier')
  await choose(page, 'Delete')
  await press(page, 'Delete role')
}

/** The second step of a sign-in, by code, by backup code, and after a wrong one. */
export const secondStepScreens: readonly Screen[] = inSet(
  'A',
  [
    { name: 'sign-in-second-step', shows: 'Code of the authenticator app', act: enter },
    {
      name: 'sign-in-second-step-wrong',
      shows: /was right 4 min ago/,
      act: async (page: Page) => {
        await enter(page)
        await fill(page, 'Code of the authenticator app', '123456')
        await press(page, 'Continue')
      },
    },
    {
      name: 'sign-in-second-step-backup',
      shows: 'Each works once.',
      act: async (page: Page) => {
        await enter(page)
        await press(page, 'Use a backup code')
      },
    },
  ].map((screen) => ({
    ...screen,
    path: '/login',
    alters: {
      [`POST ${API}/signin`]: refusal(401, 'SECOND_FACTOR_REQUIRED', 'Show your second factor.', {
        data: { challengeToken: 'x', methods: ['totp', 'passkey', 'backup'], expiresAt: AT, publicKey: {} },
      }),
      [`POST ${API}/signin/second-factor`]: refusal(401, 'SECOND_FACTOR_INVALID', 'This code is not valid.', {
        data: { reason: 'clock_behind', minutes: 4 },
      }),
    },
  })),
)

async function enter(page: Page): Promise<void> {
  await fill(page, 'E-mail', OWNER.email)
  await fill(page, 'Password', OWNER.password)
  await press(page, 'Sign in')
}
