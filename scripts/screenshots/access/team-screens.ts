/** The team: members and roles, what is done to them, and the e-mails a sandbox keeps. */
import type { Page } from 'playwright-core'

import { API } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { choose, fill, press } from '../hand.ts'
import { OWNER } from '../../../e2e/shop.ts'

const MEMBERS = '/settings/members'
const ROLES = '/settings/roles'
const OLGA = 'olga@acme.example'

const doTo = (email: string, item: string) => async (page: Page) => {
  await press(page, `Actions for ${email}`)
  await choose(page, item)
}

/** Without other members. */
export const aloneScreens: readonly Screen[] = [{ name: 'members-alone', path: MEMBERS, shows: 'Only you.' }]

/** Signed in as root of a shop with a team. */
export function teamScreens(): readonly Screen[] {
  return [...inSet('A', PAGES), ...MEMBER_DIALOGS, ...ROLE_DIALOGS]
}

const PAGES: readonly Screen[] = [
  { name: 'members', path: MEMBERS, shows: OLGA },
  { name: 'roles', path: ROLES, shows: 'Cashier' },
  { name: 'sandbox-mail', path: '/sandbox/mail', shows: 'wilhelmina@acme.example' },
]

const MEMBER_DIALOGS: readonly Screen[] = [
  { name: 'members-none-match', path: `${MEMBERS}?query=nobody`, shows: 'No member matches' },
  {
    name: 'member-menu',
    path: MEMBERS,
    shows: 'Ask for a new password',
    isOverlay: true,
    act: (page) => press(page, `Actions for ${OLGA}`),
  },
  {
    name: 'member-self',
    path: MEMBERS,
    shows: 'You cannot do this to yourself.',
    isOverlay: true,
    act: (page) => press(page, `Actions for ${OWNER.email}`),
  },
  {
    name: 'invite',
    path: MEMBERS,
    shows: 'Projects',
    isOverlay: true,
    act: async (page) => {
      await press(page, 'Invite member')
      await fill(page, 'E-mail', 'ines@acme.example')
      await page.getByRole('combobox', { name: 'Role' }).selectOption('Project Ops')
    },
  },
  {
    name: 'invite-errors',
    path: MEMBERS,
    shows: 'E-mail is required',
    isOverlay: true,
    act: async (page) => {
      await press(page, 'Invite member')
      await press(page, 'Send invitation')
    },
  },
  { name: 'member-edit', path: MEMBERS, shows: 'Save changes', isOverlay: true, act: doTo(OLGA, 'Edit') },
  { name: 'member-role', path: MEMBERS, shows: 'Change role', isOverlay: true, act: doTo(OLGA, 'Change role') },
  {
    name: 'member-devices',
    path: MEMBERS,
    shows: /Chrome|node/,
    isOverlay: true,
    act: doTo(OLGA, 'Signed-in devices'),
  },
  { name: 'member-reset', path: MEMBERS, shows: 'Your own password', isOverlay: true, act: doTo(OLGA, 'Reset link') },
  {
    name: 'member-link',
    path: MEMBERS,
    shows: /It is shown only now/,
    isOverlay: true,
    act: async (page) => {
      await doTo(OLGA, 'Reset link')(page)
      await fill(page, 'Your own password', OWNER.password)
      await page.keyboard.press('Enter')
    },
  },
  { name: 'member-revoke', path: MEMBERS, shows: 'Cancel', isOverlay: true, act: doTo(OLGA, 'Revoke access') },
  { name: 'member-remove', path: MEMBERS, shows: 'Cancel', isOverlay: true, act: doTo(OLGA, 'Remove') },
  {
    name: 'sandbox-mail-open',
    path: '/sandbox/mail',
    shows: /resetPasswordToken/,
    isOverlay: true,
    // On a phone the button that a card is lies over its texts.
    act: (page) => page.getByText('wilhelmina@acme.example').filter({ visible: true }).first().click({ force: true }),
  },
  {
    name: 'sandbox-mail-none',
    path: '/sandbox/mail',
    shows: 'No e-mails yet',
    alters: { [`${API}/sandbox/mail`]: [] },
  },
]

const ROLE_DIALOGS: readonly Screen[] = [
  {
    name: 'roles-one',
    path: ROLES,
    shows: 'Create payment links',
    act: async (page) =>
      void (await page.getByRole('combobox', { name: /What can a member do/ }).selectOption('Cashier')),
  },
  {
    name: 'role-new',
    path: ROLES,
    shows: 'Choose at least one permission',
    isOverlay: true,
    act: async (page) => {
      await press(page, 'New role')
      await fill(page, 'Name', 'Night shift')
      await press(page, 'Create role')
    },
  },
  { name: 'role-delete', path: ROLES, shows: 'Cancel', isOverlay: true, act: doTo('Cashier', 'Delete') },
]
