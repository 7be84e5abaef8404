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
    { name: 'all-payments-no-match', path: `${list}?query=nobody`, shows: /No payment matches/ },
    { name: 'all-payments-empty', path: '/project/2/payments/allPayments', shows: /No payments yet/ },
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
      path: `${list}?status=PARTIALLY_FILLED,OVER_FILLED,LATE,REOPENED`,
      shows: 'xenia',
    },
    {
      name: 'export-menu',
      path: list,
      shows: 'Export JSON lines',
      isOverlay: true,
      act: (page) => button(page, 'Export'),
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
