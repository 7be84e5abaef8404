/** An operator's own access, the mail server, and the tabs of a project's settings. */
import type { Page } from 'playwright-core'

import { API } from '../answers.ts'
import type { Screen } from '../camera.ts'
import { fill, press } from '../hand.ts'
import type { Seed } from '../seed.ts'

const AT = new Date(Date.now() - 120_000).toISOString()

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
  updatedAt: AT,
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

/** The configuration of a server that has a mail server. */
export function withMail(configuration: { features: object }): object {
  return { ...configuration, features: { ...configuration.features, smtp: true } }
}

/** Signed in. */
export function accountScreens({ shop: { project } }: Seed): readonly Screen[] {
  return [...SETTINGS, ...projectTabs(`/settings/account/${project}`, project)]
}

const SETTINGS: readonly Screen[] = [
  { name: 'profile', path: '/settings/profile', shows: 'Time zone' },
  {
    name: 'address',
    path: '/settings/system',
    shows: 'Save URL',
    isOverlay: true,
    act: (page) => press(page, 'Change URL'),
  },
  {
    name: 'origins',
    path: '/settings/system',
    shows: /is not an origin/,
    isOverlay: true,
    act: async (page) => {
      await press(page, 'Change origins')
      await fill(page, 'Origins', 'https://pay.acme.example\nacme.example/shop')
      await press(page, 'Save origins')
    },
  },
  { name: 'security', path: '/settings/security', shows: 'This device' },
  {
    name: 'security-everywhere',
    path: '/settings/security',
    shows: 'Cancel',
    isOverlay: true,
    act: (page) => press(page, 'Sign out everywhere'),
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
    act: (page) => press(page, 'Save'),
  },
  { name: 'payment-methods', path: '/settings/payment-methods', shows: 'USDC on Base' },
  { name: 'wallet-connect', path: '/settings/wallet-connect', shows: 'Create a project at Reown' },
]

/** The tabs of a project's settings that need more than being opened. */
function projectTabs(path: string, project: string): readonly Screen[] {
  return [
    {
      name: 'branding',
      path: `${path}?tab=branding`,
      shows: 'Choose how to pay',
      act: (page) => fill(page, 'Brand colour', '#7c2d12'),
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
        await press(page, 'Show')
      },
    },
    {
      name: 'archive',
      path: `${path}?tab=danger`,
      shows: 'Cancel',
      isOverlay: true,
      act: (page) => press(page, 'Archive project'),
    },
  ]
}

/** Saves a name after another operator has saved another one. */
async function meetConflict(page: Page, project: string): Promise<void> {
  await fill(page, 'Name', 'Acme Coffee Roasters')
  const error = { code: 'EDIT_CONFLICT', message: 'Someone else changed this. Reload and try again.', details: '' }
  await page.route(`${API}/external-platform/${project}`, async (route) => {
    if (route.request().method() !== 'GET')
      return route.fulfill({ status: 409, json: { error, message: error.message } })
    const response = await route.fetch()
    const json = (await response.json()) as object
    await route.fulfill({ json: { ...json, name: 'Acme Coffee GmbH', updatedAt: new Date().toISOString() } })
  })
  await press(page, 'Save changes')
}
