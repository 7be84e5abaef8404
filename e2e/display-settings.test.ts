import { authRoutes } from '@kassa/contract/auth/routes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from './api.ts'
import { openBrowser, openVisit, type Visit } from './browser.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { OWNER } from './shop.ts'
import { until } from './until.ts'

let layout: Layout
let instance: Instance
let browser: Browser
let office: Visit
let home: Visit

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  await apiOf(instance.url)(authRoutes.signUp, { body: OWNER })
  office = await openVisit(browser, instance.url)
  home = await openVisit(browser, instance.url)
})

afterAll(async () => {
  await office?.close()
  await home?.close()
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

async function signIn(page: Page): Promise<void> {
  await page.goto('/login?next=/settings/profile')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
}

const themeOf = (page: Page) => page.locator('html').getAttribute('data-theme')
const become = (page: Page, theme: string | null) =>
  until(
    `the page to be ${theme ?? 'as its device is set'}`,
    () => themeOf(page),
    (now) => now === theme,
  )

describe('display settings on two computers', () => {
  it('are the same on both, whichever they are chosen on', async () => {
    await signIn(office.page)
    expect(await themeOf(office.page)).toBeNull()
    await office.page.getByRole('radio', { name: 'Dark', exact: true }).check()
    await office.page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo')
    await become(office.page, 'dark')
    await signIn(home.page)
    await become(home.page, 'dark')
    await home.page.getByText(/^Now it is .* UTC\+9\.$/).waitFor()
    await home.page.getByRole('radio', { name: 'Light', exact: true }).check()
    await become(office.page, 'light')
    await office.page.getByRole('radio', { name: 'Light', exact: true, checked: true }).waitFor()
  })

  it('are there before the program of the page is', async () => {
    const { page } = office
    await page.getByRole('radio', { name: 'Dark', exact: true }).check()
    await become(home.page, 'dark')
    await page.route('**/*.js', (route) => (route.request().url().endsWith('/theme.js') ? route.continue() : undefined))
    await page.goto('/settings/profile', { waitUntil: 'commit' })
    await become(page, 'dark')
    expect(await page.locator('#root > *').count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('are those of the device again once nobody is signed in', async () => {
    const { page } = home
    await page.goto('/logout')
    await page.getByText('You’re signed out.').waitFor()
    await become(page, null)
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('light')
    await become(page, 'light')
    await signIn(page)
    await become(page, 'dark')
    expect(home.complaints).toEqual([])
  })
})
