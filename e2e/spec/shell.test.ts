import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { settle, type Visit } from '../browser.ts'
import { newPayment, OWNER } from '../shop.ts'
import { type OperatorWindows, openOperatorWindows, OTHER_PROJECT, PROJECT } from './operator-windows.ts'
import { fillPasswords, openAddProject, openChangePassword, PASSWORD_LABELS, submitPasswords } from './dialogs.ts'
import { expectAddress, expectGone, expectPage, expectShown } from './expect.ts'
import { heldRoute } from './held-route.ts'

const DESKTOP = { width: 1440, height: 900 } as const

let windows: OperatorWindows
let operator: Visit

beforeAll(async () => {
  windows = await openOperatorWindows()
  operator = await windows.operator()
})

afterAll(() => windows?.close())

beforeEach(async () => {
  await operator.page.setViewportSize(DESKTOP)
})

const sidebar = () => operator.page.getByRole('complementary').first()
const menu = () => operator.page.getByRole('navigation', { name: 'Main' }).first()
const disclosure = (name: string) => menu().getByRole('button', { name, exact: true })
const collapse = () => operator.page.getByRole('button', { name: 'Collapse menu' })
const expand = () => operator.page.getByRole('button', { name: 'Expand menu' })

/** Opens a page, with the menu as it is on a new device. */
async function open(path: string): Promise<void> {
  await operator.page.goto(path)
  await operator.page.evaluate(`localStorage.removeItem('sidebar'); dispatchEvent(new Event('kassa-stored'))`)
  await expectShown(menu().getByRole('link', { name: 'Settings' }))
}

async function sidebarWidth(): Promise<number | undefined> {
  return (await sidebar().boundingBox())?.width
}

describe('the sidebar', () => {
  it('spec §2 on the left; folds to a strip of icons: a strip of icons whose names are told, or icons and names', async () => {
    await open(`/project/${windows.project}/dashboard`)
    expect((await sidebar().boundingBox())?.x).toBe(0)
    await collapse().click()
    await expectShown(expand())
    await expect.poll(sidebarWidth).toBe(64)
    // The headings of its sections are for screen readers only.
    expect(await menu().innerText()).toBe('ASSETS\nGENERAL')
    await menu().getByRole('link', { name: 'Settings' }).hover()
    await expectShown(operator.page.getByText('Settings', { exact: true }))
    await expand().click()
    await expectShown(menu().getByText('Settings', { exact: true }))
  })

  it('spec §2 Sidebar width, unfolded at most 260 px: it is that wide, and no wider on a wide screen', async () => {
    await open('/settings')
    await expect.poll(sidebarWidth).toBe(260)
    await operator.page.setViewportSize({ width: 2560, height: 900 })
    await expect.poll(sidebarWidth).toBe(260)
  })

  it('spec §9 Widest sidebar 260 px: on a narrow screen the panel is no wider either', async () => {
    await operator.page.setViewportSize({ width: 390, height: 844 })
    await open('/settings')
    await expand().click()
    const panel = operator.page.getByRole('dialog', { name: 'Menu' })
    await expectShown(panel)
    expect((await panel.boundingBox())?.width).toBe(260)
    await operator.page.keyboard.press('Escape')
    await expectGone(panel)
  })

  it('spec §9 Small screen below 640 px: from there on the menu opens beside the page, not over it', async () => {
    const { page } = operator
    await page.setViewportSize({ width: 640, height: 844 })
    await open('/settings')
    await expand().click()
    await expectShown(collapse())
    await expect.poll(sidebarWidth).toBe(260)
    expect(await page.getByRole('dialog', { name: 'Menu' }).count()).toBe(0)
    await page.setViewportSize({ width: 639, height: 844 })
    await expectShown(expand())
    await expect.poll(sidebarWidth).toBe(48)
  })

  it('spec §2 a change of path folds the sidebar: the menu closes behind the link', async () => {
    const { page } = operator
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/settings')
    await expand().click()
    const panel = page.getByRole('dialog', { name: 'Menu' })
    await panel.getByRole('link', { name: 'Funds Consolidation' }).click()
    await expectPage(page, 'Funds Consolidation')
    await expectGone(panel)
    await expect.poll(sidebarWidth).toBe(48)
  })

  it('spec §2 one is open at most: opening one closes the other', async () => {
    await open('/settings')
    const opened = async () => {
      const names = ['Payments', 'Growth', 'Wallet management', 'Withdraw']
      const states = await Promise.all(names.map((name) => disclosure(name).getAttribute('aria-expanded')))
      return names.filter((_, at) => states[at] === 'true')
    }
    for (const name of ['Payments', 'Withdraw', 'Growth']) {
      await disclosure(name).click()
      expect(await opened()).toEqual([name])
    }
    await disclosure('Growth').click()
    expect(await opened()).toEqual([])
  })

  it('spec §2 a click elsewhere closes it: beside the strip', async () => {
    const { page } = operator
    await open('/settings')
    await collapse().click()
    await disclosure('Payments').click()
    const link = page.getByRole('link', { name: 'All payments' })
    await expectShown(link)
    await page.getByRole('heading', { level: 1, name: 'Settings' }).click()
    await expectGone(link)
    await expand().click()
  })

  it('spec §2 project selector, navigation, Profile menu: beside the selector and the navigation', async () => {
    const { page } = operator
    await open('/settings')
    await expectShown(page.getByRole('button', { name: /^Project:/ }))
    await page.getByRole('button', { name: `Profile: ${OWNER.email}` }).click()
    await expectShown(page.getByRole('menuitem', { name: 'Change Password' }))
    await expectShown(page.getByRole('menuitem', { name: 'Logout' }))
    await page.keyboard.press('Escape')
  })
})

describe('where one stands on a page', () => {
  const scrolled = () => operator.page.evaluate<number>('scrollY')
  const row = () => operator.page.getByRole('table').getByRole('link').nth(8)
  const drawer = () => operator.page.getByRole('dialog', { name: /^Payment / })
  const list = () => `/project/${windows.project}/payments/allPayments`

  beforeAll(async () => {
    for (let made = 0; made < 14; made += 1) await newPayment(windows.shop)
  })

  beforeEach(async () => {
    const { page } = operator
    await page.setViewportSize({ width: 1440, height: 500 })
    await open(list())
    await expectShown(row())
    await page.evaluate('scrollTo(0, 400)')
    await page.waitForFunction('scrollY === 400')
  })

  it('stays while a payment of the list is opened, left for the next and closed', async () => {
    const { page } = operator
    await row().click()
    await expectShown(drawer().getByRole('tab', { name: 'Timeline' }))
    await settle(page)
    expect(await scrolled()).toBe(400)
    const first = page.url()
    await page.keyboard.press('j')
    await page.waitForURL((url) => url.href !== first)
    await page.keyboard.press('Escape')
    await expectGone(drawer())
    await expectAddress(page, list())
    await settle(page)
    // The next row may have to come into view by the pixel that its border takes.
    expect(Math.abs((await scrolled()) - 400)).toBeLessThanOrEqual(1)
  })

  it('is the top of another page, and after Back where one was', async () => {
    const { page } = operator
    await row().click()
    await drawer().getByRole('link', { name: 'Full page' }).click()
    await expectShown(page.getByRole('heading', { level: 1, name: /^Payment / }))
    await expect.poll(scrolled).toBe(0)
    await page.goBack()
    await expectShown(drawer())
    await expect.poll(scrolled).toBe(400)
  })

  it('is after Back where one was among the cards of a phone too', async () => {
    const { page } = operator
    await page.setViewportSize({ width: 390, height: 500 })
    await open(list())
    await expectShown(page.getByRole('list', { name: 'All payments' }).getByRole('link').nth(13))
    await settle(page)
    await page.evaluate('scrollTo(0, 1500)')
    await expand().click()
    const settings = page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Settings' })
    await expectShown(settings)
    // What drives the browser may have scrolled a little on its way to the button.
    const where = await scrolled()
    expect(where).toBeGreaterThan(1200)
    await settings.click()
    await expectPage(page, 'Settings')
    await expect.poll(scrolled).toBe(0)
    await page.goBack()
    await expectPage(page, 'All payments')
    await expect.poll(scrolled).toBe(where)
  })
})

describe('the project selector', () => {
  const selector = (name: string) => operator.page.getByRole('button', { name: `Project: ${name}`, exact: true })
  const list = () => operator.page.getByRole('listbox', { name: 'Projects' })

  it('spec §2 the current project is shown: by its name', async () => {
    await open(`/project/${windows.project}/dashboard`)
    await expectShown(selector(PROJECT))
    await open(`/settings/account/${windows.otherProject}`)
    await expectShown(selector(OTHER_PROJECT))
  })

  it('spec §2 Two projects or more: All Projects, the projects, then Add Project', async () => {
    const { page } = operator
    await open(`/project/${windows.project}/dashboard`)
    await selector(PROJECT).click()
    await expectShown(list())
    const names = (await list().getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0])
    expect(names).toEqual(['All Projects', PROJECT, OTHER_PROJECT])
    const add = page.getByRole('button', { name: 'Add Project' })
    const [below, above] = [await add.boundingBox(), await list().boundingBox()]
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
    await add.click()
    await expectShown(page.getByRole('dialog', { name: 'Add new project' }))
    await page.keyboard.press('Escape')
  })

  it('a press is not lost while the list is on its way', async () => {
    const { page } = operator
    const code = '**/assets/ProjectList-*.js'
    const held = await heldRoute(page, code, 'GET')
    await open(`/project/${windows.project}/dashboard`)
    await held.arrived
    await selector(PROJECT).click()
    held.end((route) => route.continue())
    await expectShown(list())
    await page.unroute(code)
  })

  it('spec §2 the selector is disabled: and a press does nothing', async () => {
    await open('/settings')
    expect(await selector('All Projects').getAttribute('aria-disabled')).toBe('true')
    await selector('All Projects').click({ force: true })
    expect(await list().count()).toBe(0)
  })

  it('spec §2 the selected id is all: the links of the menu hold it', async () => {
    await open('/developers')
    await expectShown(selector('All Projects'))
    expect(await menu().getByRole('link', { name: 'Dashboard' }).getAttribute('href')).toBe('/project/all/dashboard')
  })

  it('spec §2 projectId goes into the query: and goes to its dashboard', async () => {
    const { page } = operator
    await open(`/project/${windows.project}/payments/allPayments`)
    await selector(PROJECT).click()
    await list()
      .getByRole('option', { name: new RegExp(`^${OTHER_PROJECT}`) })
      .click()
    await expectAddress(page, `/project/${windows.otherProject}/dashboard?projectId=${windows.otherProject}`)
    await expectPage(page, 'Dashboard')
    await selector(OTHER_PROJECT).click()
    await list().getByRole('option', { name: 'All Projects' }).click()
    await expectAddress(page, '/project/all/dashboard?projectId=all')
  })
})

describe('the Add new project dialog', () => {
  let dialog: Locator
  const field = () => dialog.getByRole('textbox')
  const proceed = () => dialog.getByRole('button', { name: 'Continue To Project Details', exact: true })

  beforeAll(async () => {
    await open(`/project/${windows.project}/dashboard`)
    dialog = await openAddProject(operator.page)
  })

  it('spec §2 Add new project: is the title of the dialog behind Add Project', () =>
    expectShown(dialog.getByRole('heading', { name: 'Add new project', exact: true })))

  it('spec §2 Name of your project: is its one field, and has the focus', async () => {
    expect(await field().count()).toBe(1)
    expect(await dialog.getByLabel('Name of your project', { exact: true }).count()).toBe(1)
    expect(await dialog.locator('input:focus').count()).toBe(1)
  })

  it('spec §2 disabled without a name: the button that goes on', async () => {
    expect(await proceed().getAttribute('aria-disabled')).toBe('true')
    await field().fill('Third')
    expect(await proceed().getAttribute('aria-disabled')).toBe(null)
    await field().fill('   ')
    expect(await proceed().getAttribute('aria-disabled')).toBe('true')
  })

  it('spec §2 Enter in the field, sends the form: the project is made', async () => {
    const { page } = operator
    await field().fill('Third')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings\/account\/\d+\?tab=projectDetails$/)
    await expectPage(page, 'Third')
  })
})

describe('the Change Password dialog', () => {
  it('spec §2 opens from the Profile menu: asks for the current password, a new one and its confirmation', async () => {
    await open('/settings')
    const dialog = await openChangePassword(operator.page)
    for (const label of PASSWORD_LABELS) {
      expect(await dialog.getByLabel(label, { exact: true }).getAttribute('type')).toBe('password')
    }
    expect(await dialog.locator('input:visible').count()).toBe(PASSWORD_LABELS.length)
    await operator.page.keyboard.press('Escape')
    await expectGone(dialog)
  })

  it('spec §2 Change password, done: with the words of the server', async () => {
    const { page } = operator
    const dialog = await openChangePassword(page)
    await fillPasswords(dialog, OWNER.password, 'Other.Horse9', 'Other.Horse9')
    await submitPasswords(dialog)
    await expectShown(page.getByRole('status', { name: 'Notifications' }).getByText('Password changed successfully.'))
    await expectGone(dialog)
    await page.reload()
    await expectPage(page, 'Settings')
  })
})
