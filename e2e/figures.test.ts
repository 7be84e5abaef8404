import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { newPayment, openShop, pay, paymentThat, settled, type Shop } from './shop.ts'
import { until } from './until.ts'

const BASE_USDC = { blockchainCode: 'BASE', currencyCode: 'USDC' } as const

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let visit: Visit
let page: Page
let first: string

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  shop = await openShop(instance.url)
  first = await paid('10')
  visit = await openVisit(browser, instance.url)
  page = visit.page
  await page.addInitScript((key) => {
    const { localStorage } = globalThis as unknown as {
      localStorage: { setItem: (name: string, text: string) => void }
    }
    localStorage.setItem('user', JSON.stringify({ key, role: { name: 'root' }, rootExists: true }))
  }, shop.session)
})

afterAll(async () => {
  await visit?.close()
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

async function paid(amount: string): Promise<string> {
  const reference = await newPayment(shop, amount)
  await pay(shop, reference, 'exact', BASE_USDC)
  await settled(shop, reference, 'FILLED')
  return reference
}

const chart = () => page.getByRole('application', { name: 'Payments in USD' })
const total = () => page.getByRole('link', { name: /^Total payments/ })
/** What the chart says of its newest point. */
const spoken = () => page.getByRole('figure', { name: 'Payments in USD' }).locator('[aria-live=polite]')

function totalOf(amount: string): Locator {
  return total().getByText(amount, { exact: true })
}

async function openDashboard(): Promise<void> {
  await page.goto(`/project/${shop.project}/dashboard`)
  await totalOf('$10.00').waitFor()
  await chart().waitFor()
}

/** Only one payment is in the list, and it is this one. */
async function expectOnly(reference: string): Promise<void> {
  await page.waitForURL(/allPayments\?.*paid=\d{4}-\d\d-\d\d/)
  const rows = page.getByRole('table', { name: 'All payments' }).locator('tbody tr')
  await until(
    'the list to be narrowed',
    () => rows.count(),
    (count) => count === 1,
  )
  await page.getByRole('group', { name: 'Filters' }).getByText('Paid:').waitFor()
  expect(await rows.locator('a[data-row]').getAttribute('href')).toContain(reference)
}

describe('the figures of a shop', () => {
  it('lead from a bar to exactly the payment behind it in two presses', async () => {
    await openDashboard()
    const box = await chart().boundingBox()
    if (box === null) throw new Error('The chart is not drawn')
    // Today is the last bar; it stands on the ground.
    await page.mouse.click(box.x + box.width - 12, box.y + box.height - 40)
    await expectOnly(first)
    await page.getByRole('table', { name: 'All payments' }).locator('tbody tr').click()
    await page.getByRole('dialog').getByText('$10.00').first().waitFor()
  })

  it('lead there by the keyboard alone', async () => {
    await openDashboard()
    const focused = () => page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''")
    await until(
      'the chart to be reached',
      async () => (await page.keyboard.press('Tab'), focused()),
      (label) => label === 'Payments in USD',
    )
    await page.keyboard.press('ArrowLeft')
    await until(
      'the newest point',
      () => spoken().innerText(),
      (text) => text.endsWith('so far, $10.00, 30 of 30'),
    )
    await page.keyboard.press('Enter')
    await expectOnly(first)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('$10.00').first().waitFor()
  })

  it('break no accessibility rule, with charts, a table and a window of its own', async () => {
    await openDashboard()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'View Payments in USD as table' }).click()
    await page.getByRole('button', { name: 'Show Paying Users in full' }).click()
    await page.getByRole('dialog', { name: 'Paying Users' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })

  it('change without a reload: the number and the bar of today, by the live channel, and back after a reorganisation', async () => {
    const channel = listenToChannel(page)
    await openDashboard()
    await page.evaluate('window.wasNotReloaded = true')
    let last = ''
    for (const sum of ['$59.00', '$108.00', '$157.00']) {
      const before = channel.changes
      last = await newPayment(shop, '49')
      await pay(shop, last, 'exact', BASE_USDC)
      await Promise.all([totalOf(sum).waitFor(), settled(shop, last, 'FILLED')])
      expect(channel.changes).toBeGreaterThan(before)
      await chart().focus()
      await page.keyboard.press('End')
      await until(
        'the bar of today',
        () => spoken().innerText(),
        (text) => text.includes(`${sum}, 30 of 30`),
      )
      await page.keyboard.press('Escape')
    }
    await reorganise(last)
    await totalOf('$108.00').waitFor()
    await chart().focus()
    await page.keyboard.press('End')
    await until(
      'the bar without it',
      () => spoken().innerText(),
      (text) => text.includes('$108.00, 30 of 30'),
    )
    expect(await page.evaluate('window.wasNotReloaded')).toBe(true)
    // A page polls only while its channel is down, so the channel brought the figures.
    expect([channel.opened, channel.closed]).toEqual([1, 0])
  })
})

/** Counts what the live channel of the page's next document says of figures, and how often it was opened and lost. */
function listenToChannel(from: Page): { opened: number; closed: number; changes: number } {
  const heard = { opened: 0, closed: 0, changes: 0 }
  let isNext = false
  from.once('domcontentloaded', () => {
    isNext = true
  })
  from.on('websocket', (socket) => {
    if (!isNext) return
    heard.opened += 1
    socket.on('close', () => (heard.closed += 1))
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes(':analytics"')) heard.changes += 1
    })
  })
  return heard
}

/** Drops the block of a payment's money, and mines others without it. */
async function reorganise(reference: string): Promise<void> {
  const { transfers } = await shop.operator(paymentsRoutes.getPayment, { params: { p: shop.project, ref: reference } })
  const { chains } = await shop.operator(sandboxRoutes.getSandbox)
  const height = chains.find(({ code }) => code === BASE_USDC.blockchainCode)?.height ?? 0
  await shop.operator(sandboxRoutes.reorganise, {
    params: { b: BASE_USDC.blockchainCode },
    body: { depth: height - (transfers[0]?.blockNumber ?? height) + 1 },
  })
  await shop.operator(sandboxRoutes.mineBlocks, { params: { b: BASE_USDC.blockchainCode }, body: { blocks: 1 } })
  await paymentThat(shop, reference, 'open again', ({ paymentState }) => paymentState === 'OPEN')
}
