/** The list of payments, what is done to it, and money that found no payment. */
import type { Page } from 'playwright-core'

import { inSet, type Screen } from '../camera.ts'
import { fill, isPhone, press, pressOther } from '../hand.ts'
import type { Seed } from '../seed.ts'

/** What an operator does to the list itself. */
export function listScreens({ shop: { project } }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const pressWide = (name: string) => async (page: Page) => {
    if (!(await isPhone(page))) await press(page, name)
  }
  const menu = (page: Page) => press(page, /^Actions for payment/)
  return inSet('A', [
    { name: 'all-payments', path: list, shows: /@mail\.example/ },
    {
      name: 'all-payments-no-match',
      path: `${list}?query=nobody&status=LATE&amount=10..50`,
      shows: /No payment matches/,
    },
    { name: 'all-payments-empty', path: '/project/2/payments/allPayments', shows: /No payments yet/ },
    ...filterScreens(list),
    ...pickScreens(list),
    { name: 'list-columns', path: list, shows: /@mail\.example/, isOverlay: true, act: pressWide('Columns') },
    { name: 'list-compact', path: list, shows: /@mail\.example/, act: pressWide('Compact rows') },
    { name: 'list-row-menu', path: list, shows: 'Copy payment link', isOverlay: true, act: menu },
    {
      name: 'list-save-view',
      path: `${list}?status=CANCELLED&created=last_7_days`,
      shows: 'Keep its dates',
      isOverlay: true,
      act: (page) => press(page, 'Save view'),
    },
    { name: 'list-all-projects', path: '/project/all/payments/allPayments?amount=10..', shows: /@mail\.example/ },
  ])
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
      act: async (page) => press(page, (await isPhone(page)) ? 'Filter and sort' : 'Add filter'),
    },
    {
      name: 'list-filter-editor',
      path: `${list}?status=FILLED`,
      shows: 'Partly paid',
      isOverlay: true,
      act: (page) => press(page, 'Status: Paid'),
    },
    {
      name: 'list-filter-days',
      path: `${list}?created=2026-11-01..2026-11-20`,
      shows: 'Last day',
      isOverlay: true,
      act: (page) => press(page, /^Created: /),
    },
  ]
}

function pickScreens(list: string): readonly Screen[] {
  const pickSome = async (page: Page) => {
    if (await isPhone(page)) await press(page, 'Select')
    for (const at of [0, 1, 2])
      await page
        .getByRole('checkbox', { name: /^Select payment/ })
        .nth(at)
        .click()
  }
  const ask = async (page: Page) => {
    await pickSome(page)
    await press(page, 'Resend webhooks')
  }
  return [
    { name: 'list-picked', path: list, shows: '3 selected', isOverlay: true, act: pickSome },
    { name: 'list-bulk-asked', path: list, shows: 'Leave them', isOverlay: true, act: ask },
  ]
}

/** Views of the list, and money that found no payment. */
export function unmatchedScreens({ shop: { project }, unmatchedHash }: Seed): readonly Screen[] {
  const list = `/project/${project}/payments/allPayments`
  const unmatched = `${list}?view=unmatched`
  return [
    {
      name: 'all-payments-attention',
      path: `${list}?view=attention`,
      shows: 'xenia',
    },
    {
      name: 'export-menu',
      path: list,
      shows: 'Export JSON lines',
      isOverlay: true,
      act: (page) => pressOther(page, 'More formats'),
    },
    { name: 'unmatched', path: unmatched, shows: 'Assign…' },
    { name: 'unmatched-none', path: '/project/2/payments/allPayments?view=unmatched', shows: 'No unmatched deposits' },
    {
      name: 'assign',
      path: unmatched,
      shows: 'Payments of',
      isOverlay: true,
      act: (page) => press(page, 'Assign…'),
    },
    {
      name: 'find-transaction',
      path: list,
      shows: 'It is read from the network again',
      isOverlay: true,
      act: (page) => pressOther(page, 'Find a transaction'),
    },
    {
      name: 'find-transaction-found',
      path: list,
      shows: 'Assign to payment…',
      isOverlay: true,
      act: async (page) => {
        await pressOther(page, 'Find a transaction')
        await fill(page, 'Transaction hash', unmatchedHash)
        await page.keyboard.press('Enter')
      },
    },
    {
      name: 'find-transaction-unknown',
      path: list,
      shows: 'Look again',
      isOverlay: true,
      act: async (page) => {
        await pressOther(page, 'Find a transaction')
        await fill(page, 'Transaction hash', `0x${'ab'.repeat(32)}`)
        await page.keyboard.press('Enter')
      },
    },
  ]
}
