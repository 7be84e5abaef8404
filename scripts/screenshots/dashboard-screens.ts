/** The dashboard's screens of a shop with a past. */
import type { Page } from 'playwright-core'

import type { Screen } from './camera.ts'
import type { Seed } from './seed.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const type = (page: Page, name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text)

/** Home, what the shell opens, settings. */
export function projectScreens({ shop: { project } }: Seed): readonly Screen[] {
  const home = `/project/${project}`
  return [
    { name: 'dashboard', path: `${home}/dashboard`, shows: 'Setup guide' },
    { name: 'dashboard-all', path: '/project/all/dashboard', shows: 'Dashboard' },
    {
      name: 'shell-projects',
      path: `${home}/dashboard`,
      shows: 'Nordlicht Records',
      isOverlay: true,
      act: openProjects,
    },
    {
      name: 'shell-profile',
      path: `${home}/dashboard`,
      shows: 'Change Password',
      isOverlay: true,
      act: (page) => button(page, /^Profile:/),
    },
    {
      name: 'change-password',
      path: `${home}/dashboard`,
      shows: 'Current password',
      isOverlay: true,
      act: async (page) => {
        await button(page, /^Profile:/)
        await page.getByRole('menuitem', { name: 'Change Password' }).click()
      },
    },
    { name: 'project-settings', path: `/settings/account/${project}?tab=projectDetails`, shows: 'Branding' },
    {
      name: 'project-settings-changed',
      path: `/settings/account/${project}?tab=projectDetails`,
      shows: 'Save changes',
      act: (page) => type(page, 'Name', 'Acme Coffee Roasters'),
    },
    { name: 'payment-policy', path: `/settings/account/${project}?tab=checkout`, shows: 'Link lifetime' },
    {
      name: 'payment-policy-errors',
      path: `/settings/account/${project}?tab=checkout`,
      shows: 'Save changes',
      act: async (page) => {
        await type(page, 'Underpayment tolerance', '50')
        await button(page, 'Add rule')
        await button(page, 'Save changes')
      },
    },
    { name: 'settings', path: '/settings', shows: 'Settings' },
    { name: 'planned', path: '/withdraw/payouts', shows: /\w/ },
    { name: 'not-found', path: '/nothing/here', shows: /nothing here/i },
  ]
}

/** Wallets, and the steps to a new one. */
export function walletScreens(): readonly Screen[] {
  return [
    { name: 'deposit-wallets', path: '/manageWallet/deposit-wallet', shows: 'Who can move this money' },
    {
      name: 'add-wallet-paste',
      path: '/manageWallet/deposit-wallet',
      shows: 'Where is the wallet?',
      isOverlay: true,
      act: (page) => button(page, 'Add deposit wallet'),
    },
    {
      name: 'add-wallet-private-key',
      path: '/manageWallet/deposit-wallet',
      shows: /private/,
      isOverlay: true,
      act: pastePrivate,
    },
    {
      name: 'add-wallet-words',
      path: '/manageWallet/deposit-wallet',
      shows: 'I have written them down',
      isOverlay: true,
      act: makeWords,
    },
    {
      name: 'add-wallet-compare',
      path: '/manageWallet/deposit-wallet',
      shows: 'compare the first addresses it shows',
      isOverlay: true,
      act: async (page) => {
        await makeWords(page)
        await page.getByRole('checkbox', { name: 'I have written them down' }).check()
        await button(page, 'Continue')
      },
    },
  ]
}

/** Keys, endpoints and messages. */
export function developerScreens(): readonly Screen[] {
  return [
    { name: 'developers-keys', path: '/developers?tabId=apiKeys', shows: 'Create API key' },
    {
      name: 'create-key',
      path: '/developers?tabId=apiKeys',
      shows: 'Create an API key',
      isOverlay: true,
      act: (page) => button(page, 'Create API key'),
    },
    {
      name: 'key-shown-once',
      path: '/developers?tabId=apiKeys',
      shows: 'Copy your key now',
      isOverlay: true,
      act: async (page) => {
        await button(page, 'Create API key')
        const dialog = page.getByRole('dialog', { name: 'Create an API key' })
        await dialog.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Nordlicht Records' })
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop server')
        await dialog.getByRole('button', { name: 'Create' }).click()
      },
    },
    { name: 'developers-webhooks', path: '/developers?tabId=webhooks', shows: 'Deliveries' },
    {
      name: 'add-endpoint',
      path: '/developers?tabId=webhooks',
      shows: 'Add an endpoint',
      isOverlay: true,
      act: (page) => button(page, 'Add endpoint'),
    },
    {
      name: 'delivery',
      path: '/developers?tabId=webhooks',
      shows: /Attempts|Tries/,
      isOverlay: true,
      act: async (page) => {
        await page.getByText('payment.filled').filter({ visible: true }).first().click()
      },
    },
  ]
}

/** On a phone the projects stand in the sidebar's panel. */
async function openProjects(page: Page): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 640
  if (isPhone) await button(page, 'Expand menu')
  const selectors = page.getByRole('button', { name: /^Project:/ })
  await (isPhone ? selectors.last() : selectors.first()).click()
}

async function pastePrivate(page: Page): Promise<void> {
  await button(page, 'Add deposit wallet')
  const dialog = page.getByRole('dialog', { name: 'Add deposit wallet' })
  await dialog.getByRole('textbox').first().fill('test test test test test test test test test test test junk')
}

async function makeWords(page: Page): Promise<void> {
  await button(page, 'Add deposit wallet')
  const dialog = page.getByRole('dialog', { name: 'Add deposit wallet' })
  await dialog.getByRole('radio', { name: /Make a test wallet/ }).check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('list', { name: 'Recovery words' }).waitFor()
}
