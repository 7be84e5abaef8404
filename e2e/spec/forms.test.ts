import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Visit } from '../browser.ts'
import { type OperatorWindows, openOperatorWindows, PROJECT } from './operator-windows.ts'
import {
  errorOf,
  fillPasswords,
  openAddProject,
  openChangePassword,
  PASSWORD_LABELS,
  submitPasswords,
} from './dialogs.ts'
import { expectAddress, expectGone, expectPage, expectShown } from './expect.ts'
import { heldRoute } from './held-route.ts'

const PROJECTS = '**/api/v1/external-platform'
const GOOD = 'Correct.Horse9'

/** A browser does not tell the files of a form it sent, so the page remembers the name of the logo. */
const REMEMBER_LOGO = `{
  const send = window.fetch
  window.fetch = (to, init) => {
    if (init?.body instanceof FormData) window.sentLogo = init.body.get('logo').name
    return send(to, init)
  }
}`

let windows: OperatorWindows
let operator: Visit
let page: Page

beforeAll(async () => {
  windows = await openOperatorWindows()
  operator = await windows.operator()
  page = operator.page
  await page.goto('/settings')
  await expectPage(page, 'Settings')
})

afterAll(() => windows?.close())

afterEach(() => page.unrouteAll())

/** What was sent to a path of the API since the first of these sent calls. */
function callsTo(path: string, since = 0) {
  return operator.sent.slice(since).filter(({ to }) => new URL(to).pathname === `/api/v1${path}`)
}

/** Closes the dialog on top, if there is one. */
async function closeDialog(): Promise<void> {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) > 0) await page.keyboard.press('Escape')
  await expectGone(dialog)
}

describe('adding a project', () => {
  let dialog: Locator
  const field = () => dialog.getByLabel('Name of your project')
  const proceed = () => dialog.getByRole('button', { name: 'Continue To Project Details' })

  /** Opens the dialog where the selector is not disabled. */
  async function open(): Promise<void> {
    await closeDialog()
    if (!page.url().includes('/project/')) await page.goto(`/project/${windows.project}/dashboard`)
    dialog = await openAddProject(page)
  }

  it('spec §5 Project Name is required: on Enter with nothing but spaces, and nothing is sent', async () => {
    await open()
    const since = operator.sent.length
    await field().fill('   ')
    await page.keyboard.press('Enter')
    await expectShown(dialog.getByText('Project Name is required', { exact: true }))
    expect(await errorOf(field())).toBe('Project Name is required')
    expect(callsTo('/external-platform', since)).toEqual([])
  })

  it('spec §5 typing clears the error: at the first letter', async () => {
    await field().press('N')
    expect(await errorOf(field())).toBe(null)
  })

  it('spec §4 Button that is disabled: an empty name sends nothing', async () => {
    await field().fill('')
    const since = operator.sent.length
    await proceed().click({ force: true })
    await proceed().press('Enter')
    expect(await dialog.isVisible()).toBe(true)
    expect(callsTo('/external-platform', since)).toEqual([])
  })

  it('spec §4 hides its label and ignores clicks: it stays the button’s name', async () => {
    const held = await heldRoute(page, PROJECTS, 'POST')
    const since = operator.sent.length
    await field().fill('Slow')
    await proceed().click()
    await held.arrived
    expect(await proceed().getAttribute('aria-busy')).toBe('true')
    const opacity = `getComputedStyle(document.querySelector('dialog [aria-busy] > span')).opacity`
    await expect.poll(() => page.evaluate(opacity)).toBe('0')
    await proceed().click({ force: true })
    await proceed().press('Enter')
    expect(callsTo('/external-platform', since)).toHaveLength(1)
    held.end((route) => route.abort())
    await expectShown(dialog.getByText('Error saving project.'))
    expect(await proceed().getAttribute('aria-busy')).toBe(null)
  })

  it('spec §4 no id in the answer: it stays with what was typed', async () => {
    await open()
    const address = page.url()
    const since = operator.sent.length
    const [project] = await windows.shop.operator(projectsRoutes.listProjects)
    await page.route(PROJECTS, (route) => route.fulfill({ status: 201, json: { ...project, id: undefined } }))
    const answered = page.waitForResponse(PROJECTS)
    await field().fill('Nameless')
    await page.keyboard.press('Enter')
    await answered
    await expect.poll(() => dialog.locator('[aria-busy]').count()).toBe(0)
    expect(await field().inputValue()).toBe('Nameless')
    expect(await errorOf(field())).toBe(null)
    expect(page.url()).toBe(address)
    expect(operator.sent.slice(since).filter(({ to }) => /external-platform/.test(to))).toHaveLength(1)
  })

  it('spec §4 Creation of a project, two steps: its name alone, then colour and logo', async () => {
    await open()
    const changes = page.waitForRequest(
      (request) => request.method() === 'PUT' && /external-platform/.test(request.url()),
    )
    const since = operator.sent.length
    await page.evaluate(REMEMBER_LOGO)
    await field().fill('Two steps')
    await proceed().click()
    const change = await changes
    expect(callsTo('/external-platform', since).map(({ text }) => text)).toEqual(['{"name":"Two steps"}'])
    expect(change.url()).toMatch(/\/api\/v1\/external-platform\/\d+$/)
    expect(change.headers()['content-type']).toMatch(/^multipart\/form-data/)
    expect((await change.response())?.status()).toBe(200)
  })

  it('spec §4 its settings open at projectDetails: and the dialog closes', async () => {
    const id = (await twoSteps()).id
    await expectAddress(page, `/settings/account/${id}?tab=projectDetails`)
    await expectPage(page, 'Two steps')
    await expectShown(page.getByRole('tab', { name: 'Project details', selected: true }))
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('spec §9 Brand colour at the start: a new project has it', async () => {
    expect((await twoSteps()).brandColor).toBe('#caff54')
  })

  it('spec §9 Logo at the start: a new project has it', async () => {
    expect(await page.evaluate<string>('sentLogo')).toBe('logo.png')
    const { logoPath } = await twoSteps()
    const image = await fetch(new URL(logoPath, windows.url))
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  async function twoSteps() {
    const all = await windows.shop.operator(projectsRoutes.listProjects)
    const found = all.find(({ name }) => name === 'Two steps')
    if (found === undefined) throw new Error('The project was not made')
    return found
  }
})

describe('the list of projects', () => {
  it('spec §4 Project list loading, failed: a shape, then the list or Failed to fetch projects', async () => {
    const held = await heldRoute(page, '**/api/v1/external-platform/all', 'GET')
    await page.goto(`/project/${windows.project}/dashboard`)
    await held.arrived
    const selector = page.getByRole('button', { name: `Project: Project ${windows.project}` })
    await expectShown(selector)
    expect(await selector.innerText()).toBe('')
    held.end((route) => route.continue())
    await expectShown(page.getByRole('button', { name: `Project: ${PROJECT}` }))

    await page.route('**/api/v1/external-platform/all', (route) => route.fulfill({ status: 500, json: {} }))
    await page.reload()
    await page.getByRole('button', { name: 'Failed to fetch projects' }).click()
    await expectShown(page.getByRole('alert').filter({ hasText: 'Failed to fetch projects' }))
  })
})

describe('changing the password', () => {
  let dialog: Locator
  const CURRENT = 'Current password'
  const NEW = 'New password'
  const CONFIRM = 'Confirm password'

  beforeAll(async () => {
    await page.unrouteAll()
    await page.goto('/settings')
    dialog = await openChangePassword(page)
  })

  afterAll(() => closeDialog())

  /** Sends three passwords and gives the error under each; nothing may reach the server. */
  async function refused(...passwords: readonly [string, string, string]) {
    const since = operator.sent.length
    await fillPasswords(dialog, ...passwords)
    await submitPasswords(dialog)
    const errors: (string | null)[] = []
    for (const label of PASSWORD_LABELS) errors.push(await errorOf(dialog.getByLabel(label)))
    expect(callsTo('/member/change-password', since)).toEqual([])
    return errors
  }

  it('spec §5 Current password is required: under its own field', async () => {
    expect(await refused('', GOOD, GOOD)).toEqual(['Current password is required', null, null])
  })

  it('spec §5 Password is required: as the new one', async () => {
    expect(await refused('old', '', '')).toEqual([null, 'Password is required', 'Please confirm your password'])
  })

  it('spec §5 Password does not meet all requirements: without one of the four kinds', async () => {
    for (const weak of ['lower.case1', 'UPPER.CASE1', 'No.Digit.Here', 'NoSpecial1']) {
      expect(await refused('old', weak, weak)).toEqual([null, 'Password does not meet all requirements', null])
    }
  })

  it('spec §5 Password must be at least 8 characters long: with all four kinds', async () => {
    expect(await refused('old', 'Sh.rt12', 'Sh.rt12')).toEqual([
      null,
      'Password must be at least 8 characters long',
      null,
    ])
  })

  it('spec §5 Please confirm your password: with an empty confirmation', async () => {
    expect(await refused('old', GOOD, '')).toEqual([null, null, 'Please confirm your password'])
  })

  it('spec §5 Passwords do not match: with another confirmation', async () => {
    expect(await refused('old', GOOD, `${GOOD}!`)).toEqual([null, null, 'Passwords do not match'])
  })

  it('spec §5 is sent when new password and confirmation are without error: then it is', async () => {
    await refused('old', 'weak', 'other')
    const since = operator.sent.length
    await fillPasswords(dialog, 'Not.The.Password1', GOOD, GOOD)
    await submitPasswords(dialog)
    await expectShown(dialog.getByText('Current password is incorrect.'))
    expect(callsTo('/member/change-password', since).map(({ text }) => text)).toEqual([
      JSON.stringify({ oldPassword: 'Not.The.Password1', password: GOOD }),
    ])
  })

  it('spec §5 an edit clears the error of its field: that field’s alone', async () => {
    expect(await refused('', '', '')).toEqual([
      'Current password is required',
      'Password is required',
      'Please confirm your password',
    ])
    await dialog.getByLabel(NEW).press('A')
    expect(await errorOf(dialog.getByLabel(NEW))).toBe(null)
    expect(await errorOf(dialog.getByLabel(CURRENT))).toBe('Current password is required')
    expect(await errorOf(dialog.getByLabel(CONFIRM))).toBe('Please confirm your password')
  })

  it('spec §5 shows the error of the new one: no, its own, and its own switch (deviation Δ1)', async () => {
    expect(await refused('', 'weak', 'weak')).toEqual([
      'Current password is required',
      'Password does not meet all requirements',
      null,
    ])
    const types = () => Promise.all(PASSWORD_LABELS.map((label) => dialog.getByLabel(label).getAttribute('type')))
    const switches = dialog.getByRole('button', { name: 'Show password' })
    await switches.first().click()
    expect(await types()).toEqual(['text', 'password', 'password'])
    await switches.first().click()
    await switches.nth(1).click()
    expect(await types()).toEqual(['password', 'text', 'password'])
    await switches.nth(1).click()
  })

  const criteria = () => dialog.getByRole('list', { name: 'Password criteria' }).getByRole('listitem')

  it('spec §4 follows each change of the password: with every key', async () => {
    await dialog.getByLabel(NEW).fill('')
    const met: number[] = []
    for (const key of ['A', 'b', '1', '.', 'Backspace']) {
      await dialog.getByLabel(NEW).press(key)
      met.push((await criteria().allTextContents()).filter((text) => !text.endsWith('not met')).length)
    }
    expect(met).toEqual([1, 2, 3, 4, 3])
  })

  it('spec §5 four items: uppercase, lowercase, number, special character: in this order', async () => {
    await dialog.getByLabel(NEW).fill('')
    const names = ['uppercase', 'lowercase', 'number', 'special character']
    expect(await criteria().allTextContents()).toEqual(names.map((name) => `${name}not met`))
  })

  it('spec §5 no item for the length: the hint above it does', async () => {
    expect(await dialog.getByRole('list', { name: 'Password criteria' }).innerText()).not.toMatch(
      /\b8\b|characters long/,
    )
    await expectShown(dialog.getByText('At least 8 characters.'))
  })
})

describe('fields and copies', () => {
  const port = () => page.getByRole('spinbutton', { name: 'Port' })

  it('spec §5 a negative value becomes 0: as they are typed', async () => {
    await page.goto('/settings/email')
    await port().fill('-25')
    expect(await port().inputValue()).toBe('0')
  })

  it('spec §5 the wheel changes nothing: over the field that is being edited', async () => {
    await port().fill('25')
    await port().hover()
    for (const turn of [-120, 120, 120]) await page.mouse.wheel(0, turn)
    expect(await port().inputValue()).toBe('25')
  })

  it('spec §5 {Label} Copied!: and the clipboard has it', async () => {
    await page.goto('/settings/blockchains/BASE')
    await page.getByRole('button', { name: 'Copy contract address' }).first().click()
    await expectShown(page.getByRole('status', { name: 'Notifications' }).getByText('Contract address Copied!'))
    await page.bringToFront()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })
})
