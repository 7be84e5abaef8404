/** An operator's own access, the mail server, and what lies over every page of the shell. */
import type { Page } from 'playwright-core'

import type { Screen } from './camera.ts'
import type { Seed } from './seed.ts'

const AT = new Date(Date.now() - 120_000).toISOString()
const API = '**/api/v1'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const type = (page: Page, name: string, text: string) => page.getByLabel(name, { exact: true }).fill(text)

const MAIL_SERVER = {
  host: 'smtp.acme.example',
  port: 587,
  username: 'payments@acme.example',
  password: null,
  passwordSet: true,
  encryption: 'starttls',
  from: 'payments@acme.example',
  fromName: 'Acme Coffee',
  replyTo: null,
  verifiedAt: AT,
}

/** A disc on a ground twice as wide as high. */
const WIDE_LOGO = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAwCAIAAABhdOiYAAAAmUlEQVR42u3awQmAQAwEwNRgH3ZoBRZqF4IdnCBcTLiBrWB+yW7c',
    '1ymDBAJAgAABAgToc459G2dRoFeXIlLRRecvo+hC8xdTtNNJNoqOOplG0VQnzQhQAaBJOjlG0VonwQgQoMpACTqzjQABAgQIECBA',
    'gAABAuQWAwRoPSAfRT9pQHoxzapu3rpjlXWHfZCFmY2iAAIECFCVPL59BGLw+T/tAAAAAElFTkSuQmCC',
  ].join(''),
  'base64',
)

const withMail = (configuration: { features: object }) => ({
  ...configuration,
  features: { ...configuration.features, smtp: true },
})

/** Links with which a password is chosen, as whoever follows one sees them. */
export const passwordScreens: readonly Screen[] = [
  {
    name: 'forgot-password-unsent',
    path: '/forgotPassword',
    shows: /cannot send e-mail/,
    act: async (page) => {
      await type(page, 'E-mail', 'owner@acme.example')
      await button(page, 'Send link')
    },
  },
  { name: 'create-password', path: '/login', shows: 'Save password', act: (page) => follow(page, '/createPassword') },
  {
    name: 'create-password-errors',
    path: '/login',
    shows: 'Passwords do not match',
    act: async (page) => {
      await follow(page, '/createPassword')
      await type(page, 'New password', 'correct')
      await type(page, 'Confirm password', 'horse')
      await button(page, 'Save password')
    },
  },
  { name: 'set-password', path: '/login', shows: /Ada invited/, act: (page) => follow(page, '/setPassword') },
  { name: 'signed-out-by-password', path: '/login?reason=changed', shows: /your password changed/ },
  { name: 'create-password-dead', path: '/createPassword', shows: 'Send a new link' },
]

/** Signed in. */
export function accountScreens({ shop: { project } }: Seed): readonly Screen[] {
  return [
    ...SETTINGS,
    ...overEverything(`/project/${project}/dashboard`),
    ...projectTabs(`/settings/account/${project}`, project),
  ]
}

const SETTINGS: readonly Screen[] = [
  { name: 'profile', path: '/settings/profile', shows: 'Time zone' },
  {
    name: 'address',
    path: '/settings/system',
    shows: 'Save URL',
    isOverlay: true,
    act: (page) => button(page, 'Change URL'),
  },
  {
    name: 'origins',
    path: '/settings/system',
    shows: /is not an origin/,
    isOverlay: true,
    act: async (page) => {
      await button(page, 'Change origins')
      await type(page, 'Origins', 'https://desk.acme.example\nacme.example/shop')
      await button(page, 'Save origins')
    },
  },
  { name: 'security', path: '/settings/security', shows: 'This device' },
  {
    name: 'security-everywhere',
    path: '/settings/security',
    shows: 'Stay signed in',
    isOverlay: true,
    act: (page) => button(page, 'Sign out everywhere'),
  },
  { name: 'mail-none', path: '/settings/email', shows: 'No mail server is set' },
  {
    name: 'mail',
    path: '/settings/email',
    shows: 'The mail server took a mail of ours',
    alters: { [`${API}/config/smtp`]: () => MAIL_SERVER, [`${API}/configuration/default`]: withMail },
  },
  {
    name: 'mail-errors',
    path: '/settings/email',
    shows: 'Host is required',
    act: (page) => button(page, 'Save'),
  },
]

/** What opens over any page of the shell. */
function overEverything(path: string): readonly Screen[] {
  return [
    { name: 'palette', path, shows: 'All Projects', isOverlay: true, act: (page) => button(page, /^Search/) },
    {
      name: 'palette-charge',
      path,
      shows: /Create payment link for/,
      isOverlay: true,
      act: async (page) => {
        await button(page, /^Search/)
        await page.getByRole('combobox', { name: 'Search or command' }).fill('charge 49 ada@example.com')
      },
    },
    {
      name: 'shortcuts',
      path,
      shows: 'Single keys act',
      isOverlay: true,
      act: async (page) => {
        await button(page, /^Profile:/)
        await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
      },
    },
    {
      name: 'bell',
      path,
      shows: 'Mark all as read',
      isOverlay: true,
      act: (page) => button(page, /^Needs a hand/),
    },
    {
      name: 'idle',
      path,
      shows: 'Are you still there?',
      isOverlay: true,
      alters: { [`${API}/member/me`]: endsSoon },
    },
  ]
}

/** The tabs of a project's settings that need more than being opened. */
function projectTabs(path: string, project: string): readonly Screen[] {
  return [
    {
      name: 'branding',
      path: `${path}?tab=branding`,
      shows: 'Choose how to pay',
      act: (page) => type(page, 'Brand colour', '#7c2d12'),
    },
    {
      name: 'branding-crop',
      path: `${path}?tab=branding`,
      shows: 'Use square',
      isOverlay: true,
      act: (page) =>
        page
          .getByLabel('Logo', { exact: true })
          .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: WIDE_LOGO }),
    },
    { name: 'notifications', path: `${path}?tab=notifications`, shows: 'no mail server is set' },
    {
      name: 'edit-conflict',
      path: `${path}?tab=projectDetails`,
      shows: 'Someone else changed this.',
      act: (page) => meetConflict(page, project),
    },
    {
      name: 'edit-conflict-shown',
      path: `${path}?tab=projectDetails`,
      shows: 'Saved now',
      isOverlay: true,
      act: async (page) => {
        await meetConflict(page, project)
        await button(page, 'Show')
      },
    },
    {
      name: 'archive',
      path: `${path}?tab=danger`,
      shows: 'Keep it',
      isOverlay: true,
      act: (page) => button(page, 'Archive project'),
    },
  ]
}

/** Saves a name after somebody else has saved another one. */
async function meetConflict(page: Page, project: string): Promise<void> {
  await type(page, 'Name', 'Acme Coffee Roasters')
  const error = { code: 'EDIT_CONFLICT', message: 'Someone else changed this. Reload and try again.', details: '' }
  await page.route(`${API}/external-platform/${project}`, async (route) => {
    if (route.request().method() !== 'GET')
      return route.fulfill({ status: 409, json: { error, message: error.message } })
    const response = await route.fetch()
    const json = (await response.json()) as object
    await route.fulfill({ json: { ...json, name: 'Acme Coffee GmbH', updatedAt: new Date().toISOString() } })
  })
  await button(page, 'Save changes')
}

const endsSoon = (me: object) => ({ ...me, sessionExpiresAt: new Date(Date.now() + 90_000).toISOString() })

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
