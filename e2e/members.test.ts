import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { MAIL_USER, type Mailbox, startMailbox } from '../apps/server/src/testing/mailbox.ts'
import { type Api, apiOf } from './api.ts'
import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { clearLayout, type Instance, type Layout, newLayout, startInstance } from './instance.ts'
import { OWNER } from './shop.ts'
import { until } from './until.ts'

const OLGA = { email: 'olga@shop.example', password: 'Another.Horse8' }

/** Signed out within so long after the access was taken away. */
const SIGNED_OUT_MS = 1000

let layout: Layout
let instance: Instance
let browser: Browser
let mailbox: Mailbox
let root: Api
let shop: number
let owner: Visit
let member: Visit
let memberId: number

beforeAll(async () => {
  layout = await newLayout()
  ;[instance, browser, mailbox] = await Promise.all([startInstance(layout), openBrowser(), startMailbox()])
  const { key } = await apiOf(instance.url)(authRoutes.signUp, { body: { ...OWNER } })
  root = apiOf(instance.url, key)
  shop = (await root(projectsRoutes.createProject, { body: { name: 'Acme' } })).id
  const server = { host: '127.0.0.1', port: mailbox.port, ...MAIL_USER, encryption: 'none' } as const
  await root(mailRoutes.saveMailServer, { body: { ...server, from: 'kassa@shop.example' } })
  owner = await openVisit(browser, instance.url)
  member = await openVisit(browser, instance.url)
})

afterAll(async () => {
  await owner?.close()
  await member?.close()
  await browser?.close()
  await instance?.stop()
  await mailbox?.close()
  clearLayout(layout)
})

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
}

/** Opens a page of the member that hears what happens to them. */
async function openHearing(path: string, heading: string): Promise<void> {
  const before = member.sent.length
  await member.page.goto(path)
  await member.page.getByRole('heading', { name: heading }).waitFor()
  const isSubscribed = () => member.sent.slice(before).some(({ text }) => text.includes('"type":"subscribe"'))
  await until('the page to subscribe', isSubscribed, (is) => is)
}

describe('a member, from the invitation by mail to the end of the access', () => {
  it('is invited on screen and gets a mail', async () => {
    const { page } = owner
    await signIn(page, OWNER)
    await page.goto('/settings/members')
    await page.getByText('Only you.').waitFor()
    await page.getByRole('button', { name: 'Invite member' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite member' })
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await dialog.getByText('E-mail is required').waitFor()
    await dialog.getByText('Role is required').waitFor()
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(OLGA.email)
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('Project Ops')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await dialog.getByText('Choose at least one project.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Acme' }).check()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText(`An invitation is on its way to ${OLGA.email}`).waitFor()
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: OLGA.email })
    await row.getByText('Invited').waitFor()
    const { text = '' } = await mailbox.holds(1)
    expect(text).toContain('to Kassa as Project Ops of Acme.')
  })

  it('sets a password with the link of the mail and signs in', async () => {
    const { page } = member
    const [link = ''] = /http\S+resetPasswordToken=[\w-]{43}/.exec(mailbox.mails[0]?.text ?? '') ?? []
    expect(link.startsWith(`${instance.url}/setPassword`)).toBe(true)
    await page.goto(link)
    await page.getByRole('textbox', { name: 'New password' }).fill(OLGA.password)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(OLGA.password)
    await page
      .getByRole('button', { name: /password/i })
      .last()
      .click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(page, OLGA)
    const found = (await root(membersRoutes.searchMembers, { body: { query: OLGA.email } })).members.data[0]
    expect(found).toMatchObject({ state: 'active' })
    memberId = found?.id ?? 0
  })

  it('sees which permission is missing once it was taken while the page is open', async () => {
    const { page } = member
    await openHearing(`/project/${shop}/payments/createPaymentLink`, 'Create payment link')
    const body = { roleName: 'project_manager', projectIDs: [shop] }
    await root(membersRoutes.replaceRoles, { params: { id: memberId }, body })
    await page.getByText('You need the permission payment:create in Acme.').waitFor()
    await page.getByRole('button', { name: 'Copy a request' }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toContain('Please give me the permission payment:create in Acme')
  })

  it('is signed out within a second of the end of the access', async () => {
    const { page } = member
    await openHearing(`/project/${shop}/payments/allPayments`, 'All payments')
    const signedOut = page.waitForURL(/\/login\?/, { timeout: 10 * SIGNED_OUT_MS }).then(() => performance.now())
    await root(accountRoutes.revokeAccess, { params: { id: memberId }, body: {} })
    const revoked = performance.now()
    expect((await signedOut) - revoked).toBeLessThan(SIGNED_OUT_MS)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
  })

  it('stays in the list without access until it is given back', async () => {
    const { page } = owner
    await page.goto(`/settings/members?query=${OLGA.email}`)
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: OLGA.email })
    await row.getByText('No access').waitFor()
    await row.getByRole('button', { name: `Actions for ${OLGA.email}` }).click()
    await page.getByRole('menuitem', { name: 'Activate' }).click()
    await row.getByText('Active').waitFor()
    await signIn(member.page, OLGA)
    expect((await root(membersRoutes.getMember, { params: { id: memberId } })).state).toBe('active')
  })
})
