import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../api.ts'
import type { Visit } from '../browser.ts'
import { OWNER } from '../shop.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { fillPasswords, openAddProject, openChangePassword, submitPasswords } from './dialogs.ts'
import { expectAddress, expectGone, expectPage, expectShell, expectShown } from './expect.ts'

const NEW_PASSWORD = 'Other.Horse9'

let windows: OperatorWindows
let operator: Visit
let visitor: Visit

beforeAll(async () => {
  windows = await openOperatorWindows()
  ;[operator, visitor] = await Promise.all([windows.operator(), windows.visitor()])
})

afterAll(() => windows?.close())

afterEach(async () => {
  await operator.page.unrouteAll()
  await visitor.page.unrouteAll()
  await operator.page.context().setOffline(false)
})

const storedUser = (page: Page) => page.evaluate<string | null>(`localStorage.getItem('user')`)

/** A window with a session of its own, which a test may end. */
async function secondOperator(): Promise<Visit & { readonly key: string }> {
  const { key } = await apiOf(windows.url)(authRoutes.signIn, { body: OWNER })
  return { ...(await windows.operator({}, key)), key }
}

/** Every call to the API from now on is refused with this body. */
function refuse(page: Page, path: string, status: number, error: Record<string, unknown>): Promise<void> {
  return page.route(`**/api/v1${path}`, (route) => route.fulfill({ status, json: { error } })).then(() => undefined)
}

describe('sessions', () => {
  it('spec §8 UNAUTHORIZED, on any call with a key: forgets the user and goes to /login', async () => {
    const { page, key, close } = await secondOperator()
    await apiOf(windows.url, key)(authRoutes.logOut, { body: {} })
    await page.goto('/settings/security')
    await expectAddress(page, `/login?reason=lost&next=${encodeURIComponent('/settings/security')}`)
    await expectShown(page.getByText('You were signed out. Sign in again.'))
    expect(await storedUser(page)).toBe(null)
    await close()
  })

  it('spec §8 RESET_PASSWORD_REQUIRED: forgets the user and goes to /forgotPassword', async () => {
    const { page, close } = await secondOperator()
    await refuse(page, '/member/me', 401, { code: 'RESET_PASSWORD_REQUIRED', message: 'Choose a new password.' })
    await page.goto('/settings')
    await expectAddress(page, '/forgotPassword?reason=reset')
    await expectShown(page.getByText('Choose a new password to go on.'))
    expect(await storedUser(page)).toBe(null)
    await close()
  })

  it('spec §8 No API key: the call is rejected before it is sent', async () => {
    const { page, sent, close } = await secondOperator()
    await page.goto('/settings')
    const dialog = await openChangePassword(page)
    await fillPasswords(dialog, OWNER.password, NEW_PASSWORD, NEW_PASSWORD)
    await page.evaluate(`localStorage.removeItem('user')`)
    await submitPasswords(dialog)
    await page.waitForURL(/\/login\?/)
    expect(sent.filter(({ to }) => to.includes('change-password'))).toEqual([])
    await close()
  })
})

describe('signing in', () => {
  async function signIn(password: string): Promise<Page> {
    const { page } = visitor
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    return page
  }

  it('spec §8 Sign-in fails: error.message, else An unexpected error occurred.', async () => {
    await expectShown((await signIn('Wrong.Horse9')).getByText('E-mail or password is incorrect.'))
    await refuse(visitor.page, '/signin', 500, { code: 'INTERNAL_ERROR' })
    await expectShown((await signIn(OWNER.password)).getByText('An unexpected error occurred.'))
  })

  it('spec §8 A call of an account answers 400: error.message, else Bad Request: Invalid input.', async () => {
    await refuse(visitor.page, '/signin', 400, { code: 'INVALID_JSON_DATA', message: 'Email is not known here.' })
    await expectShown((await signIn(OWNER.password)).getByText('Email is not known here.'))
    await visitor.page.unrouteAll()
    await refuse(visitor.page, '/signin', 400, { code: 'INVALID_JSON_DATA' })
    await expectShown((await signIn(OWNER.password)).getByText('Bad Request: Invalid input.'))
  })

  it('spec §8 Forgot or reset of a password fails: error.details', async () => {
    const { page } = visitor
    const details = 'The mail server did not answer.'
    await page.route('**/api/v1/member/root/exist', (route) => route.fulfill({ json: { exist: true, mail: true } }))
    await refuse(page, '/member/forgot-password', 503, { code: 'SERVICE_UNAVAILABLE', message: 'No.', details })
    await page.goto('/forgotPassword')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
    await page.keyboard.press('Enter')
    await expectShown(page.getByText(details))
  })

  it('spec §8 Change of a password fails: error.message as an error toast', async () => {
    const { page } = operator
    await page.goto('/settings')
    const dialog = await openChangePassword(page)
    await fillPasswords(dialog, 'Wrong.Horse9', NEW_PASSWORD, NEW_PASSWORD)
    await submitPasswords(dialog)
    await expectShown(page.getByRole('alert', { name: 'Errors' }).getByText('Current password is incorrect.'))
    expect(await dialog.isVisible()).toBe(true)
  })
})

describe('projects', () => {
  const failed = { code: 'INTERNAL_ERROR', message: 'The database is away.', requestId: 'r-1' }

  it('spec §8 The project list does not load: Failed to fetch projects, and a way to try again', async () => {
    const { page } = operator
    await refuse(page, '/external-platform/all', 500, failed)
    await page.goto('/settings')
    await expectShown(page.getByRole('main').getByText('Failed to fetch projects'))
    await expectShown(page.getByRole('button', { name: 'Failed to fetch projects' }))
    await page.unrouteAll()
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expectShown(page.getByRole('main').getByRole('link', { name: 'Acme' }))
  })

  it('spec §8 Project list, details, create or update fails: logged, and the error of the answer is shown', async () => {
    const { page } = operator
    const logged = () => operator.complaints.filter((text) => text.startsWith('Project call failed')).length
    for (const path of ['/external-platform/all', '/external-platform/details']) {
      const before = logged()
      await refuse(page, path, 500, failed)
      await page.goto('/settings')
      await expectShown(page.getByRole('main').getByText('Failed to fetch projects'))
      expect(logged()).toBeGreaterThan(before)
      await page.unrouteAll()
    }
    await page.goto(`/project/${windows.project}/dashboard`)
    const before = logged()
    await refuse(page, '/external-platform', 500, failed)
    const dialog = await openAddProject(page)
    await dialog.getByRole('textbox').fill('Third')
    await page.keyboard.press('Enter')
    await expectShown(dialog.getByText('The database is away.'))
    expect(logged()).toBe(before + 1)
    expect(operator.complaints).toContain('Project call failed INTERNAL_ERROR r-1')
  })

  it('spec §8 A save throws: Error saving project.', async () => {
    const { page } = operator
    await page.goto(`/settings/account/${windows.project}?tab=projectDetails`)
    await page.route('**/api/v1/external-platform/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    )
    await page.getByRole('textbox', { name: 'Website' }).fill('https://acme.example')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expectShown(page.getByText('Error saving project.'))
  })
})

describe('notes in passing', () => {
  const note = (page: Page, name: 'Notifications' | 'Errors', text: string) =>
    page.getByRole(name === 'Errors' ? 'alert' : 'status', { name }).getByText(text)
  const copy = (page: Page) => page.getByRole('button', { name: 'Copy contract address' }).first()

  it('spec §8 The clipboard refuses: Failed to copy {label}', async () => {
    const { page } = operator
    await page.goto('/settings/blockchains/BASE')
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
    await copy(page).click()
    await expectShown(note(page, 'Errors', 'Failed to copy contract address'))
  })

  it('spec §8 stand at the top right for 5 seconds: neither sooner nor later', async () => {
    const { page, close } = await secondOperator()
    await page.clock.install()
    await page.goto('/settings/blockchains/BASE')
    await expectShown(copy(page))
    await page.clock.pauseAt(Date.now() + 60_000)
    await copy(page).click()
    const toast = note(page, 'Notifications', 'Contract address Copied!')
    await expectShown(toast)
    const { x = 0, y = 0, width = 0 } = (await toast.locator('..').boundingBox()) ?? {}
    // Below the bar, so that no button of it is covered.
    const bar = (await page.getByRole('banner').boundingBox()) ?? { y: NaN, height: NaN }
    expect([x + width, y]).toEqual([1440 - 16, bar.y + bar.height + 8])
    await page.clock.runFor(4990)
    expect(await toast.isVisible()).toBe(true)
    await page.clock.runFor(20)
    await expectGone(toast)
    await close()
  })
})

describe('pages that stand in for another', () => {
  it('spec 2.9 404: There’s nothing here, and the way on, menu and search around it', async () => {
    const { page } = operator
    await page.goto('/nothing/here')
    await expectPage(page, 'There’s nothing here.')
    await expectShown(page.getByRole('button', { name: 'Back' }))
    await expectShown(page.getByRole('navigation', { name: 'Main' }))
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expectShown(page.getByRole('dialog', { name: 'Command palette' }))
    await page.keyboard.press('Escape')
    await visitor.page.goto('/nothing/here')
    await expectAddress(visitor.page, '/login?next=%2Fnothing%2Fhere')
    await page.goto('/project/999999/dashboard')
    await expectPage(page, 'There’s no such project.')
  })

  it('spec 2.9 403 FORBIDDEN: which permission is needed, and a sentence to ask for it', async () => {
    const { page } = operator
    await page.route('**/api/v1/member/me', async (route) => {
      const answer = await route.fetch()
      const me = (await answer.json()) as object
      await route.fulfill({ json: { ...me, permissions: { install: ['project:read'], projects: {} } } })
    })
    await page.goto(`/project/${windows.project}/payments/allPayments`)
    await expectPage(page, 'This page isn’t open to you.')
    await expectShown(page.getByText('You need the permission payment:read in Acme.'))
    await expectShown(page.getByText('Your role is root.'))
    await expectShown(page.getByRole('button', { name: 'Copy a request' }))
  })

  it('spec 2.9 500, render fault: says that the money is not affected, and the menu stays', async () => {
    const { page } = operator
    await page.route(/\/assets\/page-security-[^/]*\.js$/, (route) => route.abort())
    await page.goto('/settings/security')
    await expectPage(page, 'Something broke on our side.')
    await expectShown(page.getByText('Your money isn’t affected.'))
    await expectShown(page.getByRole('navigation', { name: 'Main' }))
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectPage(page, 'Security')
  })

  it('spec 2.9 offline: a banner says since when the data is old, and leaves by itself', async () => {
    const { page } = operator
    await page.goto('/settings')
    await expectPage(page, 'Settings')
    await expectShell(page)
    await page.context().setOffline(true)
    const banner = page.getByText(/^You’re offline\. Showing data from \d\d:\d\d\.$/)
    await expectShown(banner)
    await expectPage(page, 'Settings')
    await page.context().setOffline(false)
    await expectGone(banner)
  })

  it('spec 2.9 offline: a page that was not opened yet says so beside the menu, and comes by itself', async () => {
    const { page } = operator
    await page.goto('/settings')
    await expectPage(page, 'Settings')
    await expectShell(page)
    await page.context().setOffline(true)
    await page.evaluate(`history.pushState(null, '', '/settings/email'); dispatchEvent(new PopStateEvent('popstate'))`)
    await expectPage(page, 'This page could not be loaded.')
    await expectShown(page.getByRole('navigation', { name: 'Main' }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectShown(page.getByText('Still no answer.'))
    await page.context().setOffline(false)
    await expectPage(page, 'E-mail')
  })

  it('spec 2.9 offline: what opens over a page waits for the network, and the page keeps what was typed', async () => {
    const { page, close } = await secondOperator()
    // A browser that never has a moment loads nothing ahead.
    await page.addInitScript('window.requestIdleCallback = () => 0')
    await page.goto(`/project/${windows.project}/payments/createPaymentLink`)
    const amount = page.getByRole('textbox', { name: 'Amount in USD' })
    await amount.fill('345')
    await expectShell(page)
    await page.context().setOffline(true)
    // The browser tells the page a moment later.
    await expectShown(page.getByText(/^You’re offline\./))
    await page.keyboard.press('Control+k')
    await expectShown(page.getByText('Kassa does not answer. This opens once it does.'))
    expect(await amount.inputValue()).toBe('345')
    await page.context().setOffline(false)
    await expectShown(page.getByRole('combobox'))
    await page.keyboard.press('Escape')
    expect(await amount.inputValue()).toBe('345')
    await close()
  })

  it('spec 2.9 offline: what is asked for meanwhile says that nobody answers, and is there once somebody does', async () => {
    const { page } = operator
    await page.goto(`/project/${windows.project}/payments/allPayments`)
    await expectPage(page, 'All payments')
    await expectShell(page)
    await page.context().setOffline(true)
    await page.getByRole('searchbox', { name: 'Search payments' }).fill('nobody')
    await expectShown(page.getByText('All payments couldn’t be loaded'))
    await page.context().setOffline(false)
    await expectShown(page.getByText('No payment matches'))
  })
})
