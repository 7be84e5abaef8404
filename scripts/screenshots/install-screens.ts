/** The screens for running an install: its health, its networks and nodes, its endpoints. */
import type { Page } from 'playwright-core'

import type { Screen } from './camera.ts'

const BASE = '/settings/blockchains/BASE'
const AT = new Date(Date.now() - 12_000).toISOString()

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** Health, well and not; networks, nodes, currencies. */
export function installScreens(): readonly Screen[] {
  return [
    { name: 'system-health', path: '/settings/system', shows: 'Every account balances' },
    { name: 'system-health-broken', path: '/settings/system', shows: 'The books don’t balance', act: breakBooks },
    { name: 'blockchains', path: '/settings/blockchains', shows: 'One node can lie' },
    { name: 'blockchain', path: BASE, shows: 'Read blocks again' },
    {
      name: 'blockchain-tested',
      path: BASE,
      shows: /of 1 node answer/,
      act: (page) => button(page, 'Test connection'),
    },
    {
      name: 'blockchain-node-menu',
      path: BASE,
      shows: 'Turn off',
      isOverlay: true,
      act: (page) => button(page, /^Actions for/),
    },
    {
      name: 'add-node',
      path: BASE,
      shows: 'Add a node of',
      isOverlay: true,
      act: (page) => button(page, 'Add node'),
    },
    {
      name: 'add-node-refused',
      path: BASE,
      shows: /not allowed|did not answer/,
      isOverlay: true,
      act: async (page) => {
        await button(page, 'Add node')
        const dialog = page.getByRole('dialog', { name: /^Add a node/ })
        await dialog.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/')
        await dialog.getByRole('button', { name: 'Add node' }).click()
      },
    },
    {
      name: 'turn-off-network',
      path: BASE,
      shows: 'Customers can no longer choose it',
      isOverlay: true,
      act: (page) => button(page, /^Turn off/),
    },
    {
      name: 'edit-asset',
      path: BASE,
      shows: 'Customers may choose it',
      isOverlay: true,
      act: (page) => button(page, /^Edit/),
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
      name: 'rotate-secret',
      path: open('settings'),
      shows: 'The old secret goes on signing for',
      isOverlay: true,
      act: (page) => button(page, 'Rotate signing secret'),
    },
    {
      name: 'delete-endpoint',
      path: open('settings'),
      shows: /to confirm/,
      isOverlay: true,
      act: (page) => button(page, 'Delete endpoint'),
    },
    {
      name: 'replay-deliveries',
      path: open('deliveries'),
      shows: 'Also what was received',
      isOverlay: true,
      act: (page) => button(page, 'Resend failed…'),
    },
    { name: 'event-log', path: '/developers?tabId=events', shows: 'payment.filled' },
    {
      name: 'event',
      path: '/developers?tabId=events',
      shows: 'Event id',
      isOverlay: true,
      act: (page) => page.getByRole('link', { name: 'payment.filled' }).first().click(),
    },
  ]
}

/** Shows what nobody hopes to see: the server's answers are replaced on their way to the page. */
async function breakBooks(page: Page): Promise<void> {
  const check = {
    ok: false,
    checkedAt: AT,
    headHash: '9f3c27d1f3b0c6e7a8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3a01b',
    debitsMinusCredits: [{ blockchainCode: 'BASE', currencyCode: 'USDC', difference: '0' }],
    chainDrift: [
      {
        blockchainCode: 'BASE',
        currencyCode: 'USDC',
        height: 1204,
        ledger: '1049.5',
        chain: '1000.5',
        difference: '-49',
      },
    ],
    broken: [{ rule: 'A deposit that counts has one entry that says so.', rows: 2, examples: ['deposit 31'] }],
    unchecked: [{ blockchainCode: 'ETH', reason: 'No node answered.' }],
  }
  const alarms = [
    {
      id: 1,
      kind: 'books_broken',
      subject: 'books',
      text: 'The books do not balance: Base holds other amounts than the books. Run npm run check-books to see where.',
      since: AT,
    },
    {
      id: 2,
      kind: 'chain_behind',
      subject: 'BASE',
      text: 'BASE: The reader is 84 blocks behind for 12 minutes. Payers wait: try a faster node.',
      since: AT,
    },
  ]
  await page.route('**/ledger/check', (route) => route.fulfill({ json: check }))
  await page.route('**/system/alarms', (route) => route.fulfill({ json: alarms }))
  await page.reload()
  await page.getByText('The books don’t balance').first().waitFor()
  await page.unroute('**/ledger/check')
  await page.unroute('**/system/alarms')
}
