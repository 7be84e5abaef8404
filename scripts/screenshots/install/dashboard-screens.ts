/** The dashboard's screens of a shop with a past. */
import type { Page } from 'playwright-core'

import { API } from '../answers.ts'
import type { Screen } from '../camera.ts'
import { choose, fill, press } from '../hand.ts'
import type { Seed } from '../seed.ts'

/** Settings of a project. */
export function projectScreens({ shop: { project } }: Seed): readonly Screen[] {
  return [
    { name: 'project-settings', path: `/settings/account/${project}?tab=projectDetails`, shows: 'Branding' },
    {
      name: 'project-settings-changed',
      path: `/settings/account/${project}?tab=projectDetails`,
      shows: 'Save changes',
      act: (page) => fill(page, 'Name', 'Acme Coffee Roasters'),
    },
    {
      name: 'project-settings-lost',
      path: `/settings/account/${project}?tab=projectDetails`,
      shows: /The server could not be reached/,
      isOverlay: true,
      act: async (page) => {
        await page.route(`${API}/external-platform/${project}`, (route) =>
          route.request().method() === 'PUT' ? route.abort() : route.continue(),
        )
        await fill(page, 'Name', 'Acme Coffee Roasters')
        await press(page, 'Save changes')
      },
    },
    { name: 'payment-policy', path: `/settings/account/${project}?tab=checkout`, shows: 'Link lifetime' },
    {
      name: 'payment-policy-errors',
      path: `/settings/account/${project}?tab=checkout`,
      shows: 'Save changes',
      act: async (page) => {
        await fill(page, 'Underpayment tolerance', '50')
        await press(page, 'Add rule')
        await press(page, 'Save changes')
      },
    },
    { name: 'settings', path: '/settings', shows: 'Settings' },
  ]
}

/** Wallets, and the steps to a new one. */
export function walletScreens(): readonly Screen[] {
  return [
    { name: 'deposit-wallets', set: 'A', path: '/manageWallet/deposit-wallet', shows: 'Who can move this money' },
    {
      name: 'add-wallet-paste',
      path: '/manageWallet/deposit-wallet',
      shows: 'Where is the wallet?',
      isOverlay: true,
      act: (page) => press(page, 'Add deposit wallet'),
    },
    {
      name: 'add-wallet-private-key',
      set: 'A',
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
        await press(page, 'Continue')
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
      act: (page) => press(page, 'Create API key'),
    },
    {
      name: 'key-shown-once',
      path: '/developers?tabId=apiKeys',
      shows: 'Copy your key now',
      isOverlay: true,
      act: async (page) => {
        await press(page, 'Create API key')
        const dialog = page.getByRole('dialog', { name: 'Create an API key' })
        await dialog.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Nordlicht Records' })
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop server')
        await dialog.getByRole('button', { name: 'Create' }).click()
      },
    },
    ...keyScreens(),
    { name: 'developers-webhooks', path: '/developers?tabId=webhooks', shows: 'Deliveries' },
    {
      name: 'add-endpoint',
      path: '/developers?tabId=webhooks',
      shows: 'Add an endpoint',
      isOverlay: true,
      act: (page) => press(page, 'Add endpoint'),
    },
    {
      name: 'add-endpoint-discard',
      path: '/developers?tabId=webhooks',
      shows: 'Discard what you filled in?',
      isOverlay: true,
      act: async (page) => {
        await press(page, 'Add endpoint')
        await fill(page, 'URL', 'shop.acme.com/hook')
        await page.keyboard.press('Escape')
      },
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

/** What can be done with a key, and what it did. */
function keyScreens(): readonly Screen[] {
  const open = { path: '/developers?tabId=apiKeys', isOverlay: true }
  const actions = (page: Page) => press(page, 'Actions for Shop')
  const act = (item: string) => async (page: Page) => {
    await actions(page)
    await choose(page, item)
  }
  return [
    { ...open, name: 'key-menu', shows: 'Turn off', act: actions },
    { ...open, name: 'key-edit', set: 'A', shows: 'Allowed addresses', act: act('Edit') },
    { ...open, name: 'key-rotate', set: 'A', shows: /goes on working for/, act: act('Rotate') },
    { ...open, name: 'key-off', shows: 'Cancel', act: act('Turn off') },
    { ...open, name: 'key-revoke', shows: 'Cancel', act: act('Revoke') },
    { name: 'key-requests', path: '/settings/audit-log?key=1', shows: /a payment/ },
  ]
}

async function pastePrivate(page: Page): Promise<void> {
  await press(page, 'Add deposit wallet')
  const dialog = page.getByRole('dialog', { name: 'Add deposit wallet' })
  await dialog.getByRole('textbox').first().fill('test test test test test test test test test test test junk')
}

async function makeWords(page: Page): Promise<void> {
  await press(page, 'Add deposit wallet')
  const dialog = page.getByRole('dialog', { name: 'Add deposit wallet' })
  await dialog.getByRole('radio', { name: /Make a test wallet/ }).check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('list', { name: 'Recovery words' }).waitFor()
}
