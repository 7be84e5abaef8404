/** The screens of payments: links, the list, every story a payment can have, and money that found none. */
import type { Page } from 'playwright-core'

import type { Screen } from './camera.ts'
import type { Seed } from './seed.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const type = (page: Page, name: string, text: string) => page.getByRole('textbox', { name, exact: true }).fill(text)

/** Links, the list, and every story a payment can have. */
export function paymentScreens({ shop: { project }, states }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const create = `/project/${project}/payments/createPaymentLink`
  const drawer = (name: string, reference: string, panel = 'timeline'): Screen => ({
    name,
    path: `${list}?open=${reference}&panel=${panel}`,
    shows: 'Received',
    isOverlay: true,
  })
  return [
    { name: 'all-payments', path: list, shows: 'wren@mail.example' },
    {
      name: 'all-payments-no-match',
      path: `${list}?query=nobody&status=LATE&amount=10..50`,
      shows: /No payment matches/,
    },
    { name: 'all-payments-empty', path: '/project/2/payments/allPayments', shows: /No payments yet/ },
    { name: 'payment-page', path: `${list}/${states.paid}`, shows: 'Received' },
    drawer('drawer-timeline', states.paid),
    drawer('drawer-deposits', states.paid, 'deposits'),
    drawer('drawer-webhooks', states.paid, 'webhooks'),
    drawer('drawer-ledger', states.paid, 'ledger'),
    drawer('drawer-details', states.paid, 'details'),
    drawer('drawer-partly', states.partly),
    drawer('drawer-overpaid', states.overpaid),
    drawer('drawer-late', states.late),
    drawer('drawer-reopened', states.reverted),
    drawer('drawer-open', states.choose),
    { name: 'create-link', path: create, shows: 'Create link' },
    {
      name: 'create-link-errors',
      path: create,
      shows: 'Amount must be greater than 0',
      act: async (page) => {
        await type(page, 'Amount in USD', '0')
        await type(page, 'Customer e-mail', 'not an address')
        await button(page, 'Create link')
      },
    },
    { name: 'create-link-not-ready', path: '/project/2/payments/createPaymentLink', shows: /wallet/i },
    {
      name: 'create-link-created',
      path: create,
      shows: 'Waiting for payment',
      act: async (page) => {
        await type(page, 'Amount in USD', '49')
        await type(page, 'Customer e-mail', 'new@mail.example')
        await button(page, 'Create link')
      },
    },
  ]
}

/** What a person decides about a payment whose money is not as it was asked for. */
export function repairScreens({ shop: { project }, states }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const drawer = (reference: string, panel: string) => `${list}?open=${reference}&panel=${panel}`
  const act = async (page: Page, item: string | RegExp) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  return [
    {
      name: 'drawer-kept',
      path: drawer(states.kept, 'deposits'),
      shows: 'Apply kept money',
      isOverlay: true,
    },
    {
      name: 'drawer-price',
      path: drawer(states.paid, 'timeline'),
      shows: /Used|no source/,
      isOverlay: true,
      act: (page) => page.getByText(/^1 USDC = /).click(),
    },
    {
      name: 'drawer-actions',
      path: drawer(states.partly, 'timeline'),
      shows: 'Resend webhook',
      isOverlay: true,
      act: (page) => page.getByRole('dialog').getByRole('button', { name: 'Actions' }).click(),
    },
    {
      name: 'accept-as-paid',
      path: drawer(states.partly, 'timeline'),
      shows: 'Leave as it is',
      isOverlay: true,
      act: (page) => act(page, 'Accept as paid'),
    },
    {
      name: 'apply-kept-money',
      path: drawer(states.kept, 'timeline'),
      shows: 'Leave as it is',
      isOverlay: true,
      act: (page) => act(page, /^Apply kept money/),
    },
  ]
}

/** Views of the list, and money that found no payment. */
export function unmatchedScreens({ shop: { project }, keptHash }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const unmatched = `${list}?view=unmatched`
  return [
    {
      name: 'all-payments-attention',
      path: `${list}?status=PARTIALLY_FILLED,OVER_FILLED,LATE,REOPENED,ON_HOLD,WEBHOOK_FAILED`,
      shows: 'xenia',
    },
    {
      name: 'export-menu',
      path: list,
      shows: 'Export JSON lines',
      isOverlay: true,
      act: (page) => button(page, 'More formats'),
    },
    { name: 'unmatched', path: unmatched, shows: 'Assign…' },
    { name: 'unmatched-none', path: '/project/2/payments/allPayments?view=unmatched', shows: /found its payment/ },
    {
      name: 'assign',
      path: unmatched,
      shows: 'Payments of',
      isOverlay: true,
      act: (page) => button(page, 'Assign…'),
    },
    {
      name: 'find-transaction',
      path: list,
      shows: 'It is read from the network again',
      isOverlay: true,
      act: (page) => button(page, 'Find a transaction'),
    },
    {
      name: 'find-transaction-found',
      path: list,
      shows: 'Assign to payment…',
      isOverlay: true,
      act: async (page) => {
        await button(page, 'Find a transaction')
        await type(page, 'Transaction hash', keptHash)
        await page.keyboard.press('Enter')
      },
    },
    {
      name: 'find-transaction-unknown',
      path: list,
      shows: 'Look again',
      isOverlay: true,
      act: async (page) => {
        await button(page, 'Find a transaction')
        await type(page, 'Transaction hash', `0x${'ab'.repeat(32)}`)
        await page.keyboard.press('Enter')
      },
    },
  ]
}

/** Below this many pixels rows are cards. */
const PHONE_BELOW = 640

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < PHONE_BELOW

/** What an operator does to the list itself. */
export function listScreens({ shop: { project } }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const pressWide = (name: string) => async (page: Page) => {
    if (!isPhone(page)) await button(page, name)
  }
  const menu = (page: Page) => button(page, /^Actions for payment/)
  return [
    ...filterScreens(list),
    ...pickScreens(list),
    { name: 'list-columns', path: list, shows: 'wren', isOverlay: true, act: pressWide('Columns') },
    { name: 'list-compact', path: list, shows: 'wren', act: pressWide('Compact rows') },
    { name: 'list-row-menu', path: list, shows: 'Copy payment link', isOverlay: true, act: menu },
    {
      name: 'list-save-view',
      path: `${list}?status=CANCELLED&created=last_7_days`,
      shows: 'Keep its dates',
      isOverlay: true,
      act: (page) => button(page, 'Save view'),
    },
    { name: 'list-all-projects', path: '/project/all/payments/allPayments?amount=10..', shows: 'wren' },
  ]
}

function filterScreens(list: string): readonly Screen[] {
  return [
    {
      name: 'list-filtered',
      path: `${list}?status=OPEN,FILLED,OVER_FILLED&created=last_30_days&amount=10..100&asset=USDC`,
      shows: 'Clear all',
    },
    {
      name: 'list-filter-fields',
      path: list,
      shows: 'Created by',
      isOverlay: true,
      act: (page) => button(page, isPhone(page) ? 'Filter and sort' : 'Add filter'),
    },
    {
      name: 'list-filter-editor',
      path: `${list}?status=FILLED`,
      shows: 'Partly paid',
      isOverlay: true,
      act: (page) => button(page, 'Status: Paid'),
    },
    {
      name: 'list-filter-days',
      path: `${list}?created=2026-11-01..2026-11-20`,
      shows: 'Last day',
      isOverlay: true,
      act: (page) => button(page, /^Created: /),
    },
  ]
}

function pickScreens(list: string): readonly Screen[] {
  const pickSome = async (page: Page) => {
    if (isPhone(page)) await button(page, 'Select')
    for (const at of [0, 1, 2])
      await page
        .getByRole('checkbox', { name: /^Select payment/ })
        .nth(at)
        .click()
  }
  const ask = async (page: Page) => {
    await pickSome(page)
    await button(page, 'Resend webhooks')
  }
  return [
    { name: 'list-picked', path: list, shows: '3 selected', isOverlay: true, act: pickSome },
    { name: 'list-bulk-asked', path: list, shows: 'Leave them', isOverlay: true, act: ask },
  ]
}

/** Many links from a file, from choosing it to the result. */
export function bulkScreens({ shop: { project } }: Seed): readonly Screen[] {
  const path = `/project/${project}/payments/createPaymentLink?tabId=bulk`
  const choose = (page: Page, lines: readonly string[]) =>
    page.getByLabel('CSV file with one link per line').setInputFiles({
      name: 'november.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['amountInUSD,customerEmail,invoiceID,description', ...lines].join('\n')),
    })
  const good = Array.from({ length: 14 }, (_, at) => `${at + 12}.50,bulk-${at}@mail.example,N-${at},Beans for November`)
  return [
    { name: 'bulk-choose', path, shows: 'What a file looks like' },
    {
      name: 'bulk-preview',
      path,
      shows: 'Lines with errors',
      act: (page) => choose(page, [...good, '"12,50",comma@mail.example,N-20,', '0,nobody,N-21,']),
    },
    {
      name: 'bulk-done',
      path,
      shows: 'Result CSV',
      act: async (page) => {
        // Another file for every picture: one that was made already would be found, not made.
        const round = Date.now()
        await choose(page, [`5,bulk-${round}@mail.example,N-${round},`, `0.5,other-${round}@mail.example,N-31,`])
        await button(page, /^Create 2 links/)
      },
    },
  ]
}
