/** The screens of payments: links, one and many, and every story a payment can have. */
import type { Page, Route } from 'playwright-core'

import { newPayment } from '../../../e2e/shop.ts'
import { inSet, type Screen } from '../camera.ts'
import { choose, fill, press } from '../hand.ts'
import type { Seed } from '../seed.ts'

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
    ...inSet('A', [drawer('drawer-timeline', states.paid), ...createScreens(create)]),
    { name: 'payment-page', path: `${list}/${states.paid}`, shows: 'Received' },
    drawer('drawer-deposits', states.paid, 'deposits'),
    drawer('drawer-webhooks', states.paid, 'webhooks'),
    drawer('drawer-ledger', states.paid, 'ledger'),
    drawer('drawer-details', states.paid, 'details'),
    drawer('drawer-partly', states.partly),
    { ...drawer('drawer-overpaid', states.overpaid), shows: 'The payer asks for money back' },
    drawer('drawer-late', states.late),
    drawer('drawer-reopened', states.reverted),
    drawer('drawer-open', states.choose),
    { ...drawer('extend-link', states.choose), shows: 'At most 7 days from now.', act: extendLink },
  ]
}

async function extendLink(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Actions' }).click()
  await choose(page, 'Extend link')
  await page.getByRole('radio', { name: 'Another time' }).check()
}

function createScreens(path: string): readonly Screen[] {
  let made = 0
  return [
    { name: 'create-link', path, shows: 'Create link' },
    {
      name: 'create-link-errors',
      path,
      shows: 'Amount must be greater than 0',
      act: async (page) => {
        await fill(page, 'Amount in USD', '0')
        await fill(page, 'Customer e-mail', 'not an address')
        await press(page, 'Create link')
      },
    },
    {
      name: 'create-link-leave',
      path,
      shows: 'Leave without creating the link?',
      isOverlay: true,
      act: async (page) => {
        await fill(page, 'Amount in USD', '49')
        await fill(page, 'Customer e-mail', 'new@mail.example')
        await page.getByRole('tab', { name: 'Many from CSV' }).click()
      },
    },
    { name: 'create-link-not-ready', path: '/project/2/payments/createPaymentLink', shows: /wallet/i },
    {
      name: 'create-link-created',
      path,
      shows: 'Waiting for payment',
      act: async (page) => {
        await fill(page, 'Amount in USD', '49')
        // A customer of each window: with the link of the one before open, none is made unasked.
        made += 1
        await fill(page, 'Customer e-mail', `new-${made}@mail.example`)
        await press(page, 'Create link')
      },
    },
  ]
}

/** What a person decides about a payment whose money is not as it was asked for. */
export function repairScreens({ shop, states }: Seed): readonly Screen[] {
  const { project } = shop
  const list = `/project/${project}/payments/allPayments`
  const drawer = (reference: string, panel: string) => `${list}?open=${reference}&panel=${panel}`
  const act = async (page: Page, item: string | RegExp) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Actions' }).click()
    await choose(page, item)
  }
  return [
    {
      name: 'drawer-unmatched',
      path: drawer(states.unmatched, 'deposits'),
      shows: 'Apply to this payment',
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
      shows: 'Cancel',
      isOverlay: true,
      act: (page) => act(page, 'Accept as paid'),
    },
    {
      name: 'accept-overtaken',
      path: drawer(states.partly, 'timeline'),
      shows: 'The payment has changed meanwhile',
      isOverlay: true,
      act: async (page) => {
        await act(page, 'Accept as paid')
        await fill(page, 'Note', 'Their exchange took its fee out of the amount.')
        await page.route(`**/payment/${states.partly}`, acceptedElsewhere)
        // Any news of the project has the page read its payments again.
        await newPayment(shop, '18', { customerID: `overtaken-${Date.now()}` })
      },
    },
    {
      name: 'apply-unmatched',
      path: drawer(states.unmatched, 'timeline'),
      shows: 'Cancel',
      isOverlay: true,
      act: (page) => act(page, /^Apply to this payment/),
    },
  ]
}

type Accepting = { readonly timeline: readonly unknown[]; readonly offers: readonly { readonly action: string }[] }

/** Answers as if another operator had just accepted the payment. */
async function acceptedElsewhere(route: Route): Promise<void> {
  const answer = await route.fetch()
  const payment = (await answer.json()) as Accepting
  const [at, actor, note] = [new Date().toISOString(), 'operator:9', 'Small order, good customer']
  const data = { action: 'accept_underpaid', note, amount: null, currency: null }
  const marked = { at, event: 'payment.resolved', actor, data }
  const blockedBy = { code: 'already_paid', params: {}, text: 'It is paid already.' }
  await route.fulfill({
    response: answer,
    json: {
      ...payment,
      paymentState: 'FILLED',
      acceptance: { at, actor, note },
      timeline: [...payment.timeline, marked],
      offers: payment.offers.map((offer) => (offer.action === 'accept_underpaid' ? { ...offer, blockedBy } : offer)),
    },
  })
}

/** Many links from a file, from choosing it to the result. */
export function bulkScreens({ shop: { project } }: Seed): readonly Screen[] {
  const path = `/project/${project}/payments/createPaymentLink?tabId=bulk`
  const chooseFile = (page: Page, lines: readonly string[]) =>
    page.getByLabel('CSV file with one link per line').setInputFiles({
      name: 'november.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['amountInUSD,customerEmail,invoiceID,description', ...lines].join('\n')),
    })
  const good = Array.from({ length: 14 }, (_, at) => `${at + 12}.50,bulk-${at}@mail.example,N-${at},Beans for November`)
  return inSet('A', [
    { name: 'bulk-choose', path, shows: 'What a file looks like' },
    {
      name: 'bulk-preview',
      path,
      shows: 'Lines with errors',
      act: (page) => chooseFile(page, [...good, '"12,50",comma@mail.example,N-20,', '0,nobody,N-21,']),
    },
    {
      name: 'bulk-partly-done',
      path,
      shows: /^2 created · 3 with errors/,
      act: async (page) => {
        const round = Date.now()
        const wrong = ['"12,50",comma@mail.example,N-20,', '0,nobody,N-21,', '5,,N-22,']
        await chooseFile(page, [
          `5,partly-${round}@mail.example,N-${round},`,
          `6,rest-${round}@mail.example,,`,
          ...wrong,
        ])
        await press(page, /^Create 2 links/)
      },
    },
    {
      name: 'bulk-done',
      path,
      shows: 'Result CSV',
      act: async (page) => {
        // Another file for every picture: one that was made already would be found, not made.
        const round = Date.now()
        await chooseFile(page, [`5,bulk-${round}@mail.example,N-${round},`, `0.5,other-${round}@mail.example,N-31,`])
        await press(page, /^Create 2 links/)
      },
    },
  ])
}
