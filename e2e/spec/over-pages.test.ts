/** Overlays of a page: the palette, a drawer; also while the server does not answer. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openBrowser, openVisit } from '../browser.ts'
import { installedLayout } from '../installed.ts'
import { clearLayout, type Instance, startInstance } from '../instance.ts'
import { newPayment, openShop, type Shop } from '../shop.ts'
import { storedSession } from './operator-windows.ts'
import { expectAddress, expectGone, expectPage, expectShell, expectShown } from './expect.ts'

let instance: Instance
let shop: Shop
let browser: Browser
let references: readonly string[]

beforeAll(async () => {
  ;[instance, browser] = await Promise.all([installedLayout().then(startInstance), openBrowser()])
  shop = await openShop(instance.url)
  references = [
    await newPayment(shop, '49', { customerID: 'ann' }),
    await newPayment(shop, '12', { customerID: 'bob' }),
  ]
})

afterAll(async () => {
  await browser?.close()
  await instance?.stop()
  if (instance !== undefined) clearLayout(instance)
})

async function openOperator(width = 1440): Promise<Page> {
  const options = { storageState: storedSession(instance.url, shop.session), viewport: { width, height: 900 } }
  return (await openVisit(browser, instance.url, options)).page
}

const list = () => `/project/${shop.project}/payments/allPayments`
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search or command' })
const drawer = (page: Page, reference = '') =>
  page.getByRole('dialog', { name: reference === '' ? /^Payment / : `Payment …${reference.slice(-6)}` })

describe.each([1440, 1000])('over a drawer, %i px wide', (width) => {
  let page: Page

  beforeAll(async () => {
    page = await openOperator(width)
    return () => page.context().close()
  })

  beforeEach(async () => {
    await page.goto(`${list()}?open=${references[0]}`)
    await expectShown(drawer(page).getByRole('tab', { name: 'Timeline' }))
  })

  it('the palette opens above it, Escape closes the palette alone, and the focus is where it was', async () => {
    await drawer(page).getByRole('tab', { name: 'Timeline' }).focus()
    await page.keyboard.press('Control+k')
    await palette(page).fill('settings')
    // A press in its middle reaches the topmost element.
    await page
      .getByRole('option', { name: /^Settings/ })
      .first()
      .hover()
    await page.keyboard.press('Escape')
    await expectGone(palette(page))
    expect(await drawer(page).isVisible()).toBe(true)
    expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Timeline')
  })

  it('a page chosen in the palette takes the place of both', async () => {
    await page.keyboard.press('Control+k')
    await palette(page).fill('security')
    await expectShown(page.getByRole('option', { name: /^Security/, selected: true }))
    await page.keyboard.press('Enter')
    await expectPage(page, 'Security')
    await expectGone(page.getByRole('dialog'))
  })

  it('a payment chosen in the palette takes the place of the one that was open', async () => {
    await page.keyboard.press('Control+k')
    await palette(page).fill('bob@mail')
    await page.getByRole('option', { name: '$12.00 · bob@mail.example' }).click()
    await expectAddress(page, `${list()}?open=${references[1]}`)
    await expectShown(drawer(page, references[1]))
    await expectGone(palette(page))
    await expect.poll(() => page.evaluate<boolean>(`document.activeElement.closest('dialog') !== null`)).toBe(true)
  })

  it('the list of keys opens above it', async () => {
    await page.keyboard.press('?')
    await expectShown(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    await page.keyboard.press('Escape')
    await expectGone(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(await drawer(page).isVisible()).toBe(true)
  })
})

describe('a link to an open payment', () => {
  it('asks for the payment’s program beside the list’s, not after it', async () => {
    const page = await openOperator()
    await page.route(/\/page-all-payments-[^/]*\.js$/, () => undefined)
    const asked = page.waitForRequest(/\/page-payment-detail-[^/]*\.js$/)
    await page.goto(`${list()}?open=${references[0]}`)
    expect((await asked).resourceType()).toBe('script')
    await page.context().close()
  })
})

describe('a payment that is not there', () => {
  it.each(['0192c1de-0000-7000-8000-000000000001', 'x', '../%2f a'])(
    '%j is announced, and closing forgets it',
    async (open) => {
      const page = await openOperator()
      await page.goto(`${list()}?open=${encodeURIComponent(open)}`)
      await expectShown(drawer(page).getByText('There’s no payment with this reference here'))
      await page.keyboard.press('Escape')
      await expectGone(drawer(page))
      await expectAddress(page, list())
      await page.context().close()
    },
  )
})

describe('while the server does not answer', () => {
  const amount = (page: Page) => page.getByRole('textbox', { name: 'Amount in USD' })
  let isUp = true

  async function putUp(): Promise<void> {
    if (!isUp) instance = await startInstance(instance)
    isUp = true
  }

  afterEach(putUp)

  /** A form with a value; the mark disappears at a reload of the page. */
  async function typeAmount(page: Page): Promise<void> {
    await page.goto(`/project/${shop.project}/payments/createPaymentLink`)
    await amount(page).fill('345')
    await expectShell(page)
    await page.evaluate('window.isMarked = true')
  }
  async function expectFormUnchanged(page: Page): Promise<void> {
    expect([await amount(page).inputValue(), await page.evaluate('window.isMarked')]).toEqual(['345', true])
  }

  it('what was loaded ahead opens as ever; what was not waits for an answer, and nothing typed is lost', async () => {
    const [page, bare] = [await openOperator(), await openOperator()]
    const ahead = page.waitForResponse(/\/Palette-[^/]*\.js$/)
    await typeAmount(page)
    await ahead
    // A browser that never has a moment loads nothing ahead.
    await bare.addInitScript('window.requestIdleCallback = () => 0')
    await typeAmount(bare)
    await instance.stop()
    isUp = false
    await page.keyboard.press('Control+k')
    await expectShown(page.getByRole('option', { name: /Create API key/ }))
    await page.keyboard.press('Escape')
    await expectFormUnchanged(page)
    await bare.keyboard.press('Control+k')
    await expectShown(bare.getByText('Kassa does not answer. This opens once it does.'))
    await expectFormUnchanged(bare)
    await putUp()
    await expectShown(bare.getByRole('option', { name: /Create API key/ }))
    await bare.keyboard.press('Escape')
    await expectGone(palette(bare))
    await expectFormUnchanged(bare)
    await Promise.all([page, bare].map((one) => one.context().close()))
  })

  const missing = (page: Page) => page.getByRole('dialog', { name: 'This could not be loaded' })
  const isServer = (url: URL) => url.pathname === '/'

  /** Opens the palette while neither its code nor the server answers. */
  async function openUnanswered(page: Page): Promise<void> {
    await page.route(/\/Palette-[^/]*\.js$/, (route) => route.abort())
    await page.route(isServer, (route) => route.abort())
    await typeAmount(page)
    await page.keyboard.press('Control+k')
    await expectShown(page.getByText('Kassa does not answer. This opens once it does.'))
  }

  // Some browsers fetch code again that did not arrive; others remember it as missing until the page is loaded anew.
  it('an overlay that failed to load opens once the server answers, at the latest after a reload', async () => {
    const page = await openOperator()
    await openUnanswered(page)
    await page.unrouteAll()
    await expectShown(palette(page).or(missing(page)))
    await expectFormUnchanged(page)
    if (await missing(page).isVisible()) {
      await missing(page).getByRole('button', { name: 'Reload the page' }).click()
      await expect.poll(() => page.evaluate('window.isMarked')).toBe(undefined)
      await expectShell(page)
      await page.keyboard.press('Control+k')
    }
    await expectShown(page.getByRole('option', { name: /Create API key/ }))
    await page.context().close()
  })

  it('a missing overlay leaves the page as it is, before and after the server answers', async () => {
    const page = await openOperator()
    await openUnanswered(page)
    await page.unroute(isServer)
    const dialog = missing(page)
    await expectShown(dialog)
    await page.route(isServer, (route) => route.abort())
    await dialog.getByRole('button', { name: 'Reload the page' }).click()
    await expectShown(dialog.getByText('Kassa does not answer. Try again in a moment.'))
    await expectFormUnchanged(page)
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Reload the page' }).click()
    await expect.poll(() => page.evaluate('window.isMarked')).toBe(undefined)
    await page.context().close()
  })

  it('what a deployment took away leaves the page as it is, until a person reloads it', async () => {
    const page = await openOperator()
    await page.route(/\/Palette-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }))
    await typeAmount(page)
    await page.keyboard.press('Control+k')
    const dialog = missing(page)
    await expectShown(dialog)
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await expectGone(dialog)
    await expectFormUnchanged(page)
    await page.unrouteAll()
    await page.keyboard.press('Control+k')
    await dialog.getByRole('button', { name: 'Reload the page' }).click()
    await expect.poll(() => page.evaluate('window.isMarked')).toBe(undefined)
    await expectShown(amount(page))
    await page.keyboard.press('Control+k')
    await expectShown(palette(page))
    await page.context().close()
  })
})
