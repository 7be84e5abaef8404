/** Sign-in, sign-up and a new password: the pages without a session. */
import type { Page } from 'playwright-core'

import { OWNER } from '../../../e2e/shop.ts'
import { API, HELD, refusal, REFUSED } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { fill, press } from '../hand.ts'

/** Before anybody has an account. */
export const freshScreens: readonly Screen[] = [
  { name: 'landing-fresh', path: '/', shows: 'Set up this server' },
  { name: 'sign-up', path: '/signup', shows: 'Create account' },
  {
    name: 'sign-up-half',
    path: '/signup',
    shows: /2 of 4/,
    act: (page) => fill(page, 'Password', 'Correct'),
  },
  {
    name: 'sign-up-errors',
    path: '/signup',
    shows: 'Passwords do not match',
    act: async (page) => {
      await fill(page, 'E-mail', 'owner')
      await fill(page, 'Password', 'correct')
      await fill(page, 'Confirm password', 'horse')
      await press(page, 'Create account')
    },
  },
]

const signIn = async (page: Page) => {
  await fill(page, 'E-mail', OWNER.email)
  await fill(page, 'Password', OWNER.password)
  await press(page, 'Sign in')
}

const SIGN_IN = `POST ${API}/signin`
// The server counts failures: a real one per picture would soon be refused for another reason.
const WRONG = refusal(401, 'INVALID_CREDENTIALS', 'E-mail or password is incorrect.')
const OFTEN = refusal(429, 'SIGN_IN_THROTTLED', 'Too many attempts. Try again in 30 seconds.', {
  data: { seconds: 30 },
})

const signIns: readonly Screen[] = [
  { name: 'sign-in', path: '/login', shows: 'Forgot password?' },
  {
    name: 'sign-in-field-errors',
    path: '/login',
    shows: 'Password is required',
    act: async (page) => {
      await fill(page, 'E-mail', 'owner')
      await press(page, 'Sign in')
    },
  },
  {
    name: 'sign-in-refused',
    path: '/login',
    shows: 'E-mail or password is incorrect.',
    alters: { [SIGN_IN]: WRONG },
    act: signIn,
  },
  {
    name: 'sign-in-server-error',
    path: '/login',
    shows: 'The database does not answer.',
    alters: { [SIGN_IN]: REFUSED },
    act: signIn,
  },
  {
    name: 'sign-in-throttled',
    path: '/login',
    shows: /^Try again in/,
    alters: { [SIGN_IN]: OFTEN },
    act: signIn,
  },
  {
    name: 'sign-in-offline',
    path: '/login',
    shows: /Signing in needs a connection/,
    act: async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      await page.context().setOffline(true)
    },
  },
]

/** With an account, signed out. */
export const publicScreens: readonly Screen[] = [
  ...inSet('A', signIns),
  { name: 'landing', path: '/', shows: 'Sign in' },
  { name: 'forgot-password', path: '/forgotPassword', shows: /cannot send e-mail yet/ },
  { name: 'privacy-policy', set: 'C', path: '/privacy-policy', shows: 'Privacy Policy' },
  { name: 'cookie-policy', set: 'C', path: '/cookie-policy', shows: 'Cookie Policy' },
  { name: 'signed-out', path: '/login?reason=signed-out', shows: /You’re signed out/ },
]

const canMail = (answer: object) => ({ ...answer, mail: true })

/** The pages of links with which a password is chosen. */
export const passwordScreens: readonly Screen[] = [
  {
    name: 'forgot-password-unsent',
    path: '/forgotPassword',
    shows: 'Send link',
    alters: { [`POST ${API}/member/forgot-password`]: REFUSED, [`${API}/member/root/exist`]: canMail },
    act: async (page) => {
      await fill(page, 'E-mail', 'owner@acme.example')
      await press(page, 'Send link')
      await page.getByText('Try again in a moment.').waitFor()
    },
  },
  {
    name: 'forgot-password-sent',
    path: '/forgotPassword',
    shows: /a link is on its way/,
    alters: { [`POST ${API}/member/forgot-password`]: { message: 'Sent' }, [`${API}/member/root/exist`]: canMail },
    act: async (page) => {
      await fill(page, 'E-mail', 'owner@acme.example')
      await press(page, 'Send link')
    },
  },
  { name: 'create-password', path: '/login', shows: 'Save password', act: (page) => follow(page, '/createPassword') },
  {
    name: 'create-password-errors',
    path: '/login',
    shows: 'Passwords do not match',
    act: async (page) => {
      await follow(page, '/createPassword')
      await fill(page, 'New password', 'correct')
      await fill(page, 'Confirm password', 'horse')
      await press(page, 'Save password')
    },
  },
  {
    name: 'create-password-half',
    path: '/login',
    shows: /2 of 4/,
    act: async (page) => {
      await follow(page, '/createPassword')
      await fill(page, 'New password', 'Correct')
    },
  },
  {
    name: 'create-password-refused',
    path: '/login',
    shows: 'Try again in a moment.',
    alters: { [`POST ${API}/member/reset-password`]: REFUSED },
    act: async (page) => {
      await follow(page, '/createPassword')
      await fill(page, 'New password', 'Other.Horse9')
      await fill(page, 'Confirm password', 'Other.Horse9')
      await press(page, 'Save password')
    },
  },
  {
    name: 'create-password-waiting',
    path: '/createPassword?resetPasswordToken=abc',
    shows: 'Create a new password',
    alters: { [`POST ${API}/member/password-token`]: HELD },
  },
  { name: 'create-password-done', path: '/login?reason=password', shows: /Password changed/ },
  { name: 'set-password', path: '/login', shows: /Ada invited/, act: (page) => follow(page, '/setPassword') },
  { name: 'signed-out-by-password', path: '/login?reason=changed', shows: /your password changed/ },
  { name: 'create-password-dead', path: '/createPassword', shows: 'Send a new link' },
  { name: 'set-password-dead', path: '/setPassword', shows: /Ask who invited you/ },
]

/** Follows a link whose token the server is made to know. */
async function follow(page: Page, path: string): Promise<void> {
  const invited = path === '/setPassword'
  const json = {
    purpose: invited ? 'invite' : 'reset',
    email: 'o…r@acme.example',
    expiresAt: new Date(Date.now() + 1_800_000).toISOString(),
    inviter: invited ? 'Ada' : null,
    projects: invited ? ['Acme Coffee'] : [],
    role: invited ? 'Project Lead' : 'Root',
  }
  await page.route(`${API}/member/password-token`, (route) => route.fulfill({ json }))
  await page.goto(`${path}?resetPasswordToken=abc`)
}
