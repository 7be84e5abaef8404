import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Api, apiOf } from './api.ts'
import { openBrowser, openVisit, strangersOf, violationsOf, type Visit } from './browser.ts'
import { clearLayout, type Instance, newLayout, type Layout, startInstance } from './instance.ts'
import { OWNER } from './shop.ts'
import { until } from './until.ts'

let layout: Layout
let instance: Instance
let browser: Browser

beforeAll(async () => {
  layout = await newLayout()
  ;[instance, browser] = await Promise.all([startInstance(layout), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await instance?.stop()
  clearLayout(layout)
})

/** The browser shows it, or the test fails. */
function expectShown(part: Locator): Promise<void> {
  return part.waitFor()
}

/** The words stand there to be read, a badge's glyph before them or not; else the test fails. */
function expectText(part: Page | Locator, words: string): Promise<void> {
  const pattern = new RegExp(`^\\W*${words}$`)
  return expectShown(part.getByText(pattern).filter({ visible: true }).first())
}

describe('a newcomer with a browser, from sign-up to Filled', () => {
  let owner: Visit
  let customer: Visit
  let checkoutUrl: string
  let projectUrl: string
  const violations: string[] = []

  /**
   * Found once, reported at the end: a colour that is too pale should not hide whether money arrives. Screens that are looked at
   * as they open (spec/pages.test.ts) are left out.
   */
  async function expectAccessible(screen: string, page: Page): Promise<void> {
    violations.push(...(await violationsOf(page)).map((violation) => `${screen}: ${violation}`))
  }

  beforeAll(async () => {
    owner = await openVisit(browser, instance.url)
    customer = await openVisit(browser, instance.url, { viewport: { width: 390, height: 844 } })
  })

  afterAll(async () => {
    await owner?.close()
    await customer?.close()
  })

  it('is led from the landing page to the first account', async () => {
    const { page } = owner
    await page.goto('/')
    await expectShown(page.getByRole('link', { name: 'Set up this server' }))
    await page.getByRole('link', { name: 'Set up this server' }).click()
    await expectShown(page.getByRole('heading', { name: 'Create the first account' }))
    await page.getByRole('textbox', { name: 'E-mail' }).fill(OWNER.email)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(OWNER.password)
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(OWNER.password)
    await expectAccessible('sign-up', page)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expectShown(page.getByRole('heading', { name: 'Dashboard' }))
    await expectAccessible('dashboard without a project', page)
  })

  it('adds a project by its name alone and lands on its details', async () => {
    const { page } = owner
    await page.getByRole('button', { name: /^Project:/ }).click()
    await page.getByRole('button', { name: 'Add Project' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add new project' })
    await dialog.getByRole('textbox', { name: 'Name of your project' }).fill('Acme')
    await expectAccessible('add-project dialog', page)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings\/account\/\d+\?tab=projectDetails$/)
    await expectShown(page.getByRole('heading', { name: 'Acme' }))
    projectUrl = `/project/${/account\/(\d+)/.exec(page.url())?.[1] ?? ''}`
  })

  it('adds a wallet made in the browser, whose words never leave it', async () => {
    const { page, sent } = owner
    await page.goto('/manageWallet/deposit-wallet')
    await expectShown(page.getByRole('heading', { name: 'Deposit wallets' }))
    await page.getByRole('button', { name: 'Add deposit wallet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add deposit wallet' })
    await dialog.getByRole('radio', { name: /Make a test wallet/ }).check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const list = dialog.getByRole('list', { name: 'Recovery words' })
    await expectShown(list)
    const words = await list.locator('[translate=no]').allInnerTexts()
    expect(words).toHaveLength(12)
    expect(holdsWords(await list.innerText(), words)).toBe(true)
    await expectAccessible('words', page)

    await dialog.getByRole('checkbox', { name: 'I have written them down' }).check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expectShown(dialog.getByRole('table'))
    await expectAccessible('first addresses', page)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expectShown(dialog.getByRole('checkbox', { name: 'Acme' }))
    await expectAccessible('review', page)
    await dialog.getByRole('button', { name: 'Add wallet' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectText(page.getByRole('region', { name: 'EVM' }), 'Active')
    await expectAccessible('deposit wallets', page)

    expect(sent.some(({ text }) => text.includes('xpub'))).toBe(true)
    expect(sent.filter(({ to, text }) => holdsWords(`${to} ${text}`, words))).toEqual([])
    await page.reload()
    await expectText(page.getByRole('region', { name: 'EVM' }), 'Active')
    const remembered = await page.evaluate<string>(
      'document.body.innerText + JSON.stringify({ ...localStorage, ...sessionStorage })',
    )
    expect(holdsWords(remembered, words)).toBe(false)
  })

  it('is guided to what is next', async () => {
    const { page } = owner
    await page.goto(`${projectUrl}/dashboard`)
    await expectShown(page.getByRole('region', { name: 'Setup guide' }))
    await expectShown(page.getByRole('button', { name: 'Make a test payment' }))
    await expectAccessible('setup guide', page)
  })

  it('has a payment link in the clipboard', async () => {
    const { page } = owner
    await page.goto(`${projectUrl}/payments/createPaymentLink`)
    await page.getByRole('textbox', { name: 'Amount in USD' }).fill('49')
    await page.getByRole('textbox', { name: 'Customer e-mail' }).fill('ann@mail.example')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = page.getByRole('link', { name: /payments\?reference_id=/ })
    checkoutUrl = (await link.getAttribute('href')) ?? ''
    expect(checkoutUrl).toContain(`${instance.url}/payments?reference_id=`)
    await expectText(page, 'Waiting for payment')
    await expectShown(page.getByRole('status', { name: 'Notifications' }).getByText('Payment link Copied!'))
    // Only the window in front may read the clipboard.
    await page.bringToFront()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(checkoutUrl)
    await expectAccessible('created link', page)
  })

  it('whose customer chooses how to pay and is shown what to send where', async () => {
    const { page } = customer
    await page.goto(checkoutUrl)
    await page.getByRole('radio', { name: 'USDC on Base' }).check()
    await expectAccessible('checkout, choose', page)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectShown(page.getByRole('heading', { name: 'Send exactly 49 USDC on Base' }))
    await expectShown(page.getByRole('img', { name: 'QR code for the address' }))
    await expectAccessible('checkout, pay', page)
  })

  it('is paid, and both sides see it within seconds without touching anything', async () => {
    const { page } = owner
    await page.getByRole('link', { name: 'Details' }).click()
    const drawer = page.getByRole('dialog', { name: /^Payment / })
    await drawer.getByRole('button', { name: 'Pay as a customer' }).click()
    const paidAt = performance.now()
    await page.getByRole('menuitem', { name: 'The exact amount' }).click()
    await Promise.all([
      expectText(drawer, 'Paid').then(() => said('The dashboard', paidAt)),
      customer.page
        .getByRole('heading', { name: 'Paid. Thank you.' })
        .waitFor()
        .then(() => said('The checkout', paidAt)),
    ])
    await expectShown(drawer.getByRole('list', { name: 'Timeline' }))
    await expectAccessible('payment drawer, paid', page)
    await expectAccessible('checkout, paid', customer.page)
  })

  it('can follow the money through every tab of the payment', async () => {
    const { page } = owner
    for (const name of ['Deposits', 'Webhooks', 'Ledger', 'Details', 'Timeline']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
      await expectShown(page.getByRole('tabpanel', { name: new RegExp(`^${name}`) }))
      await expectAccessible(`payment drawer, ${name}`, page)
    }
  })

  it('finds the payment in the list, paid', async () => {
    const { page } = owner
    await page.goto(`${projectUrl}/payments/allPayments`)
    await expectShown(page.getByRole('table', { name: 'All payments' }))
    await expectShown(page.getByRole('row', { name: /\$49\.00.*Paid/ }))
  })

  it('gives the customer a receipt', async () => {
    const { page } = customer
    await page.getByRole('link', { name: 'Receipt' }).click()
    await expectShown(page.getByRole('heading', { name: 'Paid. Thank you' }))
    await expectAccessible('receipt', page)
  })

  it('met no accessibility violation on any of these screens, light and dark', () => {
    expect(violations).toEqual([])
  })

  it('called only its own server, without a refusal or an error', () => {
    for (const visit of [owner, customer]) {
      expect(strangersOf(visit, instance.url)).toEqual([])
      expect(visit.complaints).toEqual([])
    }
  })
})

describe('a customer whose browser runs no script', () => {
  let visit: Visit
  let operator: Api
  let reference: string

  beforeAll(async () => {
    visit = await openVisit(browser, instance.url, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    operator = apiOf(instance.url, (await apiOf(instance.url)(authRoutes.signIn, { body: OWNER })).key)
    const [project] = await operator(projectsRoutes.listProjects)
    const made = await operator(paymentsRoutes.createProjectPayment, {
      params: { p: String(project?.id) },
      body: { customerID: 'plain', customerEmail: 'plain@mail.example', amountInUSD: '7.50' },
    })
    reference = made.reference_id
  })

  afterAll(() => visit?.close())

  it('chooses by a form and is shown amount, address and QR code', async () => {
    const { page } = visit
    await page.goto(`/payments?reference_id=${reference}`)
    await page.getByRole('radio', { name: 'USDT on Ethereum' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expectShown(page.getByRole('heading', { name: 'Send exactly 7.5 USDT on Ethereum' }))
    await expectShown(page.getByRole('img', { name: 'QR code for the address' }))
    const [given] = await operator(paymentsRoutes.listDepositAddresses, { params: { ref: reference } })
    const shown = await page.locator('.address').innerText()
    expect(shown.replaceAll(/\s/g, '')).toBe(given?.Address)
    // Buttons that only a script could serve are not offered.
    expect(await page.getByRole('button', { name: 'Copy address' }).isVisible()).toBe(false)
  })

  it('reads the state by asking again, up to the receipt', async () => {
    const { page } = visit
    await operator(sandboxRoutes.payAsCustomer, { params: { ref: reference }, body: { case: 'exact' } })
    await until(
      'the payment to be filled',
      () => operator(paymentsRoutes.getPaymentByReference, { params: { ref: reference } }),
      ({ paymentState }) => paymentState === 'FILLED',
    )
    await page.getByRole('link', { name: 'Check for my payment' }).click()
    await expectShown(page.getByRole('heading', { name: 'Paid. Thank you.' }))
    await page.getByRole('link', { name: 'Receipt' }).click()
    await expectShown(page.getByRole('heading', { name: 'Paid. Thank you' }))
    expect(strangersOf(visit, instance.url)).toEqual([])
    expect(visit.complaints).toEqual([])
  })
})

describe('an unknown link', () => {
  it('is answered with a page that says so', async () => {
    const visit = await openVisit(browser, instance.url)
    const answer = await visit.page.goto('/payments?reference_id=00000000-0000-7000-8000-000000000000')
    expect(answer?.status()).toBe(404)
    await expectShown(visit.page.getByRole('heading', { name: 'Payment link not found.' }))
    expect(await violationsOf(visit.page)).toEqual([])
    await visit.close()
  })
})

/** Prints how long a screen took to show what happened on the chain. */
function said(who: string, since: number): void {
  console.log(`${who} showed the payment ${Math.round(performance.now() - since)} ms after the press.`)
}

/** Whether three of the words stand one after the other in the text, whatever stands between them. */
function holdsWords(text: string, words: readonly string[]): boolean {
  const found = ` ${text
    .toLowerCase()
    .split(/[^a-z]+/)
    .join(' ')} `
  return words.some((_, at) => at + 3 <= words.length && found.includes(` ${words.slice(at, at + 3).join(' ')} `))
}
