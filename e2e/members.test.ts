import { accountRoutes } from '@kassa/contract/auth/account-routes.ts'
import { factorRoutes } from '@kassa/contract/auth/factor-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { totpCode } from '../apps/server/src/modules/auth/factors/totp.ts'
import { base32 } from '../apps/server/src/testing/accounts/factors.ts'
import { MAIL_USER, type Mailbox, startMailbox } from '../apps/server/src/testing/services/mailbox.ts'
import { accountXpub } from '../apps/server/src/testing/shop.ts'
import { type Api, apiOf } from './api.ts'
import { openAuthenticator } from './authenticator.ts'
import { openBrowser, openVisit, plugSecurityKey, violationsOf, type Visit } from './browser.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { OWNER } from './shop.ts'
import { until } from './until.ts'

const OLGA = { email: 'olga@shop.example', password: 'Another.Horse8' }

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
  layout = await installedLayout()
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

/** The first mail to somebody: the server writes to others meanwhile. */
async function mailTo(email: string): Promise<Mailbox['mails'][number]> {
  const find = () => mailbox.mails.find(({ to }) => to !== undefined && !Array.isArray(to) && to.text === email)
  const mail = await until(`a mail to ${email}`, find, (found) => found !== undefined)
  if (mail === undefined) throw new Error(`No mail to ${email}`)
  return mail
}

/** The code an authenticator app shows, by steps of 30 seconds from now. */
function codeOf(secret: string, by = 0): string {
  return totpCode(base32(secret), Math.floor(Date.now() / 30_000) + by)
}

/** Opens a page of the member that hears what happens to them. */
async function openHearing(path: string, heading: string): Promise<void> {
  // The page before may be about to subscribe.
  await member.page.goto('about:blank')
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
    const { text = '' } = await mailTo(OLGA.email)
    expect(text).toContain('to Kassa as Project Ops of Acme.')
    // The account was made by a program; this browser is new.
    expect((await mailTo(OWNER.email)).subject).toBe('A new device signed in to your Kassa account')
  })

  it('sets a password with the link of the mail and signs in', async () => {
    const { page } = member
    const [link = ''] = /http\S+resetPasswordToken=[\w-]{43}/.exec((await mailTo(OLGA.email)).text ?? '') ?? []
    expect(link.startsWith(`${instance.url}/setPassword`)).toBe(true)
    await page.goto(link)
    await page.getByRole('textbox', { name: 'New password' }).fill(OLGA.password)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(OLGA.password)
    await page
      .getByRole('button', { name: /password/i })
      .last()
      .click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    const found = (await root(membersRoutes.searchMembers, { body: { query: OLGA.email } })).members.data[0]
    expect(found).toMatchObject({ state: 'active' })
    memberId = found?.id ?? 0
  })

  it('is offered a second factor, and adds an authenticator app and a passkey', async () => {
    const { page } = member
    await page.getByRole('textbox', { name: 'E-mail' }).fill(OLGA.email)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OLGA.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
    const secret = (await dialog.getByLabel('Secret', { exact: true }).textContent()) ?? ''
    expect(await violationsOf(page)).toEqual([])
    const code = dialog.getByRole('textbox', { name: 'Code' })
    await code.fill(codeOf(secret, -10))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('the clock of the phone is behind').waitFor()
    await code.fill(codeOf(secret))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    const codes = page.getByRole('dialog', { name: 'Backup codes' })
    await codes.getByRole('list', { name: 'Backup codes' }).waitFor()
    expect(await codes.getByRole('listitem').count()).toBe(10)
    expect(await violationsOf(page)).toEqual([])
    await codes.getByRole('checkbox', { name: 'I have saved them' }).check()
    await codes.getByRole('button', { name: 'Done' }).click()

    await plugSecurityKey(page)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const making = page.getByRole('dialog', { name: 'Add a passkey' })
    await making.getByRole('textbox', { name: 'Name' }).fill('Key of Olga')
    await making.getByRole('button', { name: 'Make passkey' }).click()
    await making.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.goto('/settings/security')
    await page.getByRole('list', { name: 'Passkeys' }).getByText('Key of Olga').waitFor()
    await page.getByText('10 codes left.').waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('signs in with the passkey alone: from the list of the e-mail field, and by the button', async () => {
    const { page } = member
    // The authenticator answers as soon as the field asks.
    await page.goto('/logout')
    await page.waitForURL(/\/login/)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await page.goto('/logout')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect((await root(membersRoutes.getMember, { params: { id: memberId } })).secondFactor).toBe(true)
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

  it('is signed out by the end of the access, without a press', async () => {
    const { page } = member
    await openHearing(`/project/${shop}/payments/allPayments`, 'All payments')
    await root(accountRoutes.revokeAccess, { params: { id: memberId }, body: {} })
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  it('stays in the list without access until it is given back', async () => {
    const { page } = owner
    await page.goto(`/settings/members?query=${OLGA.email}`)
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: OLGA.email })
    await row.getByText('No access').waitFor()
    await row.getByRole('button', { name: `Actions for ${OLGA.email}` }).click()
    await page.getByRole('menuitem', { name: 'Activate' }).click()
    await row.getByText('Active').waitFor()
    expect((await root(membersRoutes.getMember, { params: { id: memberId } })).state).toBe('active')
    await member.page.goto('/login')
    await member.page.getByRole('button', { name: 'Use a passkey' }).click()
    await member.page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  it('loses the second factor by an administrator, and signs in with the password alone', async () => {
    const { page } = owner
    await page.goto(`/settings/members?query=${OLGA.email}`)
    const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: OLGA.email })
    await row.getByText('Set up').waitFor()
    await row.getByRole('button', { name: `Actions for ${OLGA.email}` }).click()
    await page.getByRole('menuitem', { name: 'Remove second factor' }).click()
    await page.getByRole('button', { name: 'Remove second factor' }).click()
    await page.getByText('Second factor removed').waitFor()
    await member.page.getByRole('button', { name: 'Sign in' }).waitFor()
    await signIn(member.page, OLGA)
    expect((await root(membersRoutes.getMember, { params: { id: memberId } })).secondFactor).toBe(false)
  })
})

describe('an owner with an authenticator app, who replaces a deposit wallet', () => {
  let secret: string
  let nextCode: () => Promise<string>
  let wallets: { readonly former: number; readonly next: number }
  const linked = async () =>
    (await root(walletsRoutes.listProjectWallets, { params: { p: String(shop) } }))[0]?.walletID

  beforeAll(async () => {
    const add = async (name: string, facts = {}) => {
      const body = { name, xpubs: [{ family: 'ETH_Family', xpub: accountXpub() }], ...facts }
      return (await root(walletsRoutes.addDepositWallet, { body })).id
    }
    wallets = { former: await add('Former', { projectID: shop }), next: await add('Next') }
    secret = (await root(factorRoutes.beginTotp)).secret
    nextCode = openAuthenticator(secret)
    await root(factorRoutes.confirmTotp, { body: { code: await nextCode() } })
    // The app ended the sessions before it.
    const { page } = owner
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('textbox', { name: 'Code of the authenticator app' }).fill(await nextCode())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  it('sees what the server says will happen, and changes it with a right code alone', async () => {
    const { page } = owner
    await page.goto('/manageWallet/deposit-wallet')
    await page
      .getByRole('heading', { name: 'Next' })
      .locator('xpath=../../..')
      .getByRole('button', { name: 'Link projects' })
      .click()
    const choice = page.getByRole('dialog', { name: 'Link projects to “Next”' })
    await choice.getByRole('checkbox', { name: 'Acme' }).check()
    await choice.getByRole('button', { name: 'Link projects' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByText('What you confirm is exactly this.').waitFor()
    const lines = await dialog.getByRole('listitem').allTextContents()
    expect(lines.map((line) => line.replace(/key [0-9a-f]{8}/, 'key …'))).toEqual([
      'New customers of Acme get their addresses of ETH_Family from the wallet “Next” (key …), no longer from “Former”.',
      'Customers who have an address keep it.',
    ])
    expect(await violationsOf(page)).toEqual([])
    // The clock of a phone that is an hour ahead: a code of this secret, and none that is taken.
    await dialog.getByRole('textbox', { name: 'Code of the authenticator app' }).fill(codeOf(secret, 120))
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.getByText('This code is not valid.').waitFor()
    expect(await linked()).toBe(wallets.former)
    await dialog.getByRole('textbox', { name: 'Code of the authenticator app' }).fill(await nextCode())
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Project linked').waitFor()
    await choice.waitFor({ state: 'detached' })
    expect(await linked()).toBe(wallets.next)
  })
})
