/** The frame around every page: menu, project selector, what opens over it, and pages that stand in for another. */
import type { Page } from 'playwright-core'

import { API, HELD, REFUSED, type Row } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { choose, isPhone, press } from '../hand.ts'
import type { Seed } from '../seed.ts'

const PROJECTS = `${API}/external-platform/all`

/** Over a page of a project. */
export function shellScreens({ shop: { project } }: Seed): readonly Screen[] {
  const path = `/project/${project}/dashboard`
  const screens = [...menuScreens(path), ...projectScreens(path), ...paletteScreens(path), ...noteScreens(path)]
  return [...inSet('A', screens), ...errorScreens(project)]
}

function menuScreens(path: string): readonly Screen[] {
  return [
    { name: 'shell-menu', path, shows: 'Funds Consolidation', isOverlay: true, act: openMenu },
    { name: 'shell-strip', path, shows: 'Dashboard', isOverlay: true, act: closeMenu },
    {
      name: 'shell-flyout',
      path,
      shows: 'All payments',
      isOverlay: true,
      act: async (page) => {
        await closeMenu(page)
        await page.getByRole('button', { name: 'Payments', exact: true }).click()
      },
    },
    { name: 'shell-waiting', path, shows: 'Dashboard', isOverlay: true, alters: { [`${API}/member/me`]: HELD } },
    {
      name: 'shell-profile',
      path,
      shows: 'Change Password',
      isOverlay: true,
      act: (page) => press(page, /^Profile:/),
    },
    { name: 'shell-sandbox', path, shows: /Nothing here is real money/, isOverlay: true, act: pressSandbox },
    { name: 'bell', path, shows: 'Mark all as read', isOverlay: true, act: (page) => press(page, /^Needs attention/) },
  ]
}

function projectScreens(path: string): readonly Screen[] {
  const open = { path, isOverlay: true, act: openProjects }
  const many = (rows: readonly Row[]) =>
    Array.from({ length: 30 }, (_, at) => ({ ...rows[0], id: 100 + at, name: `${TOWNS[at % TOWNS.length]} ${at + 1}` }))
  return [
    { ...open, name: 'projects', shows: 'Nordlicht Records' },
    {
      ...open,
      name: 'projects-one',
      shows: 'Add Project',
      alters: { [PROJECTS]: (rows: readonly Row[]) => [rows[0]] },
    },
    {
      ...open,
      name: 'projects-many',
      shows: 'Lisbon 1',
      alters: {
        [PROJECTS]: (rows: readonly Row[]) => [...rows, ...many(rows)],
        [`${API}/external-platform/details`]: [],
      },
    },
    { ...open, name: 'projects-failed', shows: 'Failed to fetch projects', alters: { [PROJECTS]: REFUSED } },
    {
      name: 'projects-off',
      path: '/settings/profile',
      shows: 'Time zone',
      isOverlay: true,
      act: async (page) => {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
        await page.goto('/settings/profile')
        await openMenu(page)
      },
    },
  ]
}

function paletteScreens(path: string): readonly Screen[] {
  const typed = (text: string) => async (page: Page) => {
    await press(page, /^Search/)
    await page.getByRole('combobox', { name: 'Search or command' }).fill(text)
  }
  const over = { path, isOverlay: true }
  return [
    { ...over, name: 'palette', shows: 'All Projects', act: (page) => press(page, /^Search/) },
    { ...over, name: 'palette-results', shows: /wren/, act: typed('wren') },
    { ...over, name: 'palette-none', shows: /^Nothing found\./, act: typed('zzzz') },
    { ...over, name: 'palette-charge', shows: /Create payment link for/, act: typed('charge 49 ada@example.com') },
    {
      ...over,
      name: 'shortcuts',
      shows: 'Single-key shortcuts',
      act: async (page) => {
        await press(page, /^Profile:/)
        await choose(page, 'Keyboard shortcuts')
      },
    },
    {
      ...over,
      name: 'about',
      shows: 'Version',
      act: async (page) => {
        await press(page, /^Profile:/)
        await choose(page, 'About Kassa')
      },
    },
  ]
}

function noteScreens(path: string): readonly Screen[] {
  return [
    {
      name: 'offline',
      path,
      shows: /^You’re offline\./,
      act: async (page) => {
        await page.getByRole('heading', { name: 'Recent Transactions' }).waitFor()
        await page.context().setOffline(true)
      },
    },
    { name: 'idle', path, shows: 'Are you still there?', isOverlay: true, alters: { [`${API}/member/me`]: endsSoon } },
  ]
}

function errorScreens(project: string): readonly Screen[] {
  return [
    { name: 'not-found', path: '/nothing/here', shows: /nothing here/i },
    { name: 'not-found-project', path: '/project/999999/dashboard', shows: 'There’s no such project.' },
    {
      name: 'forbidden',
      path: `/project/${project}/payments/allPayments`,
      shows: 'This page isn’t open to you.',
      alters: { [`${API}/member/me`]: mayLittle },
    },
    {
      name: 'fault',
      path: '/settings',
      shows: 'Something broke on our side.',
      act: async (page) => {
        await page.route(/\/assets\/page-security-[^/]*\.js$/, (route) => route.abort())
        await page.goto('/settings/security')
      },
    },
  ]
}

const TOWNS = ['Lisbon', 'Nantes', 'Łódź', 'Kraków and the whole of Lesser Poland', 'Tallinn', 'Odense', 'İzmir']

const endsSoon = (me: object) => ({ ...me, sessionExpiresAt: new Date(Date.now() + 90_000).toISOString() })

const mayLittle = (me: object) => ({ ...me, permissions: { install: ['project:read'], projects: {} } })

async function openMenu(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: /^(Expand|Collapse) menu$/ })
  await toggle.waitFor()
  if ((await toggle.getAttribute('aria-label')) === 'Expand menu') await toggle.click()
}

async function closeMenu(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: /^(Expand|Collapse) menu$/ })
  await toggle.waitFor()
  if ((await toggle.getAttribute('aria-label')) === 'Collapse menu') await toggle.click()
  await page.mouse.move(700, 500)
}

/** On a phone the projects stand in the menu's panel. */
async function openProjects(page: Page): Promise<void> {
  const isOver = await isPhone(page)
  if (isOver) await press(page, 'Expand menu')
  const selectors = page.getByRole('button', { name: /^(Project:|Failed to fetch projects)/ })
  await (isOver ? selectors.last() : selectors.first()).click()
}

async function pressSandbox(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click()
}
