import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser, openVisit, violationsOf, type Visit } from './browser.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { newPayment, openShop, pay, settled, type Shop } from './shop.ts'
import { until } from './until.ts'

let layout: Layout
let instance: Instance
let browser: Browser
let shop: Shop
let payer: Visit

beforeAll(async () => {
  layout = await installedLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
  shop = await openShop(instance.url)
  payer = await openVisit(browser, instance.url, { viewport: { width: 390, height: 844 } })
})

afterAll(async () => {
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

describe('the page of a payer', () => {
  it('shows the later end of a link that an operator extends, without a reload', async () => {
    const reference = await newPayment(shop)
    const { page } = payer
    await page.goto(`/payments?reference_id=${reference}`)
    const clock = page.locator('#clock time')
    await clock.getByText(/^\d\d:\d\d left$/).waitFor()
    await page.evaluate("document.body.dataset.mark = 'kept'")
    const params = { p: shop.project, ref: reference }
    const { expiresAt } = await shop.operator(paymentsRoutes.extendPayment, {
      params,
      body: { expiresInMinutes: 1440 },
    })
    await page.locator(`#clock time[datetime="${new Date(expiresAt).toISOString()}"]`).waitFor()
    expect(await clock.textContent()).toMatch(/^until \d+ \w+ 20\d\d, \d\d:\d\d UTC$/)
    expect(await page.evaluate('document.body.dataset.mark')).toBe('kept')
  })

  it('mails the receipt to the address that is typed, by keyboard', async () => {
    const reference = await newPayment(shop)
    await pay(shop, reference, 'exact')
    await settled(shop, reference, 'FILLED')
    const { page } = payer
    await page.goto(`/success?reference_id=${reference}`)
    await page.getByText('Receipt by e-mail').focus()
    await page.keyboard.press('Enter')
    const field = page.getByRole('textbox', { name: 'Your e-mail' })
    await field.fill('me@mail.example')
    expect(await violationsOf(page)).toEqual([])
    await field.press('Enter')
    await page.getByText('The receipt is on its way by e-mail.').waitFor()
    const mails = await until(
      'the mail of the receipt',
      () => shop.operator(sandboxRoutes.listEmails, {}),
      (kept) => kept.some(({ to }) => to === 'me@mail.example'),
    )
    const mail = mails.find(({ to }) => to === 'me@mail.example')
    expect(mail?.subject).toBe('Receipt: $49.00 to Acme')
  })
})
