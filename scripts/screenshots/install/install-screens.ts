/** The screens for running an install: its health, its networks and nodes, its endpoints. */
import type { Page } from 'playwright-core'

import { API } from '../answers.ts'
import type { Screen } from '../camera.ts'
import { press } from '../hand.ts'

const BASE = '/settings/blockchains/BASE'
const NOBODY = '00000000-0000-7000-8000-000000000000'

/** Who did what: the list, an entry with what changed, the chain verified, and a search that finds nothing. */
const auditScreens: readonly Screen[] = [
  { name: 'audit-log', path: '/settings/audit-log', set: 'A', shows: /a payment|127\.0\.0\.1/ },
  {
    name: 'audit-entry',
    path: '/settings/audit-log?event=createApiKey',
    shows: 'Hash of the entry before',
    isOverlay: true,
    act: (page) => page.getByText('Create an API key').nth(1).click(),
  },
  {
    name: 'audit-verified',
    path: '/settings/audit-log?view=access',
    shows: /chain unbroken/,
    act: (page) => press(page, 'Verify chain'),
  },
  { name: 'audit-none', path: '/settings/audit-log?query=nobody@', shows: 'Nothing matches' },
]

/** Health, well and not; networks, nodes, currencies. */
export function installScreens(): readonly Screen[] {
  return [
    ...auditScreens,
    { name: 'system-health', path: '/settings/system', shows: 'Every account balances' },
    { name: 'blockchains', path: '/settings/blockchains', shows: 'One node can lie' },
    { name: 'blockchain', path: BASE, shows: 'Read blocks again' },
    {
      name: 'blockchain-tested',
      path: BASE,
      shows: /of 1 node answer/,
      act: (page) => press(page, 'Test connection'),
    },
    {
      name: 'blockchain-node-menu',
      path: BASE,
      shows: 'Turn off',
      isOverlay: true,
      act: (page) => press(page, /^Actions for/),
    },
    {
      name: 'add-node',
      path: BASE,
      shows: 'Add a node of',
      isOverlay: true,
      act: (page) => press(page, 'Add node'),
    },
    {
      name: 'add-node-refused',
      path: BASE,
      shows: /not allowed|did not answer/,
      isOverlay: true,
      act: async (page) => {
        await press(page, 'Add node')
        const dialog = page.getByRole('dialog', { name: /^Add a node/ })
        await dialog.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/')
        await dialog.getByRole('button', { name: 'Add node' }).click()
      },
    },
    {
      name: 'remove-node',
      path: BASE,
      shows: 'Cancel',
      isOverlay: true,
      act: async (page) => {
        await press(page, /^Actions for/)
        await page.getByRole('menuitem', { name: 'Remove' }).click()
      },
    },
  ]
}

/** What is changed about a network. */
export function networkScreens(): readonly Screen[] {
  return [
    {
      name: 'read-blocks-again',
      path: BASE,
      shows: /are read again in the background/,
      act: async (page) => {
        await page.getByRole('spinbutton', { name: 'From block' }).fill('1')
        await press(page, 'Read again')
      },
    },
    {
      name: 'turn-off-network',
      path: BASE,
      shows: 'Customers can no longer choose it',
      isOverlay: true,
      act: (page) => press(page, /^Turn off/),
    },
    {
      name: 'edit-asset',
      path: BASE,
      shows: 'Customers may choose it',
      isOverlay: true,
      act: (page) => press(page, /^Edit/),
    },
    { name: 'blockchain-unknown', path: '/settings/blockchains/DOGE', shows: /There is no network/ },
  ]
}

/** What happened, and one endpoint with what was sent to it. */
export function endpointScreens(): readonly Screen[] {
  const open = (view: string) => `/developers?tabId=webhooks&open=1&view=${view}`
  return [
    { name: 'endpoint-deliveries', path: open('deliveries'), shows: 'Resend failed…' },
    { name: 'endpoint-settings', path: open('settings'), shows: 'Save endpoint' },
    {
      name: 'endpoint-tested',
      path: open('deliveries'),
      shows: /503/,
      act: async (page) => {
        await press(page, 'Test')
        await page
          .getByText(/answered 503 in|Service unavailable/)
          .first()
          .waitFor()
      },
    },
    {
      name: 'delivery-tries',
      path: `${open('deliveries')}&status=received`,
      shows: /^Try 1/,
      isOverlay: true,
      act: async (page) => {
        await page.getByText('payment.filled').filter({ visible: true }).first().click()
        await page.getByRole('tab', { name: 'Tries' }).click()
      },
    },
    { name: 'deliveries-none', path: `${open('deliveries')}&status=discarded`, shows: 'No delivery matches' },
    { name: 'event-log-none', path: `/developers?tabId=events&reference=${NOBODY}`, shows: 'No event matches' },
    {
      name: 'rotate-secret',
      path: open('settings'),
      shows: 'The old secret goes on signing for',
      isOverlay: true,
      act: (page) => press(page, 'Rotate signing secret'),
    },
    {
      name: 'delete-endpoint',
      path: open('settings'),
      shows: /to confirm/,
      isOverlay: true,
      act: (page) => press(page, 'Delete endpoint'),
    },
    {
      name: 'replay-deliveries',
      path: open('deliveries'),
      shows: 'Also what was received',
      isOverlay: true,
      act: (page) => press(page, 'Resend failed…'),
    },
    { name: 'event-log', path: '/developers?tabId=events', shows: /^payment\.[a-z]+$/ },
    {
      name: 'event',
      path: '/developers?tabId=events',
      shows: 'Event id',
      isOverlay: true,
      act: openEvent,
    },
  ]
}

function openEvent(page: Page): Promise<void> {
  return page
    .getByRole('link', { name: /^payment\./ })
    .first()
    .click()
}

const AT = '2026-01-31T09:30:00.000Z'
const SERVER_VAULT = {
  ...{ id: 1, createdAt: AT, updatedAt: AT, name: 'Server', provider: 'file', status: 'unlocked' },
  ...{ processes: { total: 4, unlocked: 4 }, secretCount: 12, unreadableCount: 0, keyVersion: 1, rotation: null },
  ...{ isDefault: true, lastUsedAt: AT },
}
const HOT_VAULT = {
  ...{ ...SERVER_VAULT, id: 2, name: 'Hot keys', provider: 'passphrase', isDefault: false, secretCount: 2 },
  ...{ status: 'locked', processes: { total: 4, unlocked: 0 } },
}
const VAULT = '/settings/vault'
const withHotKeys = { [`${API}/secrets-vaults`]: () => [SERVER_VAULT, HOT_VAULT] }

/** The vault in each of its states, and its dialogs. */
export function vaultScreens(): readonly Screen[] {
  const rotation = { done: 4200, total: 10_000 }
  const failing = [
    { ...SERVER_VAULT, secretCount: 10_000, keyVersion: 2, rotation, unreadableCount: 2 },
    { ...HOT_VAULT, processes: { total: 4, unlocked: 3 } },
  ]
  return [
    { name: 'vault', path: VAULT, shows: 'Key of webhook signatures' },
    { name: 'vault-locked', path: VAULT, shows: 'is locked since the last start', alters: withHotKeys },
    {
      name: 'vault-trouble',
      path: VAULT,
      shows: 'secrets are under the new key',
      alters: { [`${API}/secrets-vaults`]: () => failing },
    },
    {
      name: 'vault-new',
      path: VAULT,
      shows: 'Nobody can recover a passphrase',
      isOverlay: true,
      act: (page) => press(page, 'New vault'),
    },
    {
      name: 'vault-unlock',
      path: VAULT,
      shows: 'It stays unlocked',
      isOverlay: true,
      alters: withHotKeys,
      act: (page) => press(page, 'Unlock'),
    },
    {
      name: 'vault-passphrase',
      path: VAULT,
      shows: 'Current passphrase',
      isOverlay: true,
      alters: withHotKeys,
      act: async (page) => {
        await press(page, 'Actions for Hot keys')
        await page.getByRole('menuitem', { name: 'Change passphrase' }).click()
      },
    },
  ]
}
