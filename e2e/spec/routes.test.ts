import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../api.ts'
import type { Visit } from '../browser.ts'
import { newPayment, OWNER, pay, settled } from '../shop.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { expectAddress, expectPage, expectShown } from './expect.ts'

let windows: OperatorWindows
let visitor: Visit
let operator: Visit
let waiting: string
let paid: string

beforeAll(async () => {
  windows = await openOperatorWindows()
  ;[visitor, operator, waiting, paid] = await Promise.all([
    windows.visitor(),
    windows.operator(),
    newPayment(windows.shop),
    newPayment(windows.shop),
  ])
  await pay(windows.shop, paid, 'exact')
})

afterAll(() => windows?.close())

/** Opens a path without a session, and stays there. */
async function expectOpenTo(heading: string, path: string): Promise<Page> {
  const { page } = visitor
  await page.goto(path)
  await expectPage(page, heading)
  expect(new URL(page.url()).pathname).toBe(path.split('?')[0])
  return page
}

/** Signs the first account in where the form is. */
async function signIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.keyboard.press('Enter')
}

const shell = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const publicFooter = (page: Page) => page.getByRole('contentinfo')

describe('pages without a session', () => {
  it('spec §2 / landing page: says what this is and leads in', async () => {
    const page = await expectOpenTo('Crypto payments you run yourself', '/')
    await expectShown(publicFooter(page))
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expectAddress(page, '/login')
  })

  it('the landing page leads operators to their work', async () => {
    const { page } = operator
    await page.goto('/')
    await page.getByRole('link', { name: 'Open the dashboard' }).click()
    await expectAddress(page, '/project/all/dashboard')
    await expectPage(page, 'Dashboard')
  })

  it('spec §2 /login: asks for e-mail and password', async () => {
    const page = await expectOpenTo('Sign in', '/login')
    await expectShown(page.getByRole('textbox', { name: 'E-mail' }))
    await expectShown(page.getByLabel('Password', { exact: true }))
  })

  it('spec §2 /signup: makes the first account; with one it says so at sign-in', async () => {
    const { page } = visitor
    await page.goto('/signup')
    await expectAddress(page, '/login?reason=closed')
    await expectShown(page.getByText('The first account already exists.', { exact: false }))
    await page.route('**/api/v1/member/root/exist', (route) => route.fulfill({ json: { exist: false } }))
    await expectOpenTo('Create the first account', '/signup')
    await page.unrouteAll()
  })

  it('spec §2 /forgotPassword: asks where to send a link; without a mail server it names the command that makes one', async () => {
    await expectShown((await expectOpenTo('Forgot password', '/forgotPassword')).getByText('npm run password-link'))
    const { page } = visitor
    await page.route('**/api/v1/member/root/exist', (route) => route.fulfill({ json: { exist: true, mail: true } }))
    await expectOpenTo('Forgot password', '/forgotPassword')
    await expectShown(page.getByRole('button', { name: 'Send link' }))
    await page.unrouteAll()
  })

  it('spec §2 /createPassword: a link that is none leads to a new one', async () => {
    const page = await expectOpenTo('Create a new password', '/createPassword?resetPasswordToken=none')
    await expectShown(page.getByRole('link', { name: 'Send a new link' }))
  })

  it('spec §2 /setPassword: a link that is none leads to whoever invited', async () => {
    const page = await expectOpenTo('Set your password', '/setPassword')
    await expectShown(page.getByText(/Ask who invited you for another one/))
    await expectShown(page.getByRole('main').getByRole('link', { name: 'Sign in' }))
  })

  it('spec §2 /privacy-policy: is read without an account', () => expectOpenTo('Privacy Policy', '/privacy-policy'))

  it('spec §2 /cookie-policy: is read without an account', () => expectOpenTo('Cookie Policy', '/cookie-policy'))

  it('spec §2 /referral/[token]: stands bare, with no shell and no public header, for anyone', async () => {
    for (const { page } of [visitor, operator]) {
      await page.goto('/referral/a-token')
      await expectPage(page, 'This link has expired.')
      expect(await shell(page).count()).toBe(0)
      expect(await page.getByRole('banner').count()).toBe(0)
      expect(await publicFooter(page).count()).toBe(0)
    }
  })

  it('spec §2 /addresses: is open to anyone', async () => {
    const page = await expectOpenTo('Check an address', '/addresses')
    await expectShown(page.getByRole('textbox', { name: 'Address' }))
  })
})

describe('pages of the payer', () => {
  it('spec §2 /payments: shows the payment of its reference', async () => {
    const { page } = visitor
    await page.goto(`/payments?reference_id=${waiting}`)
    await expectShown(page.getByRole('radio', { name: 'USDC on Base' }))
  })

  it('spec §2 /pay: shows the same payment in little space', async () => {
    const { page } = visitor
    await page.goto(`/pay?reference_id=${waiting}`)
    await expectShown(page.getByRole('radio', { name: 'USDC on Base' }))
  })

  it('spec §2 /success: leads to the payment until it is paid, then is its receipt', async () => {
    const { page } = visitor
    await page.goto(`/success?reference_id=${waiting}`)
    await expectAddress(page, `/payments?reference_id=${waiting}`)
    await settled(windows.shop, paid, 'FILLED')
    await page.goto(`/success?reference_id=${paid}`)
    await expectShown(page.getByRole('heading', { name: 'Paid. Thank you' }))
  })
})

describe('the public layout', () => {
  const pages = ['/', '/login', '/forgotPassword', '/createPassword', '/setPassword']

  it('spec §2 Header the logo: on every page of it, and it leads to the landing page', async () => {
    const { page } = visitor
    for (const path of pages) {
      await page.goto(path)
      const logo = page.getByRole('banner').getByRole('link', { name: 'Kassa' })
      await expectShown(logo)
      expect(await logo.getAttribute('href')).toBe('/')
    }
  })

  it('spec §2 year of the copyright, links: they lead there', async () => {
    const { page } = visitor
    await page.goto('/login')
    await expectShown(publicFooter(page).getByText(`© ${new Date().getFullYear()}`))
    await publicFooter(page).getByRole('link', { name: 'Privacy Policy' }).click()
    await expectAddress(page, '/privacy-policy')
    await publicFooter(page).getByRole('link', { name: 'Cookie Policy' }).click()
    await expectAddress(page, '/cookie-policy')
  })

  it('spec §2 an illustration, except on /: beside the form', async () => {
    const { page } = visitor
    const seen: Record<string, boolean> = {}
    for (const path of pages) {
      await page.goto(path)
      await expectShown(publicFooter(page))
      seen[path] = await page.locator('main + [aria-hidden] svg').isVisible()
    }
    expect(seen).toEqual(Object.fromEntries(pages.map((path) => [path, path !== '/'])))
  })
})

describe('pages of the shell that no menu item names', () => {
  it('spec §2 /manageWallet/sweepContract/deploy: opens by its address', async () => {
    const { page } = operator
    await page.goto('/manageWallet/sweepContract/deploy')
    await expectPage(page, 'Deploy sweep contract')
    await expectShown(page.getByRole('button', { name: 'Connect wallet' }))
    await expectShown(shell(page))
  })

  it('spec §2 /settings/account/{projectId}?tab=projectDetails: opens the project’s details', async () => {
    const { page } = operator
    await page.goto(`/settings/account/${windows.project}?tab=projectDetails`)
    await expectPage(page, 'Acme')
    await expectShown(page.getByRole('tab', { name: 'Project details', selected: true }))
  })
})

describe('the guard', () => {
  it('spec §2 leads to /login: from every page of the shell, and back to it after signing in', async () => {
    const { page } = visitor
    for (const path of ['/settings', '/project/1/dashboard', '/sweepIn?tabId=Funds', '/withdraw/payouts']) {
      await page.goto(path)
      await expectAddress(page, `/login?next=${encodeURIComponent(path)}`)
    }
    await signIn(page)
    await expectAddress(page, '/withdraw/payouts')
  })

  it('spec §2 /logout: ends the session on the server and on the device, and says so', async () => {
    const { key } = await apiOf(windows.url)(authRoutes.signIn, { body: OWNER })
    const leaving = await windows.operator({}, key)
    await leaving.page.goto('/logout')
    await expectAddress(leaving.page, '/login?reason=signed-out')
    await expectShown(leaving.page.getByText('You’re signed out.'))
    expect(await leaving.page.evaluate<unknown>(`localStorage.getItem('user')`)).toBe(null)
    await expect(apiOf(windows.url, key)(authRoutes.listSessions)).rejects.toThrow('401')
    await leaving.close()
  })

  it('a tab that was signed out goes on once another tab signs in', async () => {
    const { key } = await apiOf(windows.url)(authRoutes.signIn, { body: OWNER })
    const left = await windows.operator({}, key)
    await left.page.goto('/logout')
    await expectAddress(left.page, '/login?reason=signed-out')
    const other = await left.page.context().newPage()
    await other.goto('/login?next=%2Fsettings')
    await signIn(other)
    await expectAddress(other, '/settings')
    await expectShown(shell(left.page))
    await left.close()
  })

  it('a tab that another tab signed out is back where it was once that one signs in', async () => {
    const stayed = await windows.operator()
    await stayed.page.goto('/settings/security?from=menu')
    await expectPage(stayed.page, 'Security')
    const other = await stayed.page.context().newPage()
    // A server that knows would tell the tab as well, and be first at times.
    await other.route('**/api/v1/logout', (route) => route.abort())
    await other.goto('/logout')
    await expectAddress(other, '/login?reason=signed-out')
    await expectAddress(
      stayed.page,
      `/login?reason=signed-out&next=${encodeURIComponent('/settings/security?from=menu')}`,
    )
    await expectShown(stayed.page.getByText('You’re signed out.'))
    await signIn(other)
    await expectShown(shell(other))
    await expectAddress(stayed.page, '/settings/security?from=menu')
    await expectPage(stayed.page, 'Security')
    await stayed.close()
  })
})
